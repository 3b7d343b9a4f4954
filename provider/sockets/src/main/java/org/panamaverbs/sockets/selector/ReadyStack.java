package org.panamaverbs.sockets.selector;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What may be ready: entries that any thread pushes, each at most once, and that one thread takes all together. Takes
 * no memory beyond the entries.
 *
 * @param <T> what an entry stands for
 */
final class ReadyStack<T> {
    /** An entry, made once for each thing that may be ready. */
    static final class Entry<T> {
        private final T value;
        private final AtomicBoolean pushed = new AtomicBoolean();
        private @Nullable Entry<T> below;

        Entry(T value) {
            this.value = value;
        }

        T value() {
            return value;
        }

        /**
         * Lets the entry be pushed again and returns the one below it; to be called once after it was taken, and before
         * it is looked whether it is ready.
         */
        @Nullable
        Entry<T> release() {
            Entry<T> next = below;
            below = null;
            pushed.set(false);
            return next;
        }
    }

    private final AtomicReference<@Nullable Entry<T>> top = new AtomicReference<>();

    /** Wakes the thread that takes. */
    private final Runnable wake;

    /** That thread sleeps, or is about to once it has found nothing here. */
    private volatile boolean asleep;

    ReadyStack(Runnable wake) {
        this.wake = wake;
    }

    /** Pushes {@code entry} if it is not there, and wakes the thread that takes. */
    void push(Entry<T> entry) {
        if (keep(entry) && asleep) {
            wake.run();
        }
    }

    /** Pushes {@code entry} if it is not there; true if it was not. */
    boolean keep(Entry<T> entry) {
        if (!entry.pushed.compareAndSet(false, true)) {
            return false;
        }
        Entry<T> was;
        do {
            was = top.get();
            entry.below = was;
        } while (!top.compareAndSet(was, entry));
        return true;
    }

    /** Takes all entries, of which the first is returned, null if there are none. */
    @Nullable
    Entry<T> takeAll() {
        return top.get() == null ? null : top.getAndSet(null);
    }

    /** Says that the thread that takes is about to sleep; false if there is something. */
    boolean fallAsleep() {
        asleep = true;
        if (top.get() != null) {
            asleep = false;
            return false;
        }
        return true;
    }

    /** Tells whether that thread sleeps or is about to. */
    boolean isAsleep() {
        return asleep;
    }

    /** Tells whether there is nothing. */
    boolean isEmpty() {
        return top.get() == null;
    }

    /** Says that it is awake. */
    void awake() {
        asleep = false;
    }
}

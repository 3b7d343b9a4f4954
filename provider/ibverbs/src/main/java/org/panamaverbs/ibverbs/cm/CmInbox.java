package org.panamaverbs.ibverbs.cm;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The events that came for one id: they are kept until somebody asks for them, or handed to who listens. One that could
 * not be kept or handed on for lack of memory is not forgotten: who waits for an event, or listens, hears of one of
 * type LOST, by more tries if need be. All methods may be called by any thread, but where the lock is named.
 */
final class CmInbox {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final ReentrantLock lock;
    private final Condition changed;
    private final Consumer<CmTask> later;
    // Made before: there may be no memory for it when it is needed.
    private final CmTask redelivery = new CmTask(this::redeliver);

    // Guarded by lock. What nobody has taken; oldest first. A deque that lacks memory to grow loses what it holds.
    private final List<CmEvent> events = new ArrayList<>();
    // Who gets each event from the moment on that there is one; never taken away.
    private @Nullable Consumer<CmEvent> listener;
    // Hears that there is an event to take, while nobody gets them.
    private @Nullable Runnable arrival;
    // An event that could not be kept or delivered; until somebody has heard of it.
    private boolean lost;

    /**
     * Creates the inbox of an id.
     *
     * @param lock the id's
     * @param changed is signalled with each event
     * @param later runs a task a little later, unless the channel has ended
     */
    CmInbox(ReentrantLock lock, Condition changed, Consumer<CmTask> later) {
        this.lock = lock;
        this.changed = changed;
        this.later = later;
    }

    /** Has {@code action} run, under the lock, when there is an event to take or the id is being destroyed. */
    void onArrival(@Nullable Runnable action) {
        arrival = action;
        if (hasEvent()) {
            arrived();
        }
    }

    /** Says that there is something to look at; under the lock. */
    void arrived() {
        if (arrival != null) {
            arrival.run();
        }
    }

    /** Tells whether there is an event to take; under the lock. */
    boolean hasEvent() {
        return !events.isEmpty() || lost;
    }

    /** Takes the next event of those that are there; under the lock. */
    CmEvent next() {
        if (!events.isEmpty()) {
            return events.removeFirst();
        }
        lost = false;
        return CmEvent.LOST;
    }

    /** Delivers as {@link #deliverTo(Consumer)} does, as long as {@code owner} is reachable. */
    <T> void deliverTo(T owner, BiConsumer<T, CmEvent> consumer) {
        WeakReference<T> reference = new WeakReference<>(owner);
        deliverTo(event -> {
            T reachable = reference.get();
            if (reachable != null) {
                consumer.accept(reachable, event);
            }
        });
    }

    /** Has {@code consumer} get the events that came, on this thread, and those that will come. */
    void deliverTo(Consumer<CmEvent> consumer) {
        lock.lock();
        try {
            listener = consumer;
            while (hasEvent()) {
                consumer.accept(next());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes an event, or notes that one is lost. */
    void deliver(CmEvent event) {
        if (event.type().isNoise()) {
            return;
        }
        lock.lock();
        try {
            boolean taken = false;
            try {
                if (listener != null) {
                    listener.accept(event);
                } else if (!event.type().isNotice()) {
                    events.add(event);
                    arrived();
                }
                taken = true;
            } finally {
                changed.signalAll();
                if (!taken) {
                    lost = true;
                    later.accept(redelivery);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void redeliver() {
        boolean done = false;
        try {
            deliverLost();
            done = true;
        } finally {
            if (!done) {
                LockSupport.parkNanos(PAUSE_NANOS); // there may be memory again
                later.accept(redelivery);
            }
        }
    }

    private void deliverLost() {
        lock.lock();
        try {
            if (lost && listener != null) {
                listener.accept(CmEvent.LOST);
                lost = false;
            }
        } finally {
            lock.unlock();
        }
    }
}

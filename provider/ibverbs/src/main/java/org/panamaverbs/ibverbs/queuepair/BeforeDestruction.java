package org.panamaverbs.ibverbs.queuepair;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What a queue pair does once before it is destroyed, although its destruction may be tried again. A failure is no
 * reason not to destroy it, and is told afterwards. For the thread that closes it.
 */
final class BeforeDestruction {
    private final AtomicReference<@Nullable Runnable> first = new AtomicReference<>();
    private boolean done;
    private @Nullable Throwable failure;

    /** Has {@code action} run before all else, in the place of what was to be; any thread. */
    void first(Runnable action) {
        first.set(action);
    }

    /** Takes {@code action} back; returns false if another took its place, or it was taken back before; any thread. */
    boolean takeBack(Runnable action) {
        return first.compareAndSet(action, null);
    }

    /** Tells whether {@code action} is what runs before all else; any thread. */
    boolean isFirst(Runnable action) {
        return action.equals(first.get());
    }

    /**
     * Runs what runs first, if there is anything, the first time it is called, and {@code then} each time, which must
     * do no harm then: it may have failed before.
     */
    void once(Runnable then) {
        if (!done) {
            done = true;
            try {
                Runnable action = first.get();
                if (action != null) {
                    action.run();
                }
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }
        then.run();
    }

    /** Throws what was thrown, if anything was. */
    void rethrow() {
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
        if (failure instanceof Error error) {
            throw error;
        }
    }
}

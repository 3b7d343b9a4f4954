package org.panamaverbs.iwarp.engine.context;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.panamaverbs.memory.stack.StackRoom;

/**
 * The timers of an event loop. They are started and stopped by any thread, and looked at by whoever has the loop: one
 * by one only if one is due or was started, so that a turn of the loop costs the same with many.
 */
final class Timers {
    private final Set<LoopHandler> handlers = ConcurrentHashMap.newKeySet();
    private volatile boolean moved;
    // When the first is due, or earlier, if one is set.
    private boolean set;
    private long nextNanos;

    /** Starts or moves the timer of {@code handler}. */
    void start(LoopHandler handler) {
        handlers.add(handler);
        moved = true;
    }

    /** Stops the timer of {@code handler}. */
    void stop(LoopHandler handler) {
        handlers.remove(handler);
    }

    /** Tells whether there are none; false is no promise. */
    boolean areNone() {
        return !moved && !set;
    }

    /** Returns how long none is due, at most {@code most}; 0 or less if one is. */
    long left(long now, long most) {
        if (moved) {
            look();
        }
        return set ? Math.min(most, nextNanos - now) : most;
    }

    /**
     * Runs the timers that are due; what they throw goes to {@code failed}.
     *
     * @param borrowed whether the thread has borrowed the loop: its stack may end
     */
    void run(long now, boolean borrowed, BiConsumer<LoopHandler, Throwable> failed) {
        if (moved) {
            look();
        }
        if (!set || nextNanos - now > 0) {
            return;
        }
        if (borrowed) {
            // Before the first: one that has not begun is due in the next turn, too.
            StackRoom.require();
        }
        for (LoopHandler handler : handlers) {
            if (handler.deadlineNanos() - now <= 0) {
                try {
                    handler.timeout(now);
                } catch (RuntimeException | Error e) {
                    failed.accept(handler, e);
                }
            }
        }
        look();
    }

    // A timer that is started meanwhile counts the next time; and a look that fails is taken once more.
    private void look() {
        boolean whole = false;
        moved = false;
        set = false;
        try {
            for (LoopHandler handler : handlers) {
                long deadline = handler.deadlineNanos();
                if (!set || deadline - nextNanos < 0) {
                    set = true;
                    nextNanos = deadline;
                }
            }
            whole = true;
        } finally {
            if (!whole) {
                moved = true;
            }
        }
    }
}

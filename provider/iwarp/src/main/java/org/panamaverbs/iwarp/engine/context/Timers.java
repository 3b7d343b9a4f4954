package org.panamaverbs.iwarp.engine.context;

import java.util.Arrays;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.memory.stack.StackRoom;

/**
 * The timers of an event loop. They are started and stopped by any thread, and looked at by whoever has the loop: one
 * by one only if one is due or was started, so that a turn of the loop costs the same with many. Nothing of it takes
 * memory but a timer that runs beside more others than ever before.
 *
 * <p>The last one takes the place of one that is stopped. Who goes through them therefore goes from the last to the
 * first: none that runs all the time is passed over then, whatever is started or stopped meanwhile.
 */
final class Timers {
    private static final int FEW = 16;

    // Those that run, and whose they are; guarded by this, as their places are. No call is made between changes.
    private @Nullable LoopTimer[] running = new LoopTimer[FEW];
    private @Nullable LoopHandler[] handlers = new LoopHandler[FEW];
    private int count;
    private volatile boolean moved;
    // When the first is due, or earlier, if one is set.
    private boolean set;
    private long nextNanos;

    /** Starts the timer of {@code handler}, or has its time looked at again. */
    void start(LoopHandler handler) {
        add(handler, handler.timer());
        moved = true;
    }

    private synchronized void add(LoopHandler handler, LoopTimer timer) {
        if (timer.place < 0) {
            if (count == running.length) {
                @Nullable LoopHandler[] more = Arrays.copyOf(handlers, 2 * count);
                running = Arrays.copyOf(running, 2 * count);
                handlers = more;
            }
            running[count] = timer;
            handlers[count] = handler;
            timer.place = count;
            count++;
        }
    }

    /** Stops the timer of {@code handler}. */
    void stop(LoopHandler handler) {
        remove(handler.timer());
    }

    private synchronized void remove(LoopTimer timer) {
        int place = timer.place;
        if (place >= 0) {
            count--;
            LoopTimer last = running[count];
            if (last != null) {
                running[place] = last;
                handlers[place] = handlers[count];
                last.place = place;
            }
            running[count] = null;
            handlers[count] = null;
            timer.place = -1;
        }
    }

    private synchronized int running() {
        return count;
    }

    private synchronized @Nullable LoopHandler at(int place) {
        return place < count ? handlers[place] : null;
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
        for (int place = running() - 1; place >= 0; place--) {
            LoopHandler handler = at(place);
            if (handler != null && handler.deadlineNanos() - now <= 0) {
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
            for (int place = running() - 1; place >= 0; place--) {
                LoopHandler handler = at(place);
                if (handler != null) {
                    long deadline = handler.deadlineNanos();
                    if (!set || deadline - nextNanos < 0) {
                        set = true;
                        nextNanos = deadline;
                    }
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

package org.panamaverbs.iwarp.engine.device;

import java.util.Arrays;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

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

    // Those that run, and whose they are; guarded by this, as their places are.
    private @Nullable LoopTimer[] running = new LoopTimer[FEW];
    private @Nullable LoopHandler[] handlers = new LoopHandler[FEW];
    private int count;
    // How many were started, or had their time changed; and of these when they were looked at last.
    private volatile int starts;
    private int startsSeen;
    // When the first is due, or earlier, if one is set.
    private boolean set;
    private long nextNanos;

    /** Starts the timer of {@code handler}, or has its time looked at again. */
    void start(LoopHandler handler) {
        add(handler, handler.timer());
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
        starts++;
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
        return starts == startsSeen && !set;
    }

    /** Returns how long none is due, at most {@code most}; 0 or less if one is. */
    long left(long now, long most) {
        if (starts != startsSeen) {
            look();
        }
        return set ? Math.min(most, nextNanos - now) : most;
    }

    /** Runs the timers that are due; what they throw goes to {@code failed}. */
    void run(long now, BiConsumer<LoopHandler, Throwable> failed) {
        if (starts != startsSeen) {
            look();
        }
        if (!set || nextNanos - now > 0) {
            return;
        }
        for (int place = running() - 1; place >= 0; place--) {
            LoopHandler handler = at(place);
            if (handler != null && handler.deadlineNanos() - now <= 0) {
                try {
                    handler.timeout(now);
                } catch (Throwable e) {
                    failed.accept(handler, e);
                }
            }
        }
        look();
    }

    // A timer that is started meanwhile counts the next time.
    private void look() {
        int started = starts;
        boolean any = false;
        long first = 0;
        for (int place = running() - 1; place >= 0; place--) {
            LoopHandler handler = at(place);
            if (handler != null) {
                long deadline = handler.deadlineNanos();
                first = !any || deadline - first < 0 ? deadline : first;
                any = true;
            }
        }
        set = any;
        nextNanos = first;
        startsSeen = started;
    }
}

package org.panamaverbs.iwarp.engine;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.Stream;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.device.LoopHandler;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.net.Watch;

/**
 * What the event loop watches for one stream: its socket and its timer. Guarded by the stream's lock.
 *
 * <p>While a thread keeps polling, the event loop leaves the socket to it: it stops watching for input and looks after
 * a millisecond whether the polls have ended. Otherwise both threads would wake up for every message.
 */
final class LoopWatch {
    private static final long HANDOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    // More than a thread polls that waits for an event in between.
    private static final int POLLS_OF_A_SPINNER = 16;

    private final EventLoop loop;
    private final LoopHandler handler;
    private @Nullable Watch watch;
    // What the watch is set to look for.
    private int interest;
    // Threads that poll have the input; the loop's timer looks now and then whether they still do.
    private boolean leftToPollers;
    // Polls in all, and of these when it was last asked whether there are many.
    private int polls;
    private int pollsSeen;
    // The loop's timer runs for this stream, and until when.
    private boolean timing;
    private volatile long deadlineNanos;

    public LoopWatch(EventLoop loop, LoopHandler handler) {
        this.loop = loop;
        this.handler = handler;
    }

    /** Takes the watch of a channel over; on the loop's thread. */
    public void begin(Watch registered) {
        registered.attach(handler);
        watch = registered;
        interest = registered.interest();
    }

    /** Ends the watch of the channel, which is closed. */
    void end() {
        watch = null;
        loop.changed();
    }

    /** Counts a poll. */
    void polled() {
        polls++;
    }

    /** Returns how many polls were counted. */
    int polls() {
        return polls;
    }

    /** The loop found the channel ready: leaves it to the pollers if there are any. */
    void onReady(Watch readyWatch) {
        leftToPollers = polledSteadily() && !readyWatch.isWritable();
    }

    /** The loop's timer came: takes the channel back if the polls have ended. */
    void onTimer() {
        leftToPollers = leftToPollers && polledSteadily();
    }

    /**
     * Tells whether the loop neither watches the channel nor is to be told of anything by {@link #follow} behind a poll
     * that has changed nothing.
     */
    boolean isLeft() {
        return watch == null || (leftToPollers && timing);
    }

    /** Takes the channel back, from polls up to now; false if the loop had it. */
    boolean takeBack() {
        boolean left = leftToPollers;
        leftToPollers = false;
        pollsSeen = polls;
        return left;
    }

    private boolean polledSteadily() {
        boolean steadily = polls - pollsSeen > POLLS_OF_A_SPINNER;
        pollsSeen = polls;
        return steadily;
    }

    /** Returns when the timer is due; any thread. */
    public long deadlineNanos() {
        return deadlineNanos;
    }

    /** Has the loop come when {@code stream} and its {@code socket} have something to do next. */
    void follow(Stream stream, StreamSocket socket, long now) {
        int awaited = watch == null ? 0 : socket.await(leftToPollers);
        if ((awaited & Transport.NOW) != 0 || (watch != null && stream.goesOn())) {
            // No readiness will tell of it: the loop goes on, after its other channels.
            timer(true, now, now);
        } else {
            boolean timed = stream.hasDeadline();
            timer(timed, timed ? stream.deadlineNanos() : 0, now);
        }
        channel(awaited & ~Transport.NOW);
    }

    /** Has the loop watch for {@code wanted}, of {@link Watch#READ} and its like. */
    void channel(int wanted) {
        Watch registered = watch;
        if (registered != null && wanted != interest) {
            boolean more = (wanted & ~interest) != 0;
            registered.interest(wanted);
            interest = wanted;
            if (more) {
                loop.changed();
            }
        }
    }

    /** Has the loop's timer run, at the latest at {@code deadline} if there is one. */
    private void timer(boolean hasDeadline, long deadline, long now) {
        boolean looking = leftToPollers && watch != null;
        if (!hasDeadline && !looking) {
            if (timing) {
                timing = false;
                loop.unwatch(handler);
            }
            return;
        }
        long look = now + HANDOFF_NANOS;
        long next = hasDeadline && (!looking || deadline - look < 0) ? deadline : look;
        wake(next, deadlineNanos - now <= 0);
    }

    // A timer that runs is moved only to an earlier time: it finds out by itself that it came too early.
    private void wake(long at, boolean isDue) {
        if (!timing || isDue || at - deadlineNanos < 0) {
            timing = true;
            deadlineNanos = at;
            loop.watch(handler);
        }
    }
}

package org.panamaverbs.iwarp.engine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.device.LoopHandler;
import org.panamaverbs.iwarp.engine.device.LoopTimer;
import org.panamaverbs.iwarp.net.Watch;

/**
 * Looks at all streams of a context every so often, and ends those whose peers have stopped, and those that broke where
 * there was no memory left to end them. One timer for all: a timer of each stream's own would cost its data path a
 * system call. Belongs to the event loop's thread.
 */
public final class StallWatchdog implements LoopHandler {
    private static final int LOOKS_PER_LIMIT = 4;
    // How long a broken stream that nobody comes to can stay open.
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final LoopTimer timer = new LoopTimer();
    private final EventLoop loop;
    private final long limitNanos;
    private final long lookNanos;
    private final Set<StreamDriver> streams = ConcurrentHashMap.newKeySet();
    // Whether the timer runs; false also where it could not be started, so that the next stream starts it.
    private boolean looking;
    private volatile long deadlineNanos;

    /** Creates a watchdog that allows {@code limitNanos} without progress; 0 for any time. */
    public StallWatchdog(EventLoop loop, long limitNanos) {
        this.loop = loop;
        this.limitNanos = limitNanos;
        lookNanos = limitNanos == 0 ? MOST_NANOS : Math.clamp(limitNanos / LOOKS_PER_LIMIT, 1, MOST_NANOS);
    }

    /** Looks after {@code stream} until it is over; on the loop's thread. */
    public void add(StreamDriver stream, long now) {
        streams.add(stream);
        if (!looking) {
            start(now);
        }
        forget(stream);
    }

    /** Forgets {@code stream} if it is over, and does not wait for the next look. Any thread. */
    public void forget(StreamDriver stream) {
        if (stream.isOver()) {
            streams.remove(stream);
        }
    }

    /** Returns how many streams it looks after. */
    public int watched() {
        return streams.size();
    }

    private void start(long now) {
        deadlineNanos = now + lookNanos;
        loop.watch(this);
        looking = true;
    }

    @Override
    public void ready(Watch watch, long now) {
        throw new IllegalStateException("it has no channel");
    }

    @Override
    public LoopTimer timer() {
        return timer;
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public void timeout(long now) {
        deadlineNanos = now + lookNanos;
        streams.removeIf(stream -> !stream.endIfStalled(now, limitNanos));
        if (streams.isEmpty()) {
            looking = false;
            loop.unwatch(this);
        }
    }

    @Override
    public void failed(Throwable cause) {
        // The streams are none the worse for it; the loop has logged it and stopped the timer.
        looking = false;
        start(System.nanoTime());
    }
}

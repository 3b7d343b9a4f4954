package org.panamaverbs.iwarp.engine.progress;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.iwarp.engine.context.EventLoop;
import org.panamaverbs.iwarp.engine.context.LoopHandler;
import org.panamaverbs.iwarp.net.Watch;

/**
 * Looks at all streams of a context every so often, and ends those whose peers have stopped, and those that broke where
 * there was no stack or memory left to end them. One timer for all: a timer of each stream's own would cost its data
 * path a system call. Belongs to the event loop's thread.
 */
public final class StallWatchdog implements LoopHandler {
    private static final int LOOKS_PER_LIMIT = 4;
    // How long a broken stream that nobody comes to can stay open.
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final EventLoop loop;
    private final long limitNanos;
    private final long lookNanos;
    private final Set<StreamDriver> streams = ConcurrentHashMap.newKeySet();
    private volatile long deadlineNanos;

    /** Makes one that allows {@code limitNanos} without progress; 0 for any time. */
    public StallWatchdog(EventLoop loop, long limitNanos) {
        this.loop = loop;
        this.limitNanos = limitNanos;
        lookNanos = limitNanos == 0 ? MOST_NANOS : Math.clamp(limitNanos / LOOKS_PER_LIMIT, 1, MOST_NANOS);
    }

    /** Looks after {@code stream} until it is over; on the loop's thread. */
    public void add(StreamDriver stream, long now) {
        if (streams.add(stream) && streams.size() == 1) {
            next(now);
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

    private void next(long now) {
        deadlineNanos = now + lookNanos;
        loop.watch(this);
    }

    @Override
    public void ready(Watch watch, long now) {
        throw new IllegalStateException("it has no channel");
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public void timeout(long now) {
        streams.removeIf(stream -> !stream.endIfStalled(now, limitNanos));
        if (streams.isEmpty()) {
            loop.unwatch(this);
        } else {
            next(now);
        }
    }

    @Override
    public void failed(Throwable cause) {
        // The streams are none the worse for it; the loop has logged it and stopped the timer.
        next(System.nanoTime());
    }
}

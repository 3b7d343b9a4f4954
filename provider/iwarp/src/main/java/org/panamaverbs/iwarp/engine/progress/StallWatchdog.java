package org.panamaverbs.iwarp.engine.progress;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.panamaverbs.iwarp.core.work.StreamState;
import org.panamaverbs.iwarp.engine.context.EventLoop;
import org.panamaverbs.iwarp.engine.context.LoopHandler;
import org.panamaverbs.iwarp.net.Watch;

/**
 * Looks at all streams of a context every so often, and ends those whose peers have stopped. One timer for all: a timer
 * of each stream's own would cost its data path a system call. Belongs to the event loop's thread.
 */
public final class StallWatchdog implements LoopHandler {
    private static final int LOOKS_PER_LIMIT = 4;

    private final EventLoop loop;
    private final long limitNanos;
    private final Set<StreamDriver> streams = ConcurrentHashMap.newKeySet();
    private volatile long deadlineNanos;

    /** Makes one that allows {@code limitNanos} without progress; 0 for any time. */
    StallWatchdog(EventLoop loop, long limitNanos) {
        this.loop = loop;
        this.limitNanos = limitNanos;
    }

    /** Looks after {@code stream} until it is over; on the loop's thread. */
    public void add(StreamDriver stream, long now) {
        if (limitNanos != 0 && streams.add(stream) && streams.size() == 1) {
            next(now);
        }
        if (stream.state() == StreamState.CLOSED) {
            streams.remove(stream);
        }
    }

    /** Forgets {@code stream}, which is over: the next look can be hours away, and others come and go. Any thread. */
    public void forget(StreamDriver stream) {
        streams.remove(stream);
    }

    /** Returns how many streams it looks after. */
    public int watched() {
        return streams.size();
    }

    private void next(long now) {
        deadlineNanos = now + Math.max(1, limitNanos / LOOKS_PER_LIMIT);
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

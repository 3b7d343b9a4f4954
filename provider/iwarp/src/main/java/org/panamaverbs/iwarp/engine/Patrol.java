package org.panamaverbs.iwarp.engine;

import java.nio.channels.SelectionKey;
import java.util.HashSet;
import java.util.Set;

/**
 * Looks at all streams of a context every so often, and ends those whose peers have stopped. One timer for all: a timer
 * of each stream's own would cost its data path a system call. Belongs to the event loop's thread.
 */
final class Patrol implements EventLoop.Handler {
    private static final int LOOKS_PER_LIMIT = 4;

    private final EventLoop loop;
    private final long limitNanos;
    private final Set<StreamDriver> streams = new HashSet<>();
    private volatile long deadlineNanos;

    /** Makes one that allows {@code limitNanos} without progress; 0 for any time. */
    Patrol(EventLoop loop, long limitNanos) {
        this.loop = loop;
        this.limitNanos = limitNanos;
    }

    /** Looks after {@code stream} until it is over. */
    void add(StreamDriver stream, long now) {
        if (limitNanos != 0 && streams.add(stream) && streams.size() == 1) {
            next(now);
        }
    }

    private void next(long now) {
        deadlineNanos = now + Math.max(1, limitNanos / LOOKS_PER_LIMIT);
        loop.watch(this);
    }

    @Override
    public void ready(SelectionKey key, long now) {
        throw new IllegalStateException("it has no channel");
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public void timeout(long now) {
        streams.removeIf(stream -> !stream.patrol(now, limitNanos));
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

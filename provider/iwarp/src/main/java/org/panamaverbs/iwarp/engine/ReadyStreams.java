package org.panamaverbs.iwarp.engine;

import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.device.SpinLock;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.Poller;
import org.panamaverbs.iwarp.net.Sockets;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.spi.support.DeferredLog;

/**
 * Where only threads that poll make progress: tells them which of many streams have something, without a look at each.
 * Made use of only by queues with many, since it costs a system call more. Any thread.
 */
final class ReadyStreams {
    private static final int POLLED_A_TURN = 16;
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Sockets sockets;
    private final EventLoop loop;
    private final SpinLock lock = new SpinLock();
    // Those that the system does not watch, as where there are too many open files.
    private final Queue<StreamDriver> unwatched = new ConcurrentLinkedQueue<>();
    // With the lock: when it is tried again to have them watched.
    private long retryNanos = System.nanoTime();
    private volatile boolean complained;
    private final Consumer<Watch> found = this::found;
    // Made for the first who needs it.
    private volatile @Nullable Poller poller;
    private boolean closed;

    ReadyStreams(Sockets sockets, EventLoop loop) {
        this.sockets = sockets;
        this.loop = loop;
    }

    /**
     * Begins to watch the channel of {@code stream} for input; null if {@link #turn} polls it until that is possible.
     */
    @Nullable
    Watch register(Pollable channel, StreamDriver stream) {
        try {
            return opened().register(channel, Watch.READ, stream);
        } catch (IOException e) {
            if (!complained) {
                complained = true;
                DeferredLog.log(
                        ReadyStreams.class,
                        System.Logger.Level.WARNING,
                        "the sockets of queues with many streams are polled one by one, since the system cannot watch"
                                + " them: " + e.getMessage() + "; remedy: raise the limit of open files (ulimit -n),"
                                + " or close descriptors that are not needed");
            }
            unwatched.add(stream);
            return null;
        }
    }

    private synchronized Poller opened() throws IOException {
        Poller open = poller;
        if (open == null) {
            if (closed) {
                throw new IOException("the context is closed");
            }
            open = sockets.poller();
            poller = open;
        }
        return open;
    }

    /** Makes progress with those that have something, unless another thread is at it. */
    void turn() {
        if ((poller == null && unwatched.isEmpty()) || !lock.tryLock()) {
            return;
        }
        try {
            pollUnwatched();
            Poller open = poller;
            // As long as it is here it is not closed: that takes the lock.
            if (open != null) {
                open.select(found, 0);
            }
        } catch (IOException e) {
            DeferredLog.log(ReadyStreams.class, System.Logger.Level.ERROR, "polling for ready sockets failed", e);
        } finally {
            lock.unlock();
        }
    }

    private void pollUnwatched() {
        int left = Math.min(POLLED_A_TURN, unwatched.size());
        if (left == 0) {
            return;
        }
        long now = System.nanoTime();
        boolean again = retryNanos - now <= 0;
        if (again) {
            retryNanos = now + RETRY_NANOS;
        }
        for (StreamDriver next = unwatched.peek(); next != null && left > 0; next = unwatched.peek(), left--) {
            next.poll(now);
            boolean stays = !next.isClosed() && !again;
            if (stays) {
                // Before it is taken from the front: one that is in no place is polled by nobody any more.
                unwatched.add(next);
            }
            unwatched.poll();
            if (!stays && !next.isClosed()) {
                next.findAgain(now);
            }
        }
    }

    private void found(Watch watch) {
        ((StreamDriver) watch.attachment()).foundReady(System.nanoTime());
    }

    /** The socket of a watch was closed: some systems let go of it only when they are asked again. */
    void closed() {
        Poller open = poller;
        if (open != null && open.isDeferring()) {
            loop.execute(this::turn);
        }
    }

    /** Closes what is still watched. */
    void close() {
        Poller open;
        synchronized (this) {
            closed = true;
            open = poller;
            poller = null;
            unwatched.clear();
        }
        if (open == null) {
            return;
        }
        lock.lock();
        try {
            open.close();
        } finally {
            lock.unlock();
        }
    }
}

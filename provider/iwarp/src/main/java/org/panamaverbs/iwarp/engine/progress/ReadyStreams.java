package org.panamaverbs.iwarp.engine.progress;

import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.support.LaterLog;
import org.panamaverbs.iwarp.engine.context.EventLoop;
import org.panamaverbs.iwarp.engine.context.SpinLock;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.Poller;
import org.panamaverbs.iwarp.net.Sockets;
import org.panamaverbs.iwarp.net.Watch;

/**
 * Where only threads that poll make progress: tells them which of many streams have something, without a look at each.
 * Made use of only by queues with many, since it costs a system call more. Any thread.
 */
final class ReadyStreams {
    private final Sockets sockets;
    private final EventLoop loop;
    private final SpinLock lock = new SpinLock();
    private final Consumer<Watch> found = this::found;
    // Made for the first who needs it.
    private volatile @Nullable Poller poller;
    private boolean closed;

    ReadyStreams(Sockets sockets, EventLoop loop) {
        this.sockets = sockets;
        this.loop = loop;
    }

    /** Begins to watch the channel of {@code stream} for input. */
    Watch register(Pollable channel, StreamDriver stream) throws IOException {
        return opened().register(channel, Watch.READ, stream);
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
        if (poller == null || !lock.tryLock()) {
            return;
        }
        try {
            Poller open = poller;
            // As long as it is here it is not closed: that takes the lock.
            if (open != null) {
                open.select(found, 0);
            }
        } catch (IOException e) {
            LaterLog.log(ReadyStreams.class, System.Logger.Level.ERROR, "asking for ready sockets failed", e);
        } finally {
            lock.unlock();
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

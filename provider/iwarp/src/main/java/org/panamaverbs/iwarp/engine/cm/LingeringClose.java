package org.panamaverbs.iwarp.engine.cm;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.iwarp.engine.context.EventLoop;
import org.panamaverbs.iwarp.engine.context.LoopHandler;
import org.panamaverbs.iwarp.engine.context.LoopTimer;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.net.Watch;

/**
 * A close after which the peer still hears why its set-up ended: ends the output, throws away what still comes, and
 * closes when the peer has, or after a while. A close with input unread would reset the connection, and the peer would
 * lose what was sent last. Belongs to the event loop's thread.
 */
final class LingeringClose implements LoopHandler {
    // What could not be closed, for lack of memory most likely, is tried again so much later.
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LoopTimer timer = new LoopTimer();
    private final EventLoop loop;
    private final Transport transport;
    private final Watch watch;
    private final LingeringPeers lingering;
    private final Runnable over;
    private final Runnable close = this::close;
    private final Runnable again = this::again;
    private volatile long deadlineNanos;
    private boolean shut;
    // Whether it is heard that it is over, and whether nothing is left to do.
    private boolean told;
    private boolean closed;

    /** Creates the close of {@code transport}; {@code over} is run once, when the channel is closed. */
    LingeringClose(EventLoop loop, Transport transport, Watch watch, LingeringPeers lingering, Runnable over) {
        this.loop = loop;
        this.transport = transport;
        this.watch = watch;
        this.lingering = lingering;
        this.over = over;
        deadlineNanos = System.nanoTime() + Math.min(lingering.nanos(), TimeUnit.DAYS.toNanos(1));
    }

    /** Begins. Should it throw, {@link #close} is to be called. */
    void begin() {
        lingering.begin(close);
        watch.attach(this);
        loop.watch(this);
        ready(watch, 0);
    }

    @Override
    public void ready(Watch readyWatch, long now) {
        try {
            transport.ready();
            shut = shut || transport.shutdownOutput();
            if (transport.discard()) {
                close();
            } else {
                await();
            }
        } catch (IOException e) {
            // Reset: it hears nothing more.
            close();
        }
    }

    private void await() {
        int awaited = transport.await(Watch.READ | (shut ? 0 : Watch.WRITE), false);
        watch.interest(awaited & ~Transport.NOW);
        if ((awaited & Transport.NOW) != 0) {
            loop.execute(again);
        }
    }

    private void again() {
        if (!closed) {
            ready(watch, 0);
        }
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
        close();
    }

    @Override
    public void failed(Throwable cause) {
        close();
    }

    @Override
    public void loopClosed() {
        close();
    }

    /**
     * Closes the channel now, if it is open, and says that it is over. What fails of that is done a moment later, or
     * when it is called again.
     */
    void close() {
        if (closed) {
            return;
        }
        // Until all is done: what fails now is done then.
        deadlineNanos = System.nanoTime() + RETRY_NANOS;
        loop.watch(this);
        try {
            transport.close(false);
            // Behind it: what is still open is come back to.
            lingering.end(close);
        } finally {
            tell();
        }
        closed = true;
        loop.unwatch(this);
    }

    private void tell() {
        if (!told) {
            over.run();
            told = true;
        }
    }
}

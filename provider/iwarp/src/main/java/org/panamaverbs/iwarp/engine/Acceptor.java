package org.panamaverbs.iwarp.engine;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.iwarp.core.StartupConfig;

/**
 * Accepts connections at one address and reads their requests. It takes no more of them at once than may be half open
 * and than fit into the backlog; the rest wait in the system's queue. Belongs to the event loop's thread but for the
 * requests that are ready.
 */
final class Acceptor implements EventLoop.Handler, Handshake.Owner {
    private static final System.Logger LOGGER = System.getLogger(Acceptor.class.getName());
    private static final long CLOSE_SECONDS = 10;
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final EventLoop loop;
    private final ServerSocketChannel server;
    private final IwarpOptions options;
    private final int backlog;
    private final StartupConfig limits;
    private final Set<Handshake> halfOpen = new HashSet<>();
    private final WaitPoint waiters = new WaitPoint();
    // Guarded by itself.
    private final ArrayDeque<Handshake> ready = new ArrayDeque<>();
    private @Nullable SelectionKey key;
    private boolean closed;
    private volatile boolean broken;
    private volatile boolean addressFree;
    private volatile long retryNanos;

    Acceptor(EventLoop loop, ServerSocketChannel server, IwarpOptions options, int backlog) {
        this.loop = loop;
        this.server = server;
        this.options = options;
        this.backlog = backlog;
        limits = Connector.startup(options, ConnectionConfig.defaults());
    }

    /** Begins to accept. */
    void start() {
        loop.execute(() -> {
            try {
                key = loop.register(server, SelectionKey.OP_ACCEPT, this);
            } catch (IOException e) {
                LOGGER.log(System.Logger.Level.ERROR, "a listener cannot be served", e);
            }
        });
    }

    /** Returns who waits for requests. */
    WaitPoint waiters() {
        return waiters;
    }

    /** Tells whether it failed and takes no requests any more. */
    boolean isBroken() {
        return broken;
    }

    /** Tells whether a request is ready. */
    boolean hasRequest() {
        synchronized (ready) {
            return !ready.isEmpty();
        }
    }

    /** Takes the oldest request that is ready, null if there is none. */
    @Nullable
    Handshake poll() {
        Handshake oldest;
        synchronized (ready) {
            oldest = ready.poll();
        }
        if (oldest != null) {
            loop.execute(this::updateInterest);
        }
        return oldest;
    }

    /**
     * Stops, drops who waits, and wakes up the threads that wait; then the address is free. Any thread but the loop's.
     */
    void close() {
        loop.execute(() -> {
            closed = true;
            loop.unwatch(this);
            loop.closeNow(server);
            addressFree = true;
            waiters.changed();
            ConnectionException reason =
                    new ConnectionException("accept", Reason.CLOSED, "the listener was closed", null);
            for (Handshake handshake : Set.copyOf(halfOpen)) {
                handshake.cancel(reason);
            }
            for (Handshake handshake = take(); handshake != null; handshake = take()) {
                handshake.cancel(reason);
            }
        });
        waiters.await(() -> addressFree, Deadline.in(CLOSE_SECONDS, TimeUnit.SECONDS), null);
    }

    private @Nullable Handshake take() {
        synchronized (ready) {
            return ready.poll();
        }
    }

    @Override
    public void ready(SelectionKey readyKey, long now) {
        try {
            while (hasRoom()) {
                SocketChannel channel = server.accept();
                if (channel == null) {
                    break;
                }
                begin(channel, now);
            }
        } catch (IOException e) {
            if (!server.isOpen()) {
                return;
            }
            // Out of descriptors, most likely: what is ready stays ready, so look again later instead of at once.
            LOGGER.log(System.Logger.Level.WARNING, "a connection cannot be accepted now", e);
            retryNanos = now + RETRY_NANOS;
            loop.watch(this);
            readyKey.interestOps(0);
            return;
        }
        updateInterest();
    }

    private void begin(SocketChannel channel, long now) {
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            InetSocketAddress peer = (InetSocketAddress) channel.getRemoteAddress();
            Handshake handshake = Handshake.responder(loop, channel, peer, limits, options.lingerNanos(), this);
            halfOpen.add(handshake);
            handshake.await(now + options.handshakeNanos());
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "a peer left before it was served", e);
            SocketErrors.close(channel);
        }
    }

    private boolean hasRoom() {
        int waiting;
        synchronized (ready) {
            waiting = ready.size();
        }
        return !closed && halfOpen.size() < options.maxHalfOpen() && waiting + halfOpen.size() < backlog;
    }

    private void updateInterest() {
        SelectionKey registered = key;
        if (registered != null && registered.isValid()) {
            registered.interestOps(hasRoom() ? SelectionKey.OP_ACCEPT : 0);
        }
    }

    @Override
    public void requestReady(Handshake handshake) {
        halfOpen.remove(handshake);
        synchronized (ready) {
            ready.add(handshake);
        }
        waiters.changed();
    }

    @Override
    public void agreed(Handshake handshake, SocketChannel channel, SelectionKey readyKey) {
        throw new IllegalStateException("a listener agrees to nothing by itself");
    }

    @Override
    public void ended(Handshake handshake, @Nullable ConnectionException failure) {
        if (failure != null) {
            LOGGER.log(System.Logger.Level.DEBUG, "a peer did not get as far as a request", failure);
        }
        halfOpen.remove(handshake);
        if (!closed) {
            updateInterest();
        }
    }

    @Override
    public long deadlineNanos() {
        return retryNanos;
    }

    @Override
    public void timeout(long now) {
        loop.unwatch(this);
        updateInterest();
    }

    @Override
    public void failed(Throwable cause) {
        broken = true;
        SocketErrors.close(server);
        waiters.changed();
    }
}

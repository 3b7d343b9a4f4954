package org.panamaverbs.iwarp.engine.cm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.iwarp.core.setup.StartupConfig;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.device.IwarpOption;
import org.panamaverbs.iwarp.engine.device.IwarpOptions;
import org.panamaverbs.iwarp.engine.device.ListenerOptions;
import org.panamaverbs.iwarp.engine.device.LoopHandler;
import org.panamaverbs.iwarp.engine.device.LoopTimer;
import org.panamaverbs.iwarp.engine.device.WaitPoint;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.engine.transport.TransportServer;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.spi.support.DeferredLog;
import org.panamaverbs.spi.support.Readiness;
import org.panamaverbs.spi.watch.DeviceWatch;

/**
 * Accepts connections at one address and reads their requests. While the backlog is full of requests it takes nobody;
 * when as many peers as may be half open keep it waiting, the next one takes the place of one of them, as
 * {@link HalfOpenPeers} says. The rest wait in the system's queue. Belongs to the event loop's thread but for the
 * requests that are ready.
 */
public final class Acceptor implements LoopHandler, Setup.Owner {
    private static final long CLOSE_SECONDS = 10;
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LoopTimer timer = new LoopTimer();
    private final EventLoop loop;
    private final DeviceWatch deviceWatch;
    private final TransportServer server;
    private final Pollable channel;
    private final IwarpOptions options;
    private final int backlog;
    private final String replyBegins;
    private final StartupConfig limits;
    private final HalfOpenPeers<Setup> halfOpen;
    private final LingeringPeers lingering;
    /** Where threads wait for requests, or that it fails. */
    final WaitPoint waiters = new WaitPoint();
    /** What says so to event queues. */
    final Readiness readiness = new Readiness();
    // Guarded by itself.
    private final ReadyRequests ready = new ReadyRequests();
    private final Runnable end = this::end;
    private @Nullable Watch watch;
    private boolean closed;
    private volatile boolean broken;
    private volatile boolean addressFree;
    private volatile long retryNanos;

    Acceptor(CmContext cm, TransportServer server, ListenerConfig config) {
        loop = cm.context().loop();
        deviceWatch = cm.context().watch();
        options = cm.context().options();
        this.server = server;
        channel = server.channel();
        backlog = config.backlog();
        replyBegins = ListenerOptions.parse(config, options).replyBegin();
        limits = Connector.startup(options, ConnectionConfig.defaults());
        halfOpen =
                new HalfOpenPeers<>(options.get(IwarpOption.MAX_HALF_OPEN), options.get(IwarpOption.HALF_OPEN_GRACE));
        lingering = new LingeringPeers(options.get(IwarpOption.MAX_HALF_OPEN), options.get(IwarpOption.LINGER));
    }

    /** Begins to accept. */
    void start() {
        loop.execute(() -> {
            try {
                watch = loop.register(channel, Watch.READ, this);
            } catch (IOException | RuntimeException | Error e) {
                failed(e);
            }
        });
    }

    /** Tells whether it failed and takes no requests any more. */
    boolean isBroken() {
        return broken;
    }

    /** Tells whether a request is ready. */
    public boolean hasRequest() {
        synchronized (ready) {
            return !ready.isEmpty();
        }
    }

    /** Takes the oldest request that is ready, null if there is none. */
    @Nullable
    Setup poll() {
        Setup oldest;
        synchronized (ready) {
            oldest = ready.poll();
        }
        if (oldest != null) {
            boolean told = false;
            try {
                loop.execute(() -> updateInterest(System.nanoTime()));
                told = true;
            } finally {
                if (!told) {
                    putBack(oldest);
                }
            }
        }
        return oldest;
    }

    /** Has a request be the next one again. */
    void putBack(Setup oldest) {
        synchronized (ready) {
            ready.addFirst(oldest);
        }
    }

    /**
     * Stops, drops who waits, and wakes up the threads that wait; then the address is free. Any thread but the loop's;
     * can be repeated.
     */
    void close() {
        loop.execute(end);
        waiters.sleep(() -> addressFree, Deadline.in(CLOSE_SECONDS, TimeUnit.SECONDS));
    }

    // What fails of it is done when the timer comes.
    private void end() {
        closed = true;
        retryAt(System.nanoTime() + RETRY_NANOS);
        try {
            freeAddress();
        } finally {
            dropAll();
        }
        loop.unwatch(this);
    }

    private void freeAddress() {
        try {
            server.withdraw();
        } finally {
            try {
                loop.closeNow(channel);
            } finally {
                addressFree = !channel.isOpen();
                tell();
            }
        }
    }

    private void dropAll() {
        ConnectionException reason = new ConnectionException("accept", Reason.CLOSED, "the listener was closed", null);
        for (Setup each : halfOpen.all()) {
            each.cancel(reason);
        }
        for (Setup each = take(); each != null; each = take()) {
            each.cancel(reason);
        }
    }

    private @Nullable Setup take() {
        synchronized (ready) {
            return ready.poll();
        }
    }

    @Override
    public void ready(Watch readyWatch, long now) {
        try {
            while (mayAccept(now)) {
                Transport transport = server.accept();
                if (transport == null) {
                    break;
                }
                begin(transport, now);
            }
            updateInterest(now);
        } catch (IOException e) {
            failed(e);
        }
    }

    private boolean mayAccept(long now) {
        return hasRoom() && (!halfOpen.isFull() || halfOpen.nextNanos() - now <= 0);
    }

    private boolean hasRoom() {
        synchronized (ready) {
            return !closed && ready.size() < backlog;
        }
    }

    private void begin(Transport transport, long now) {
        Setup setup = null;
        try {
            makeRoom();
            InetSocketAddress peer = transport.remoteAddress();
            setup = Setup.responder(loop, transport, peer, limits, lingering, this);
            halfOpen.add(setup, peer.getAddress(), now);
            setup.awaitRequest(now + options.get(IwarpOption.HANDSHAKE_TIMEOUT));
        } catch (IOException e) {
            transport.close(false);
            DeferredLog.log(Acceptor.class, System.Logger.Level.DEBUG, "a peer disconnected before it was served", e);
        } catch (Throwable e) {
            if (setup != null) {
                setup.cancel(Setup.DROPPED);
            } else {
                transport.close(false);
            }
            throw e;
        }
    }

    private void makeRoom() {
        Setup next = halfOpen.isFull() ? halfOpen.next() : null;
        if (next != null) {
            // Its request may be here, unread so far.
            next.look();
            if (halfOpen.contains(next)) {
                next.cancel(new ConnectionException(
                        "accept",
                        Reason.CLOSED,
                        "evicted for another peer: no MPA Request arrived before the deadline",
                        null));
            }
        }
    }

    private void retryAt(long nanos) {
        retryNanos = nanos;
        loop.watch(this);
    }

    private void updateInterest(long now) {
        Watch registered = watch;
        if (registered == null || !channel.isOpen()) {
            return;
        }
        boolean may = mayAccept(now);
        registered.interest(may ? Watch.READ : 0);
        if (!may && hasRoom()) {
            retryAt(halfOpen.nextNanos());
        }
    }

    private boolean takesReplyInPieces(Setup setup) {
        return !replyBegins.isEmpty()
                && HexFormat.of().formatHex(setup.startup().peerPrivateData()).startsWith(replyBegins);
    }

    @Override
    public void requestReady(Setup setup) {
        halfOpen.remove(setup);
        if (takesReplyInPieces(setup)) {
            setup.beginReplySoon();
        }
        synchronized (ready) {
            ready.add(setup);
        }
        tell();
    }

    private void tell() {
        waiters.changed();
        readiness.changed();
    }

    @Override
    public void ended(Setup setup, @Nullable ConnectionException failure) {
        halfOpen.remove(setup);
        synchronized (ready) {
            ready.remove(setup);
        }
        if (!closed) {
            updateInterest(System.nanoTime());
        }
        if (failure != null) {
            deviceWatch.notAccepted(setup.peer(), failure, 0);
            // With its stack trace.
            DeferredLog.log(
                    Acceptor.class,
                    System.Logger.Level.DEBUG,
                    "a peer did not complete the connection set-up",
                    failure);
        }
    }

    @Override
    public LoopTimer timer() {
        return timer;
    }

    @Override
    public long deadlineNanos() {
        return retryNanos;
    }

    @Override
    public void timeout(long now) {
        if (closed) {
            end();
            return;
        }
        loop.unwatch(this);
        updateInterest(now);
    }

    /**
     * Out of descriptors or memory, most likely: what is ready stays ready, so it looks again later instead of at once.
     * That passes, and the listener is there for all the peers to come.
     */
    @Override
    public void failed(Throwable cause) {
        Watch registered = watch;
        if (closed) {
            retryAt(System.nanoTime() + RETRY_NANOS);
            DeferredLog.log(Acceptor.class, System.Logger.Level.WARNING, "a listener cannot be closed now", cause);
        } else if (registered == null) {
            broken = true;
            DeferredLog.log(Acceptor.class, System.Logger.Level.ERROR, "a listener cannot be served", cause);
            freeAddress();
        } else if (channel.isOpen()) {
            retryAt(System.nanoTime() + RETRY_NANOS);
            registered.interest(0);
            DeferredLog.log(Acceptor.class, System.Logger.Level.WARNING, "a connection cannot be accepted now", cause);
        }
    }

    @Override
    public boolean logsFailures() {
        return true;
    }
}

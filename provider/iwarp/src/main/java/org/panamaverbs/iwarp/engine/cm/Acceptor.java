package org.panamaverbs.iwarp.engine.cm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.ListenerConfig;
import org.panamaverbs.api.support.LaterLog;
import org.panamaverbs.api.support.Readiness;
import org.panamaverbs.api.watch.DeviceWatch;
import org.panamaverbs.iwarp.core.setup.StartupConfig;
import org.panamaverbs.iwarp.engine.context.EventLoop;
import org.panamaverbs.iwarp.engine.context.IwarpOptions;
import org.panamaverbs.iwarp.engine.context.LoopHandler;
import org.panamaverbs.iwarp.engine.context.LoopTimer;
import org.panamaverbs.iwarp.engine.context.WaitPoint;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.engine.transport.factory.TransportServer;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.memory.Resources;

/**
 * Accepts connections at one address and reads their requests. While the backlog is full of requests it takes nobody;
 * when as many peers as may be half open keep it waiting, the next one takes the place of one of them, as
 * {@link HalfOpenPeers} says. The rest wait in the system's queue. Belongs to the event loop's thread but for the
 * requests that are ready.
 */
public final class Acceptor implements LoopHandler, Handshake.Owner {
    private static final long CLOSE_SECONDS = 10;
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LoopTimer timer = new LoopTimer();
    private final EventLoop loop;
    private final DeviceWatch deviceWatch;
    private final TransportServer server;
    private final Pollable channel;
    private final IwarpOptions options;
    private final int backlog;
    private final StartupConfig limits;
    private final HalfOpenPeers<Handshake> halfOpen;
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
        loop = cm.loop();
        deviceWatch = cm.context().watch();
        options = cm.options();
        this.server = server;
        channel = server.channel();
        backlog = config.backlog();
        limits = Connector.startup(options, ConnectionConfig.defaults());
        halfOpen = new HalfOpenPeers<>(
                options.halfOpen().most(), options.halfOpen().graceNanos());
        lingering =
                new LingeringPeers(options.halfOpen().most(), options.patience().lingerNanos());
    }

    /** Begins to accept. */
    void start() {
        loop.execute(() -> {
            try {
                watch = loop.register(channel, Watch.READ, this);
            } catch (IOException | RuntimeException | Error e) {
                failed(e);
                LaterLog.log(Acceptor.class, System.Logger.Level.ERROR, "a listener cannot be served", e);
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
    Handshake poll() {
        Handshake oldest;
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
    void putBack(Handshake oldest) {
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

    // Each step though one before it failed, and all again, soon, if any did.
    private void end() {
        closed = true;
        Throwable ofTimer = null;
        try {
            loop.unwatch(this);
        } catch (RuntimeException | Error e) {
            ofTimer = e;
        }
        Throwable ofAddress = null;
        try {
            freeAddress();
        } catch (RuntimeException | Error e) {
            ofAddress = e;
        }
        Throwable ofPeers = null;
        try {
            dropAll();
        } catch (RuntimeException | Error e) {
            ofPeers = e;
        }
        if (ofTimer != null || ofAddress != null || ofPeers != null) {
            retryAt(System.nanoTime() + RETRY_NANOS);
        }
        Resources.throwFirst(ofTimer, ofAddress, ofPeers);
    }

    private void freeAddress() {
        Throwable ofHint = null;
        try {
            server.withdraw();
        } catch (RuntimeException | Error e) {
            ofHint = e;
        }
        Throwable ofSocket = null;
        try {
            loop.closeNow(channel);
        } catch (RuntimeException | Error e) {
            ofSocket = e;
        }
        addressFree = !channel.isOpen();
        Throwable ofWaiters = null;
        try {
            tell();
        } catch (RuntimeException | Error e) {
            ofWaiters = e;
        }
        Resources.throwFirst(ofHint, ofSocket, ofWaiters);
    }

    private void dropAll() {
        ConnectionException reason = new ConnectionException("accept", Reason.CLOSED, "the listener was closed", null);
        for (Handshake each : halfOpen.all()) {
            drop(each, reason);
        }
        for (Handshake each = take(); each != null; each = take()) {
            drop(each, reason);
        }
    }

    private static void drop(Handshake each, ConnectionException reason) {
        try {
            each.cancel(reason);
        } catch (RuntimeException | Error e) {
            // The others are dropped all the same, and this one once more, in a task.
            each.drop();
            LaterLog.log(Acceptor.class, System.Logger.Level.ERROR, "a peer of a closed listener cannot be dropped", e);
        }
    }

    private @Nullable Handshake take() {
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
                makeRoomFor(transport, now);
                begin(transport, now);
            }
        } catch (IOException | RuntimeException | Error e) {
            if (!channel.isOpen()) {
                return;
            }
            // Out of descriptors or memory, most likely: what is ready stays ready, so look again later instead of at
            // once. It passes, and the listener is there for all the peers to come.
            retryAt(now + RETRY_NANOS);
            readyWatch.interest(0);
            LaterLog.log(Acceptor.class, System.Logger.Level.WARNING, "a connection cannot be accepted now", e);
            return;
        }
        updateInterest(now);
    }

    private boolean mayAccept(long now) {
        return hasRoom() && (!halfOpen.isFull() || halfOpen.nextNanos() - now <= 0);
    }

    private boolean hasRoom() {
        synchronized (ready) {
            return !closed && ready.size() < backlog;
        }
    }

    private void makeRoomFor(Transport accepted, long now) {
        try {
            makeRoom(now);
        } catch (RuntimeException | Error e) {
            // It belongs to nobody so far.
            try {
                accepted.close(true);
            } catch (RuntimeException | Error also) {
                Resources.suppress(e, also);
            }
            throw e;
        }
    }

    private void makeRoom(long now) {
        while (halfOpen.isFull()) {
            Handshake next = halfOpen.next();
            if (next == null) {
                return;
            }
            // Its request may be here, unread so far.
            next.look(now);
            if (halfOpen.contains(next)) {
                turnAway(next);
            }
        }
    }

    private void turnAway(Handshake peer) {
        try {
            peer.cancel(
                    new ConnectionException("accept", Reason.CLOSED, "its place was needed: no request in time", null));
        } catch (RuntimeException | Error e) {
            if (halfOpen.contains(peer)) {
                throw e;
            }
            // The place is free, and what is left of the peer is ended a moment later.
            LaterLog.log(Acceptor.class, System.Logger.Level.WARNING, "a peer cannot be turned away now", e);
        }
    }

    private void begin(Transport transport, long now) {
        Handshake handshake = null;
        try {
            InetSocketAddress peer = transport.remoteAddress();
            handshake = Handshake.responder(loop, transport, peer, limits, lingering, this);
            halfOpen.add(handshake, peer.getAddress(), now);
            handshake.await(now + options.halfOpen().handshakeNanos());
        } catch (IOException e) {
            transport.close(false);
            LaterLog.log(Acceptor.class, System.Logger.Level.DEBUG, "a peer left before it was served", e);
        } catch (RuntimeException | Error e) {
            try {
                forget(transport, handshake);
            } catch (RuntimeException | Error also) {
                Resources.suppress(e, also);
            }
            throw e;
        }
    }

    private static void forget(Transport transport, @Nullable Handshake handshake) {
        if (handshake != null) {
            // It has the transport, and ends it later if that fails now.
            handshake.cancel(SetupOutcome.DROPPED);
        } else {
            transport.close(false);
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

    @Override
    public void requestReady(Handshake handshake) {
        halfOpen.remove(handshake);
        synchronized (ready) {
            ready.add(handshake);
        }
        tell();
    }

    private void tell() {
        waiters.changed();
        readiness.changed();
    }

    @Override
    public void agreed(Handshake handshake, Transport transport, Watch readyWatch) {
        throw new IllegalStateException("a listener agrees to nothing by itself");
    }

    @Override
    public void ended(Handshake handshake, @Nullable ConnectionException failure) {
        try {
            halfOpen.remove(handshake);
        } finally {
            synchronized (ready) {
                ready.remove(handshake);
            }
        }
        if (!closed) {
            updateInterest(System.nanoTime());
        }
        if (failure != null) {
            deviceWatch.notAccepted(handshake.peer(), failure, 0);
            LaterLog.log(
                    Acceptor.class, System.Logger.Level.DEBUG, "a peer did not get as far as a connection", failure);
        }
    }

    @Override
    public boolean needsRoom() {
        return true;
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

    /** A turn failed for lack of memory, most likely: all connections to come depend on the listener, so it goes on. */
    @Override
    public void failed(Throwable cause) {
        Watch registered = watch;
        if (closed) {
            // Its timer was stopped.
            retryAt(System.nanoTime() + RETRY_NANOS);
        } else if (registered == null) {
            broken = true;
            freeAddress();
        } else if (channel.isOpen()) {
            registered.interest(Watch.READ);
        }
    }
}

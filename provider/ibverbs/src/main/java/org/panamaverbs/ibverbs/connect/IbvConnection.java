package org.panamaverbs.ibverbs.connect;

import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.cm.CmContext;
import org.panamaverbs.ibverbs.cm.CmEvent;
import org.panamaverbs.ibverbs.cm.CmEventType;
import org.panamaverbs.ibverbs.cm.CmId;
import org.panamaverbs.ibverbs.cm.CmTask;
import org.panamaverbs.ibverbs.cm.Negotiated;
import org.panamaverbs.ibverbs.cm.SocketAddresses;
import org.panamaverbs.ibverbs.completion.Drained;
import org.panamaverbs.ibverbs.context.EventTarget;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.EventMember;
import org.panamaverbs.spi.support.EventWriter;
import org.panamaverbs.spi.support.Readiness;
import org.panamaverbs.spi.support.Waits;
import org.panamaverbs.spi.watch.QueuePairWatch;

/** A queue pair that is connected through an id of librdmacm. */
final class IbvConnection extends ManagedResource implements Connection, EventMember, EventTarget {
    private static final EventWriter WRITER = EventWriter.get();
    // rdma_destroy_id of an established id does not wait for the peer.
    private static final long DESTROY_SECONDS = 10;
    // rdma_disconnect does not wait for the peer.
    private static final long TELL_SECONDS = 10;

    // How long a peer that disconnects waits for its answer while what was posted is awaited here.
    private static final long ANSWER_SECONDS = 2;

    private static final System.Logger LOGGER = System.getLogger(IbvConnection.class.getName());

    /** The addresses of both ends. */
    private record Addresses(InetSocketAddress local, InetSocketAddress remote) {}

    private final CmContext manager;
    private final CmId id;
    private final IbvQueuePair queuePair;
    private final boolean owned;
    private final boolean iwarp;
    private final Negotiated negotiated;
    private final byte[] privateData;
    private final String transport;
    private final Addresses addresses;

    private final ReentrantLock lock;
    private final Condition changed;
    private final ManagedResource device;
    private final Readiness readiness;
    // Guarded by lock: how many wait for what was posted.
    private int draining;
    // Guarded by lock.
    private boolean ending;
    private volatile boolean down;
    // Whether this side has begun to end it.
    private volatile boolean asked;
    // Whether a disconnect was begun that an interrupt has left, and that the next one waits for; and whether the peer
    // was told of one.
    private volatile boolean goesOn;
    private volatile boolean told;

    private final Runnable onQueuePairClose;
    // Made before: an end that there is no memory to follow would be lost.
    private final CmTask onRequest;
    private final CmTask onEnd;

    /** Only takes over, so that it cannot fail half-made. */
    private IbvConnection(
            CmContext manager,
            CmId id,
            IbvQueuePair queuePair,
            boolean owned,
            Negotiated negotiated,
            byte[] privateData,
            Addresses addresses) {
        super(
                "connection of " + queuePair.resourceName() + " with " + SocketAddresses.text(addresses.remote()),
                manager.context());
        device = manager.context();
        this.manager = manager;
        this.id = id;
        this.queuePair = queuePair;
        this.owned = owned;
        iwarp = manager.isIwarp();
        this.negotiated = negotiated;
        this.privateData = privateData;
        this.addresses = addresses;
        try {
            transport = manager.transport();
            lock = new ReentrantLock();
            changed = lock.newCondition();
            readiness = new Readiness();
            onQueuePairClose = this::abort;
            onRequest = new CmTask(() -> ended(true));
            onEnd = new CmTask(() -> ended(false));
        } catch (Error e) {
            abandon();
            throw e;
        }
    }

    /**
     * Returns the connection of {@code queuePair}, which was just established on {@code id}, and takes both over.
     *
     * @throws IllegalStateException if the queue pair was closed meanwhile
     */
    static IbvConnection open(
            CmContext manager,
            CmId id,
            IbvQueuePair queuePair,
            boolean owned,
            Negotiated negotiated,
            byte[] privateData) {
        Addresses addresses = new Addresses(manager.localAddress(id), manager.remoteAddress(id));
        IbvConnection connection = new IbvConnection(manager, id, queuePair, owned, negotiated, privateData, addresses);
        boolean watched = false;
        try {
            // A queue pair that is closed says nothing to the peer; on iWARP the kernel does, but once is enough.
            queuePair.beforeClose(connection.onQueuePairClose);
            queuePair.requireOpen(); // else it may not have seen that
            id.deliverTo(connection, (reachable, event) -> {
                // On the thread that takes events, which must not wait.
                reachable.heard(event);
                // The queue pair refers to the connection, so that this must not refer to it otherwise.
                reachable.manager.tell(event.type(), reachable.queuePair, reachable.resourceName());
                if (event.type().isEnd()) {
                    boolean request = event.type() == CmEventType.DISCONNECTED;
                    reachable.manager.channel().execute(request ? reachable.onRequest : reachable.onEnd);
                }
            });
            manager.context().objects().register(id.pointer(), connection);
            watched = true;
            return connection;
        } finally {
            if (!watched) {
                connection.closeOrLeave();
            }
        }
    }

    /** Takes note of what an end says of itself, unless this side asked for it. */
    private void heard(CmEvent event) {
        if (event.type().isEnd() && !asked) {
            failed(EndCause.of(event, queuePair.context().device()), QueuePairWatch.EndedBy.CONNECTION);
        }
    }

    /** Hears of the loss of the device, which the connection manager may tell later or never. */
    @Override
    public void raised(AsyncEvent.Type type) {
        if (isOpen()) {
            manager.channel().execute(onEnd);
        }
    }

    @Override
    public String told(AsyncEvent.Type type) {
        return resourceName();
    }

    private void failed(String cause, QueuePairWatch.EndedBy by) {
        // Taken through RESET, the queue pair may be another connection's by now.
        if (!cause.isEmpty() && queuePair.isConnectedFor(onQueuePairClose)) {
            queuePair.watch().failed(cause, by);
        }
    }

    @Override
    public QueuePair queuePair() {
        return queuePair;
    }

    @Override
    public InetSocketAddress localAddress() {
        return addresses.local();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return addresses.remote();
    }

    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public int responderResources() {
        return negotiated.responderResources();
    }

    @Override
    public int initiatorDepth() {
        return negotiated.initiatorDepth();
    }

    @Override
    public int peerInitiatorDepth() {
        return negotiated.peerInitiatorDepth();
    }

    @Override
    public int peerResponderResources() {
        return negotiated.peerResponderResources();
    }

    @Override
    public String transport() {
        return transport;
    }

    @Override
    public boolean isConnected() {
        return !down
                && isOpen()
                && queuePair.isConnectedFor(onQueuePairClose)
                && queuePair.entered() == QueuePairState.RTS;
    }

    /**
     * {@inheritDoc}
     *
     * <p>What was posted is awaited by its last completion, or by a marker behind it in the send queue: on InfiniBand
     * and RoCE where the last request was unsignaled, on iWARP always. The marker needs no right of the peer, except
     * where the device has no memory windows of type 1: a peer that does not grant Writes fails there when the marker
     * comes, so that what it has outstanding is flushed. Then the peer is told; on InfiniBand and RoCE it has to
     * answer, which its connection manager does at once. A peer that disconnects first is answered there when all has
     * completed, or after two seconds: it may have aborted. That the connection failed is known by a completion with an
     * error, an asynchronous event of the queue pair, or, on iWARP, the end of the stream, while the marker is awaited.
     * On iWARP a request is complete when the device has it; what becomes of it after the marker no driver tells.
     */
    @Override
    public void disconnect(Deadline deadline) {
        requireOpen();
        // An end of the peer after an interrupt is judged as one that came while this waited, unless nothing was left.
        if (down && (!goesOn || told || endedInOrder())) {
            return;
        }
        asked = true;
        queuePair.watch().endsHere(true);
        boolean failedBefore = !goesOn && queuePair.entered() == QueuePairState.ERROR;
        goesOn = true;
        Drained drained;
        try {
            drained = told ? Drained.DONE : drain(failedBefore, deadline);
        } catch (ConnectionException reset) {
            goesOn = false;
            abort();
            throw reset;
        }
        if (drained == Drained.INTERRUPTED) {
            throw Waits.interrupted(
                    "disconnect",
                    "requests posted on " + resourceName()
                            + " to complete; remedy: call disconnect again, or close the connection");
        }
        if (down) {
            queuePair.watch().ended(); // which was put off until it was known what came of it
        }
        if (drained != Drained.LATE && !told) {
            told = true;
            tellPeer(deadline);
        }
        boolean late = drained == Drained.LATE || !awaitDown("disconnect", deadline);
        goesOn = false;
        if (late) {
            abort();
            throw queuePair
                    .watch()
                    .named(new DeadlineExceededException(
                            "disconnect",
                            resourceName() + " was not down before the deadline: "
                                    + (drained == Drained.LATE
                                            ? "posted requests did not complete"
                                            : "the peer did not answer")
                                    + "; it was aborted"));
        }
    }

    /** Tells whether the peer left nothing unfinished when it ended the connection, which is told by now then. */
    private boolean endedInOrder() {
        // Taken through RESET, the queue pair may be another connection's by now.
        if (!queuePair.isConnectedFor(onQueuePairClose)) {
            return true;
        }
        boolean all = queuePair.allSucceeded();
        if (all) {
            queuePair.watch().ended();
        }
        return all;
    }

    private ConnectionException reset() {
        ConnectionException reset = queuePair
                .watch()
                .named(new ConnectionException(
                        "disconnect",
                        ConnectionException.Reason.RESET,
                        resourceName()
                                + " failed before its end; posted data may not have arrived, even if its requests"
                                + " completed successfully: the failed completions show the cause",
                        null));
        queuePair.watch().failed(String.valueOf(reset.getMessage()), QueuePairWatch.EndedBy.CONNECTION);
        return reset;
    }

    /**
     * Waits for what was posted; a peer that asks to disconnect meanwhile is answered afterwards, if it is not long.
     * What came of it is known before the end is told.
     */
    private Drained drain(boolean failedBefore, Deadline deadline) {
        draining(1);
        try {
            Drained drained = queuePair.drain(deadline);
            if (drained == Drained.INTERRUPTED) {
                asked = told; // whoever ends it from here on
            }
            if (drained == Drained.FAILED && !failedBefore) {
                throw reset();
            }
            return drained;
        } finally {
            draining(-1);
        }
    }

    private void draining(int more) {
        lock.lock();
        try {
            draining += more;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Taken take(Event event) {
        if (!isOpen() || !down) {
            return Taken.NOTHING;
        }
        WRITER.disconnected(event, this);
        return Taken.LAST;
    }

    @Override
    public Readiness readiness() {
        return readiness;
    }

    @Override
    public ManagedResource device() {
        return device;
    }

    @Override
    protected void release() {
        readiness.closed();
    }

    @Override
    public boolean awaitDisconnect(Deadline deadline) {
        requireOpen();
        return awaitDown("awaitDisconnect", deadline);
    }

    /**
     * Not what is done once: nobody else could close a queue pair of its own that was not destroyed. That comes after
     * the id, since drivers keep a queue pair that one refers to.
     */
    @Override
    protected void destroy() {
        manager.context().objects().forget(id.pointer(), this);
        try {
            abort();
        } finally {
            id.end(resourceName(), DESTROY_SECONDS);
            if (owned) {
                queuePair.close();
            }
        }
    }

    /** Sends the peer the request to disconnect, or the answer to its own. */
    private void tellPeer(Deadline deadline) {
        try {
            // EINVAL says that the connection is down already.
            id.performInterruptibly(arena -> CmCalls.DISCONNECT.status(id.pointer()), deadline);
        } catch (InterruptedException e) {
            throw Waits.interrupted(
                    "disconnect",
                    "rdma_disconnect of " + resourceName()
                            + "; remedy: call disconnect again, or close the connection");
        } catch (IllegalStateException e) {
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "the connection was aborted at the same time, which informs the peer, too",
                    e);
        }
    }

    /**
     * Hears of the end, which is the peer's request to disconnect or that of the device. Whatever fails of what is to
     * be done then, the connection is down.
     */
    private void ended(boolean request) {
        try {
            // On InfiniBand and RoCE a peer that waits for its answer still takes what is sent, one that aborts does
            // not, and both ask alike. A stream is at its end.
            if (request && !iwarp) {
                awaitDrained(Deadline.in(ANSWER_SECONDS, TimeUnit.SECONDS));
            }
        } finally {
            peerDisconnected();
        }
    }

    private void awaitDrained(Deadline deadline) {
        lock.lock();
        try {
            Waits.uninterruptibly(() -> draining == 0, deadline, changed);
        } finally {
            lock.unlock();
        }
    }

    private void peerDisconnected() {
        lock.lock();
        try {
            if (ending) {
                return;
            }
            ending = true;
        } finally {
            lock.unlock();
        }
        try {
            // Taken through RESET, the queue pair may be another connection's by now.
            if (queuePair.isConnectedFor(onQueuePairClose)) {
                if (!asked) {
                    failed(EndCause.unfinished(queuePair.unfinished()), QueuePairWatch.EndedBy.PEER);
                }
                queuePair.fail();
            }
        } finally {
            try {
                tellPeer(Deadline.in(TELL_SECONDS, TimeUnit.SECONDS));
            } finally {
                markDown();
            }
        }
    }

    private void abort() {
        lock.lock();
        try {
            queuePair.watch().endsHere(!ending);
            ending = true; // what the peer does now changes nothing any more
        } finally {
            lock.unlock();
        }
        try {
            boolean its = queuePair.isConnectedFor(onQueuePairClose);
            if (queuePair.takeBack(onQueuePairClose) && its) {
                queuePair.fail();
            }
        } finally {
            try {
                id.destroy();
            } finally {
                markDown();
            }
        }
    }

    private void markDown() {
        lock.lock();
        try {
            if (draining == 0) {
                queuePair.watch().ended();
            }
            down = true;
            changed.signalAll();
            readiness.changed();
        } finally {
            lock.unlock();
        }
    }

    private boolean awaitDown(String operation, Deadline deadline) {
        lock.lock();
        try {
            return down || Waits.interruptibly(() -> down, deadline, changed);
        } catch (InterruptedException e) {
            throw Waits.interrupted(operation, "the end of " + resourceName());
        } finally {
            lock.unlock();
        }
    }
}

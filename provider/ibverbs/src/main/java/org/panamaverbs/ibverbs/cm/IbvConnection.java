package org.panamaverbs.ibverbs.cm;

import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.TerminateCause;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.objects.IbvQueuePair;
import org.panamaverbs.memory.ManagedResource;

/** A queue pair that is connected through an id of librdmacm. */
final class IbvConnection extends ManagedResource implements Connection {
    // rdma_destroy_id of an established id does not wait for the peer.
    private static final long DESTROY_SECONDS = 10;
    // rdma_disconnect does not wait for the peer.
    private static final long TELL_SECONDS = 10;

    private static final System.Logger LOGGER = System.getLogger(IbvConnection.class.getName());

    private final CmId id;
    private final IbvQueuePair queuePair;
    private final boolean owned;
    private final Negotiated negotiated;
    private final byte[] privateData;
    private final String transport;
    private final InetSocketAddress local;
    private final InetSocketAddress remote;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private boolean ending;
    private volatile boolean down;

    private final Runnable onQueuePairClose = this::abort;

    /** Only takes over, so that it cannot fail half-made. */
    private IbvConnection(
            IbvConnectionManager manager,
            CmId id,
            IbvQueuePair queuePair,
            boolean owned,
            Negotiated negotiated,
            byte[] privateData,
            InetSocketAddress local,
            InetSocketAddress remote) {
        super("connection of " + queuePair.resourceName() + " with " + SocketAddresses.text(remote), manager.context());
        this.id = id;
        this.queuePair = queuePair;
        this.owned = owned;
        this.negotiated = negotiated;
        this.privateData = privateData;
        this.local = local;
        this.remote = remote;
        transport = manager.transport();
    }

    /**
     * Returns the connection of {@code queuePair}, which was just established on {@code id}, and takes both over.
     *
     * @throws IllegalStateException if the queue pair was closed meanwhile
     */
    static IbvConnection open(
            IbvConnectionManager manager,
            CmId id,
            IbvQueuePair queuePair,
            boolean owned,
            Negotiated negotiated,
            byte[] privateData) {
        InetSocketAddress local = manager.localAddress(id);
        InetSocketAddress remote = manager.remoteAddress(id);
        IbvConnection connection =
                new IbvConnection(manager, id, queuePair, owned, negotiated, privateData, local, remote);
        boolean watched = false;
        try {
            // A queue pair that is closed says nothing to the peer; on iWARP the kernel does, but once is enough.
            queuePair.beforeClose(connection.onQueuePairClose);
            queuePair.requireOpen(); // else it may not have seen that
            id.deliverTo(event -> {
                // On the thread that takes events, which must not wait.
                if (event.type().isEnd()) {
                    manager.channel().execute(connection::peerDisconnected);
                }
            });
            watched = true;
            return connection;
        } finally {
            if (!watched) {
                connection.close();
            }
        }
    }

    @Override
    public QueuePair queuePair() {
        return queuePair;
    }

    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return remote;
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
    public String transport() {
        return transport;
    }

    @Override
    public boolean isConnected() {
        return !down
                && isOpen()
                && queuePair.isConnectedFor(onQueuePairClose)
                && queuePair.state() == QueuePairState.RTS;
    }

    @Override
    public Optional<TerminateCause> terminateCause() {
        return queuePair.terminateCause();
    }

    /**
     * {@inheritDoc}
     *
     * <p>What was posted is awaited by a marker behind it in the send queue. Then the peer is told; on InfiniBand and
     * RoCE it has to answer, which its connection manager does at once.
     */
    @Override
    public void disconnect(Deadline deadline) {
        requireOpen();
        if (down) {
            return;
        }
        boolean drained = queuePair.drain(deadline);
        if (drained) {
            tellPeer();
        }
        if (!drained || !awaitDown(deadline)) {
            abort();
            throw new DeadlineExceededException(
                    "disconnect",
                    resourceName() + " was not down in time: "
                            + (drained ? "the peer did not answer" : "what was posted did not complete")
                            + "; it was aborted");
        }
    }

    @Override
    public boolean awaitDisconnect(Deadline deadline) {
        requireOpen();
        return awaitDown(deadline);
    }

    @Override
    protected void release() {
        try {
            abort();
            id.awaitDestroyed(DESTROY_SECONDS);
        } finally {
            if (owned) {
                queuePair.close();
            }
        }
    }

    /** Sends the peer the request to disconnect, or the answer to its own. */
    private void tellPeer() {
        try {
            // EINVAL says that the connection is down already.
            id.perform(arena -> CmCalls.DISCONNECT.status(id.pointer()), Deadline.in(TELL_SECONDS, TimeUnit.SECONDS));
        } catch (IllegalStateException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "the connection was aborted meanwhile, which tells the peer too", e);
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
                queuePair.fail();
            }
            tellPeer();
        } finally {
            markDown();
        }
    }

    private void abort() {
        lock.lock();
        try {
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
            id.destroy();
            markDown();
        }
    }

    private void markDown() {
        lock.lock();
        try {
            down = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean awaitDown(Deadline deadline) {
        boolean interrupted = false;
        lock.lock();
        try {
            while (!down) {
                long left = deadline.remainingNanos();
                if (left == 0) {
                    return false;
                }
                try {
                    changed.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return true;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

package org.panamaverbs.local.objects;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.statistics.Counter;
import org.panamaverbs.api.statistics.QueuePairStatistics;
import org.panamaverbs.api.support.Readiness;
import org.panamaverbs.api.watch.QueuePairWatch;
import org.panamaverbs.local.context.Device;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.local.context.OpenDevice;
import org.panamaverbs.local.work.LocalSendQueue;
import org.panamaverbs.local.work.Pieces;
import org.panamaverbs.local.work.ReceiveRing;
import org.panamaverbs.local.work.SendPlaces;
import org.panamaverbs.local.work.SendRequest;
import org.panamaverbs.memory.ManagedResource;

/**
 * A queue pair: what is posted to it is carried out by the post. Its state is guarded by the lock of {@link Fabric}.
 */
public final class LocalQueuePair extends LocalSendQueue
        implements QueuePair, LocalBatch.Requester, LocalCompletionQueue.User {
    private final int number = Fabric.nextNumber();
    private final OpenDevice device;
    private final LocalCompletionQueue sendQueue;
    private final LocalCompletionQueue receiveQueue;
    private final @Nullable LocalSharedReceiveQueue shared;
    private final QueuePairConfig config;
    private final ReceiveRing receives;
    private final Responder responder;
    private final SendRequest place;
    private final SendPlaces places;
    private final Lifetime lifetime;
    private final LocalBatch batch;
    private final QueuePairWatch watch;
    private final Readiness readiness = new Readiness();
    private QueuePairState state = QueuePairState.INIT;
    /** Reads and Atomics that may be outstanding; agreed when it is connected. */
    private int initiatorDepth;
    /** What the end of this queue pair ends, while another thread waits to be connected. */
    private @Nullable Runnable attempt;
    /** The other end of the connection, up or down; null before. */
    private @Nullable LocalQueuePair peer;

    LocalQueuePair(
            OpenDevice device,
            ManagedResource domain,
            LocalCompletionQueue sendQueue,
            LocalCompletionQueue receiveQueue,
            @Nullable LocalSharedReceiveQueue shared,
            QueuePairConfig config) {
        this.device = device;
        this.sendQueue = sendQueue;
        this.receiveQueue = receiveQueue;
        this.shared = shared;
        this.config = config;
        receives = new ReceiveRing(config.maxRecvWr(), config.maxRecvSge());
        responder = new Responder(this, device, receiveQueue, receives, shared);
        place = new SendRequest(config);
        places = new SendPlaces(config.maxSendWr());
        List<ManagedResource> parents = new ArrayList<>(List.of(domain, sendQueue));
        if (receiveQueue != sendQueue) {
            parents.add(receiveQueue);
        }
        if (shared != null) {
            parents.add(shared);
        }
        lifetime = new Lifetime(parents.toArray(ManagedResource[]::new));
        batch = new LocalBatch(lifetime, config, device.regions(), this);
        watch = device.watch().queuePair(number, this);
        synchronized (Fabric.LOCK) {
            sendQueue.addUser(this);
            receiveQueue.addUser(this);
        }
        device.watch().add(watch);
    }

    /** What others refuse to close before. */
    private final class Lifetime extends ManagedResource {
        Lifetime(ManagedResource... parents) {
            super("queue pair " + number, parents);
        }

        @Override
        protected void destroy() {
            ended();
        }
    }

    public OpenDevice device() {
        return device;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairConfig config() {
        return config;
    }

    @Override
    public QueuePairState state() {
        synchronized (Fabric.LOCK) {
            return state;
        }
    }

    /** Returns what those who watch it are told by. */
    public QueuePairWatch watch() {
        return watch;
    }

    /** Returns the sends, which are done as soon as they are posted: it keeps no other numbers. */
    @Override
    public QueuePairStatistics statistics() {
        synchronized (Fabric.LOCK) {
            long sends = places.taken();
            return QueuePairStatistics.builder(number)
                    .connection(
                            lifetime.isOpen() ? state.name() : "CLOSED",
                            watch.peer(),
                            watch.carrier(),
                            watch.transport())
                    .set(Counter.SENDS_POSTED, sends)
                    .set(Counter.SENDS_COMPLETED, sends)
                    .set(Counter.SEND_CAPACITY, config.maxSendWr())
                    .build();
        }
    }

    @Override
    public Batch batch() {
        return batch;
    }

    @Override
    public void modify(QueuePairAttributes attributes) {
        requireOpen();
        if (!attributes.state().equals(Optional.of(QueuePairState.ERROR))) {
            throw new UnsupportedOperationException("device " + Device.NAME
                    + " changes queue pairs by hand to state ERROR alone, not to " + attributes);
        }
        synchronized (Fabric.LOCK) {
            requireOpen();
            fail();
        }
    }

    @Override
    public QueuePairAttributes query() {
        requireOpen();
        return QueuePairAttributes.to(state());
    }

    @Override
    public String toString() {
        return lifetime.toString();
    }

    @Override
    public void close() {
        lifetime.close();
    }

    private void requireOpen() {
        lifetime.requireOpen();
    }

    @Override
    protected SendRequest place() {
        requireOpen();
        return place;
    }

    @Override
    protected int take(SendRequest request) {
        int status = admit(request, 0);
        if (status == PostStatus.ACCEPTED) {
            carryOut(request);
        }
        return status;
    }

    @Override
    public int admit(SendRequest request, int collected) {
        Pieces local = request.local;
        if (request.isMalformed()) {
            return PostStatus.INVALID;
        }
        if (state == QueuePairState.INIT) {
            return PostStatus.NOT_CONNECTED;
        }
        if (initiatorDepth == 0 && request.isAnswered()) {
            return PostStatus.NO_INITIATOR_DEPTH;
        }
        if (local.count() > config.maxSendSge()) {
            return PostStatus.TOO_MANY_SEGMENTS;
        }
        if (request.has(SendFlag.INLINE) && local.totalBytes() > config.maxInlineBytes()) {
            return PostStatus.INLINE_TOO_LONG;
        }
        if (local.totalBytes() > Device.CAPABILITIES.maxMessageBytes()) {
            return PostStatus.MESSAGE_TOO_LONG;
        }
        if (!places.hasRoom(collected)) {
            return PostStatus.QUEUE_FULL;
        }
        return local.isGone() ? PostStatus.INVALID : PostStatus.ACCEPTED;
    }

    @Override
    public void carryOut(SendRequest request) {
        long sequence = places.take();
        WcStatus status = statusOf(request);
        if (status != WcStatus.SUCCESS || config.signalAll() || request.has(SendFlag.SIGNALED)) {
            sendQueue
                    .next()
                    .of(this, request.wrId, status, request.completes(), request.local.totalBytes())
                    .freeing(places, sequence);
            sendQueue.publish(false);
        }
        if (status != WcStatus.SUCCESS) {
            fail();
        }
    }

    /** Has the peer carry out {@code request}, if it is connected, and returns what came of it. */
    private WcStatus statusOf(SendRequest request) {
        if (state != QueuePairState.RTS || peer == null) {
            return WcStatus.WR_FLUSH_ERROR;
        }
        return request.resolveLocal(device.regions(), config.domain())
                ? peer.responder.carryOut(request)
                : WcStatus.LOCAL_PROTECTION_ERROR;
    }

    @Override
    public int postRecv(long wrId, long address, long length, int lkey) {
        synchronized (Fabric.LOCK) {
            requireOwnReceives();
            return posted(receives.post(wrId, address, length, lkey));
        }
    }

    @Override
    public int postRecv(long wrId, SgList list) {
        synchronized (Fabric.LOCK) {
            requireOwnReceives();
            return posted(receives.post(wrId, list));
        }
    }

    @Override
    public int postRecv(ReceiveList list, int first, int count) {
        synchronized (Fabric.LOCK) {
            requireOwnReceives();
            Objects.checkFromIndexSize(first, count, list.count());
            int taken = receives.post(list, first, count);
            if (taken > 0) {
                posted(PostStatus.ACCEPTED);
            }
            return taken;
        }
    }

    private void requireOwnReceives() {
        requireOpen();
        if (shared != null) {
            throw new IllegalStateException(this + " uses a shared receive queue: post its receives there");
        }
    }

    private int posted(int status) {
        if (status == PostStatus.ACCEPTED && state == QueuePairState.ERROR) {
            responder.flush();
        }
        return status;
    }

    /** Goes to the error state, as the peer does: the connection is down, receives are flushed. */
    @Override
    public void fail() {
        if (state == QueuePairState.ERROR) {
            return;
        }
        state = QueuePairState.ERROR;
        readiness.changed();
        responder.flush();
        watch.ended();
        if (peer != null) {
            peer.fail();
            Fabric.LOCK.notifyAll();
        }
    }

    /**
     * Does nothing if it can be connected.
     *
     * @throws IllegalStateException if it is closed, not in state INIT or being connected
     */
    public void requireConnectable() {
        requireOpen();
        if (state != QueuePairState.INIT || attempt != null) {
            throw new IllegalStateException(this + " cannot be connected: it is "
                    + (attempt == null ? "in state " + state + ", make another" : "being connected"));
        }
    }

    /** Has closing this run {@code newAttempt}, which ends the attempt to connect; null when that is over. */
    public void connecting(@Nullable Runnable newAttempt) {
        attempt = newAttempt;
    }

    /**
     * Connects this queue pair with {@code other}, which can be connected as this can.
     *
     * @param depth Reads and Atomics that may be outstanding from here
     * @param otherDepth the same of the other
     */
    public void connect(LocalQueuePair other, int depth, int otherDepth) {
        peer = other;
        initiatorDepth = depth;
        state = QueuePairState.RTS;
        other.peer = this;
        other.initiatorDepth = otherDepth;
        other.state = QueuePairState.RTS;
    }

    /** Returns what says that it is connected no longer. */
    public Readiness readiness() {
        return readiness;
    }

    /** Tells whether it is connected, until one of both ends fails or is closed. */
    public boolean isConnected() {
        return state == QueuePairState.RTS;
    }

    private void ended() {
        synchronized (Fabric.LOCK) {
            if (attempt != null) {
                attempt.run();
            }
            // What was posted is gone without completions.
            receives.clear();
            fail();
            sendQueue.removeUser(this);
            receiveQueue.removeUser(this);
        }
        device.watch().remove(watch);
    }
}

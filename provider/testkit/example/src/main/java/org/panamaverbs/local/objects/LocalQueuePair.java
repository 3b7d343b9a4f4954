package org.panamaverbs.local.objects;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.local.context.Device;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.local.context.OpenDevice;
import org.panamaverbs.local.work.LocalSendQueue;
import org.panamaverbs.local.work.Pieces;
import org.panamaverbs.local.work.ReceiveRequest;
import org.panamaverbs.local.work.ReceiveRing;
import org.panamaverbs.local.work.SendRequest;
import org.panamaverbs.memory.ManagedResource;

/**
 * A queue pair: what is posted to it is carried out by the post. Its state is guarded by the lock of {@link Fabric}.
 */
public final class LocalQueuePair extends LocalSendQueue implements QueuePair {
    private static final int KNOWN_FLAGS = SendFlag.FENCE | SendFlag.SIGNALED | SendFlag.SOLICITED | SendFlag.INLINE;

    private final int number = Fabric.nextNumber();
    private final OpenDevice device;
    private final LocalProtectionDomain domain;
    private final LocalCompletionQueue sendQueue;
    private final LocalCompletionQueue receiveQueue;
    private final @Nullable LocalSharedReceiveQueue shared;
    private final QueuePairConfig config;
    private final ReceiveRing receives;
    private final SendRequest place;
    private final LocalBatch batch = new LocalBatch(this);
    private final Lifetime lifetime;
    private QueuePairState state = QueuePairState.INIT;
    /** What the end of this queue pair ends, while another thread waits to be connected. */
    private @Nullable Runnable attempt;
    /** The connection, up or down; null before. */
    private @Nullable Wire wire;
    /**
     * How many sends were posted, and up to which a completion was polled: what is between has a place in the queue.
     */
    private long posted;

    private long freed;

    LocalQueuePair(
            LocalProtectionDomain domain,
            LocalCompletionQueue sendQueue,
            LocalCompletionQueue receiveQueue,
            @Nullable LocalSharedReceiveQueue shared,
            QueuePairConfig config) {
        this.device = domain.device();
        this.domain = domain;
        this.sendQueue = sendQueue;
        this.receiveQueue = receiveQueue;
        this.shared = shared;
        this.config = config;
        receives = new ReceiveRing(config.maxRecvWr(), config.maxRecvSge());
        place = newPlace();
        List<ManagedResource> parents = new ArrayList<>(List.of(domain, sendQueue));
        if (receiveQueue != sendQueue) {
            parents.add(receiveQueue);
        }
        if (shared != null) {
            parents.add(shared);
        }
        lifetime = new Lifetime(parents.toArray(ManagedResource[]::new));
        synchronized (Fabric.LOCK) {
            sendQueue.addUser(this);
            receiveQueue.addUser(this);
        }
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

    LocalProtectionDomain domain() {
        return domain;
    }

    SendRequest newPlace() {
        return new SendRequest(config.maxSendSge(), config.maxInlineBytes());
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

    @Override
    public Batch batch() {
        return batch;
    }

    @Override
    public void modify(QueuePairAttributes attributes) {
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

    void requireOpen() {
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

    /** Returns whether {@code request} can be posted behind {@code collected} others that are not posted yet. */
    int admit(SendRequest request, int collected) {
        Feature feature = request.feature();
        if (feature != null) {
            Device.LIMITS.require(feature);
        }
        Pieces local = request.local;
        if ((request.flags & ~KNOWN_FLAGS) != 0 || local.totalBytes() < 0) {
            return PostStatus.INVALID;
        }
        if (state == QueuePairState.INIT) {
            return PostStatus.NOT_CONNECTED;
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
        return posted + collected - freed < config.maxSendWr() ? PostStatus.ACCEPTED : PostStatus.QUEUE_FULL;
    }

    /** Carries out {@code request}, which was admitted. */
    void carryOut(SendRequest request) {
        long sequence = posted++;
        Wire up = state == QueuePairState.RTS ? wire : null;
        WcStatus status = up == null ? WcStatus.WR_FLUSH_ERROR : Transfer.carryOut(this, up.other(this), request);
        if (status != WcStatus.SUCCESS || config.signalAll() || request.has(SendFlag.SIGNALED)) {
            sendQueue
                    .next()
                    .of(this, request.wrId, status, request.completes(), request.local.totalBytes())
                    .freeing(sequence);
            sendQueue.publish(false);
        }
        if (status != WcStatus.SUCCESS) {
            fail();
        }
    }

    /** Frees the places of the sends up to {@code sequence}, whose completion was polled. */
    void free(long sequence) {
        freed = Math.max(freed, sequence + 1);
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
            throw new IllegalStateException(this + " takes its receives from " + shared + ": post them there");
        }
    }

    private int posted(int status) {
        if (status == PostStatus.ACCEPTED && state == QueuePairState.ERROR) {
            flushReceives();
        }
        return status;
    }

    /** Returns the receive that a message takes, null if there is none. */
    @Nullable
    ReceiveRequest takeReceive() {
        return shared == null ? receives.take() : shared.take();
    }

    /** Returns the completion of {@code receive}, to be filled further and published by {@link #receiveQueue()}. */
    LocalCompletionQueue.Entry received(ReceiveRequest receive, WcStatus status, WcOpcode opcode, long byteCount) {
        return receiveQueue.next().of(this, receive.wrId, status, opcode, byteCount);
    }

    LocalCompletionQueue receiveQueue() {
        return receiveQueue;
    }

    private void flushReceives() {
        for (ReceiveRequest receive = receives.take(); receive != null; receive = receives.take()) {
            received(receive, WcStatus.WR_FLUSH_ERROR, WcOpcode.RECV, 0);
            receiveQueue.publish(false);
        }
    }

    /** Tells the application that a request of the peer was refused. */
    void refused(AsyncEvent.Type type, String detail) {
        device.raise(new AsyncEvent(type, this, detail));
    }

    /** Goes to the error state: the connection is down, receives are flushed. */
    public void fail() {
        if (state == QueuePairState.ERROR) {
            return;
        }
        state = QueuePairState.ERROR;
        flushReceives();
        if (wire != null) {
            wire.down();
        }
    }

    /** Tells whether both directions are open. */
    boolean isReady() {
        return state == QueuePairState.RTS;
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

    public void connected(Wire newWire) {
        wire = newWire;
        state = QueuePairState.RTS;
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
    }
}

package org.panamaverbs.spi.software;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.CompletionQueue;
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
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.device.Counter;
import org.panamaverbs.api.device.QueuePairStatistics;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.Ours;
import org.panamaverbs.spi.support.Readiness;
import org.panamaverbs.spi.watch.QueuePairWatch;

/**
 * A queue pair of a {@link SoftwareDevice}: checks posts, has the provider carry them out at once, and completes them.
 * {@link SoftwareDevice#lock()} guards its state, and is held when the provider's methods are called.
 */
public abstract class SoftwareQueuePair extends SendForms implements QueuePair {
    private final int number = SoftwareDevice.nextNumber();
    private final SoftwareDevice device;
    private final SoftwareCompletionQueue sendQueue;
    private final SoftwareCompletionQueue receiveQueue;
    private final @Nullable SoftwareSharedReceiveQueue shared;
    private final QueuePairConfig config;
    /** What the peer may do, a mask of {@link Access#bit}. */
    private final int peerRights;

    private final ReceiveRing receives;
    private final SendRequest place;
    private final SendPlaces places;
    private final Lifetime lifetime;
    private final SoftwareBatch batch;
    private final QueuePairWatch watch;
    private final Readiness readiness = new Readiness();
    private QueuePairState state = QueuePairState.INIT;
    /** Reads and Atomics that may be outstanding; agreed when it is connected. */
    private int initiatorDepth;
    /** What the end of this queue pair ends, while another thread waits to be connected. */
    private @Nullable Runnable attempt;

    /**
     * Creates a queue pair of {@code domain}.
     *
     * @throws IllegalArgumentException if {@code config} names objects of another device or domain, or exceeds the
     *     capabilities
     * @throws UnsupportedOperationException if the device lacks a feature that {@code config} needs
     */
    @SuppressWarnings("this-escape") // to its batch and the watch, which do not use it yet
    protected SoftwareQueuePair(SoftwareDomain domain, QueuePairConfig config) {
        super(domain.device());
        this.device = domain.device();
        this.config = config;
        peerRights = Access.mask(config.access());
        domain.requireOwn(config);
        device.limits().check(config);
        shared = Ours.orNull(
                "shared receive queue",
                config.srq(),
                SoftwareSharedReceiveQueue.class,
                SoftwareSharedReceiveQueue::domain,
                domain);
        sendQueue = own(config.sendCq());
        receiveQueue = own(config.recvCq());
        receives = new ReceiveRing(config.maxRecvWr(), config.maxRecvSge());
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
        batch = new SoftwareBatch(this);
        watch = device.watch().queuePair(number, this);
        synchronized (device.lock()) {
            sendQueue.addUser(this);
            receiveQueue.addUser(this);
        }
        device.watch().add(watch);
    }

    private SoftwareCompletionQueue own(CompletionQueue queue) {
        return Ours.of(
                "completion queue", queue, SoftwareCompletionQueue.class, SoftwareCompletionQueue::device, device);
    }

    /**
     * Carries {@code request} out at the peer. The queue pair is connected, and the requester's memory was checked.
     *
     * @return the status of the completion; unless it is success, the queue pair fails
     */
    protected abstract WcStatus carryOut(SendRequest request);

    /** Fails the peer as well, since this queue pair has failed. Called once. */
    protected abstract void failed();

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

    /** Returns the device. */
    public final SoftwareDevice device() {
        return device;
    }

    @Override
    public final int number() {
        return number;
    }

    @Override
    public final QueuePairConfig config() {
        return config;
    }

    @Override
    public final QueuePairState state() {
        synchronized (device.lock()) {
            return state;
        }
    }

    /** Returns the queue pair's reports to monitoring. */
    public final QueuePairWatch watch() {
        return watch;
    }

    /** Returns the sends, which are done as soon as they are posted: it keeps no other numbers. */
    @Override
    public final QueuePairStatistics statistics() {
        device.limits().require(Feature.STATISTICS);
        synchronized (device.lock()) {
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
    public final Batch batch() {
        return batch;
    }

    @Override
    public final void modify(QueuePairAttributes attributes) {
        requireOpen();
        if (!attributes.state().equals(Optional.of(QueuePairState.ERROR))) {
            throw new UnsupportedOperationException("modify " + this + ": queue pairs of device "
                    + device.limits().device() + " can be set to state ERROR only, got " + attributes
                    + "; remedy: use connect, or provider ibverbs");
        }
        synchronized (device.lock()) {
            requireOpen();
            fail();
        }
    }

    @Override
    public final QueuePairAttributes query() {
        requireOpen();
        return QueuePairAttributes.to(state());
    }

    @Override
    public final String toString() {
        return lifetime.toString();
    }

    @Override
    public final void close() {
        lifetime.close();
    }

    final void requireOpen() {
        lifetime.requireOpen();
    }

    @Override
    final SendRequest place() {
        requireOpen();
        return place;
    }

    @Override
    final int take(SendRequest request) {
        int status = admit(request, 0);
        if (status == PostStatus.ACCEPTED) {
            execute(request);
        }
        return status;
    }

    /** Returns whether {@code request} can be posted behind {@code collected} others that are not posted yet. */
    final int admit(SendRequest request, int collected) {
        SgEntries local = request.local;
        if (request.isMalformed()) {
            return PostStatus.INVALID;
        }
        if (state == QueuePairState.INIT) {
            return PostStatus.NOT_CONNECTED;
        }
        if (initiatorDepth == 0 && request.operation.isAnswered()) {
            return PostStatus.NO_INITIATOR_DEPTH;
        }
        if (local.count() > config.maxSendSge()) {
            return PostStatus.TOO_MANY_SEGMENTS;
        }
        if (request.has(SendFlag.INLINE) && local.totalBytes() > config.maxInlineBytes()) {
            return PostStatus.INLINE_TOO_LONG;
        }
        if (local.totalBytes() > device.capabilities().maxMessageBytes()) {
            return PostStatus.MESSAGE_TOO_LONG;
        }
        if (!places.hasRoom(collected)) {
            return PostStatus.QUEUE_FULL;
        }
        return local.isGone() ? PostStatus.INVALID : PostStatus.ACCEPTED;
    }

    /** Carries out {@code request}, which was admitted, and completes it if it failed or is signaled. */
    final void execute(SendRequest request) {
        long sequence = places.take();
        WcStatus status = statusOf(request);
        if (status != WcStatus.SUCCESS || config.signalAll() || request.has(SendFlag.SIGNALED)) {
            sendQueue
                    .next()
                    .of(this, request.wrId, status, request.operation.completion(), request.local.totalBytes())
                    .freeing(places, sequence);
            sendQueue.publish(false);
        }
        if (status != WcStatus.SUCCESS) {
            fail();
        }
    }

    private WcStatus statusOf(SendRequest request) {
        if (state != QueuePairState.RTS) {
            return WcStatus.WR_FLUSH_ERROR;
        }
        return request.resolveLocal(device.regions(), config.domain())
                ? carryOut(request)
                : WcStatus.LOCAL_PROTECTION_ERROR;
    }

    /**
     * Resolves {@code pieces} to memory regions of this side.
     *
     * @param right the right that the access needs, null for a local read
     * @return false if domain, bounds or rights of a region forbid the access, or {@link QueuePairConfig#access()} does
     */
    public final boolean resolve(SgEntries pieces, @Nullable Access right) {
        boolean granted = right == null || right == Access.LOCAL_WRITE || right.in(peerRights);
        return granted && pieces.resolve(device.regions(), config.domain(), right);
    }

    /** Takes the oldest receive for a message of the peer; returns null if there is none. */
    public final @Nullable ReceiveRequest takeReceive() {
        return shared == null ? receives.take() : shared.take();
    }

    /**
     * Completes {@code receive}.
     *
     * @param byteCount the length of the message in bytes
     * @param solicited whether the message asks for an event
     * @return false if the completion queue was overrun, which has failed this queue pair
     */
    public final boolean complete(ReceiveRequest receive, WcStatus status, long byteCount, boolean solicited) {
        received(receive, status, WcOpcode.RECV, byteCount);
        return published(solicited);
    }

    /** Completes {@code receive} with immediate data; otherwise as {@link #complete}. */
    public final boolean completeImmediate(
            ReceiveRequest receive, WcOpcode opcode, long byteCount, long immediate, boolean solicited) {
        received(receive, WcStatus.SUCCESS, opcode, byteCount).carrying(immediate);
        return published(solicited);
    }

    private SoftwareCompletionQueue.Entry received(
            ReceiveRequest receive, WcStatus status, WcOpcode opcode, long byteCount) {
        return receiveQueue.next().of(this, receive.wrId, status, opcode, byteCount);
    }

    private boolean published(boolean solicited) {
        receiveQueue.publish(solicited);
        return state == QueuePairState.RTS;
    }

    private void flush() {
        for (ReceiveRequest receive = receives.take(); receive != null; receive = receives.take()) {
            received(receive, WcStatus.WR_FLUSH_ERROR, WcOpcode.RECV, 0);
            receiveQueue.publish(false);
        }
    }

    @Override
    public final int postRecv(long wrId, long address, long length, int lkey) {
        synchronized (device.lock()) {
            requireOwnReceives();
            return posted(receives.post(wrId, address, length, lkey));
        }
    }

    @Override
    public final int postRecv(long wrId, SgList list) {
        synchronized (device.lock()) {
            requireOwnReceives();
            return posted(receives.post(wrId, list));
        }
    }

    @Override
    public final int postRecv(ReceiveList list, int first, int count) {
        synchronized (device.lock()) {
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
            throw new IllegalStateException(this + " uses a shared receive queue; remedy: post its receives there");
        }
    }

    private int posted(int status) {
        if (status == PostStatus.ACCEPTED && state == QueuePairState.ERROR) {
            flush();
        }
        return status;
    }

    /** Moves this queue pair and its peer to the error state: the connection is down, receives are flushed. */
    public final void fail() {
        synchronized (device.lock()) {
            if (state == QueuePairState.ERROR) {
                return;
            }
            state = QueuePairState.ERROR;
            readiness.changed();
            flush();
            watch.ended();
            failed();
            device.lock().notifyAll();
        }
    }

    /**
     * Checks that the queue pair can be connected.
     *
     * @throws IllegalStateException if it is closed, not in state INIT or being connected
     */
    public final void requireConnectable() {
        requireOpen();
        if (state != QueuePairState.INIT || attempt != null) {
            throw new IllegalStateException(this + " cannot be connected: it is "
                    + (attempt == null ? "in state " + state + "; remedy: create another" : "being connected"));
        }
    }

    /**
     * Sets the action that ends the current connection attempt when the queue pair is closed; null after the attempt.
     */
    public final void connecting(@Nullable Runnable newAttempt) {
        attempt = newAttempt;
    }

    /**
     * Moves to state RTS unless the queue pair has failed meanwhile.
     *
     * @param newInitiatorDepth Reads and atomics that this side may have outstanding (ORD)
     */
    public final void connected(int newInitiatorDepth) {
        initiatorDepth = newInitiatorDepth;
        if (state != QueuePairState.ERROR) {
            state = QueuePairState.RTS;
        }
    }

    /** Returns the readiness that signals the end of the connection. */
    public final Readiness readiness() {
        return readiness;
    }

    /** Returns whether it is connected; false once either end fails or is closed. */
    public final boolean isConnected() {
        return state == QueuePairState.RTS;
    }

    private void ended() {
        synchronized (device.lock()) {
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

package org.panamaverbs.ibverbs.queuepair;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.device.Counter;
import org.panamaverbs.api.device.QueuePairStatistics;
import org.panamaverbs.api.ext.Adoption;
import org.panamaverbs.api.ext.Ece;
import org.panamaverbs.api.ext.Flow;
import org.panamaverbs.api.ext.FlowRule;
import org.panamaverbs.api.ext.NativeObject;
import org.panamaverbs.api.ext.PlacementType;
import org.panamaverbs.api.ext.RateLimit;
import org.panamaverbs.bindings.ibverbs.ibv_qp;
import org.panamaverbs.ibverbs.call.Gate;
import org.panamaverbs.ibverbs.completion.Drained;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.completion.WorkCounts;
import org.panamaverbs.ibverbs.context.EventTarget;
import org.panamaverbs.ibverbs.context.Failable;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.context.KeptResource;
import org.panamaverbs.ibverbs.memory.Domain;
import org.panamaverbs.ibverbs.post.DestinedPosts;
import org.panamaverbs.ibverbs.post.ExtendedSends;
import org.panamaverbs.ibverbs.post.IbvBatch;
import org.panamaverbs.ibverbs.post.IbvSendQueue;
import org.panamaverbs.ibverbs.post.IbvSharedReceiveQueue;
import org.panamaverbs.ibverbs.post.NativeQueuePair;
import org.panamaverbs.ibverbs.post.OwnReceives;
import org.panamaverbs.ibverbs.post.PostMemory;
import org.panamaverbs.ibverbs.post.PostTarget;
import org.panamaverbs.ibverbs.post.SendPoster;
import org.panamaverbs.ibverbs.post.SendRequests;
import org.panamaverbs.ibverbs.post.SendSlots;
import org.panamaverbs.ibverbs.post.XrcSends;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.Ours;
import org.panamaverbs.spi.watch.QueuePairWatch;

/** A queue pair. Posting is in {@link SendPoster}, states are in {@link QpStates}. */
public final class IbvQueuePair extends KeptResource
        implements QueuePair, NativeObject, SendPoster, EventTarget, Failable {
    private final QueuePairConfig config;
    private final NativeQueuePair its;
    private final Gate sendGate;
    private final PostMemory memory;
    private final IbvSendQueue direct;
    private final ExtendedSends extended;
    private final OwnReceives receives;
    private final WorkCounts done;
    private final QpStates states;
    private final QpEvents events;
    private final Attachment attachment;
    private final QueuePairWatch watch;
    private @Nullable IbvBatch batch;
    private final BeforeDestruction beforeDestruction;
    // Null of one that was created here.
    private final @Nullable Adoption adoption;
    // Whether closing it destroys the native one: one that could not be adopted stays who created it.
    private volatile boolean destroys;

    /** Takes over; {@code memory} is closed with it, and {@code handle} unless it was not created here. */
    IbvQueuePair(
            Domain domain,
            IbvCompletionQueue sendQueue,
            IbvCompletionQueue receiveQueue,
            @Nullable IbvSharedReceiveQueue shared,
            QueuePairConfig config,
            MemorySegment handle,
            PostMemory memory,
            @Nullable Adoption adoption) {
        super("queue pair " + ibv_qp.qp_num(handle), Attachment.parents(domain, sendQueue, receiveQueue, shared));
        this.config = config;
        this.memory = memory;
        this.adoption = adoption;
        destroys = adoption == null;
        boolean made = false;
        try {
            its = new NativeQueuePair(this, domain, config, handle);
            sendGate = new Gate();
            beforeDestruction = new BeforeDestruction();
            watch = domain.context().watch().queuePair(its.number(), this);
            done = new WorkCounts(config.maxSendWr(), config.signalAll(), sendQueue != receiveQueue);
            direct = new IbvSendQueue(its, requests(memory.send()), sendGate, memory.badWr(), done, destined(adoption));
            extended = new ExtendedSends(its, direct, memory.scratch());
            receives = new OwnReceives(its, memory.receive(), this::fail);
            attachment = new Attachment(its, this, sendQueue, receiveQueue, done, this::countAnew);
            states = new QpStates(its, attachment);
            events = new QpEvents(its, states);
            made = true;
        } finally {
            if (!made) {
                abandon();
            }
        }
    }

    private @Nullable DestinedPosts destined(@Nullable Adoption adopted) {
        return adopted == null || adopted.setDestination() == 0
                ? null
                : DestinedPosts.of(its.handle(), adopted.setDestination(), adopted.destinationOf());
    }

    private SendRequests requests(SendSlots slots) {
        return new SendRequests(its, slots);
    }

    /**
     * Closes the queue pair for who has it to itself and ends, or made it in vain; should that fail, its domain does
     * before it closes.
     */
    public void closeWithOwner() {
        closeOrLeave();
    }

    /** Makes the new queue pair known to the device and its completion queues, and moves it to INIT. */
    void initialize() {
        attachment.begin();
        states.initialize();
        context().watch().add(watch);
    }

    /** As {@link #initialize()}, of an adopted one, which stays in {@code state} and has its owner from now on. */
    void initialize(QueuePairState state, Adoption.Owner owner) {
        attachment.begin();
        its.entered(state);
        context().watch().add(watch);
        destroys = owner == Adoption.Owner.LIBRARY;
    }

    /**
     * Returns {@code queuePair} as one of {@code context} that was created here.
     *
     * @throws IllegalArgumentException if it is not of the context
     * @throws UnsupportedOperationException if it was adopted
     */
    public static IbvQueuePair own(QueuePair queuePair, IbvContext context) {
        IbvQueuePair ours = Ours.of("queue pair", queuePair, IbvQueuePair.class, IbvQueuePair::context, context);
        if (ours.adoption != null) {
            throw new UnsupportedOperationException(ours.resourceName() + " (" + ours.config.type()
                    + ") was adopted, and the connection manager serves only queue pairs that this library created;"
                    + " remedy: change its state with QueuePair.modify and the numbers that the peers"
                    + " exchange");
        }
        return ours;
    }

    /** Returns the device. */
    public IbvContext context() {
        return its.context();
    }

    /** Returns {@code struct ibv_qp}. */
    public MemorySegment handle() {
        return its.handle();
    }

    /**
     * Modifies the queue pair as {@code attributes}, a {@code struct ibv_qp_attr}, and {@code mask} say, for the
     * connection manager.
     *
     * @throws org.panamaverbs.api.ResourceException if the transition is refused
     */
    public void modify(MemorySegment attributes, int mask) {
        states.modify(attributes, mask);
    }

    @Override
    public void fail(String cause) {
        if (isOpen() && its.entered() != QueuePairState.ERROR) {
            watch.failed(cause, QueuePairWatch.EndedBy.THIS_SIDE);
        }
        fail();
    }

    private void countAnew() {
        direct.startAnew(receives.posted());
    }

    /** Moves the queue pair to ERROR where who watches it knows why; does nothing if it is closed or there already. */
    public void fail() {
        states.fail();
    }

    @Override
    public boolean completesIn(ManagedResource queue) {
        return attachment.sends() == queue || attachment.receives() == queue;
    }

    /** Takes note of the state that it is in now: sends are taken from RTS on. */
    public void entered(QueuePairState state) {
        its.entered(state);
    }

    /** Takes note that it is connected: in RTS, with so many Reads and Atomics from here that may be outstanding. */
    public void connected(int initiatorDepth) {
        its.initiatorDepth(initiatorDepth);
        its.connected();
    }

    @Override
    public void sawError() {
        its.sawError();
    }

    /** Returns the state that it is known to have entered last. */
    public QueuePairState entered() {
        return its.entered();
    }

    /** Returns the rights that peers have, in {@code enum ibv_access_flags}: as it was created until others are set. */
    public int accessFlags() {
        return states.accessFlags();
    }

    /** Tells whether receives come from a shared receive queue. */
    public boolean isShared() {
        return config.srq() != null;
    }

    /** Has {@code action} run when it is closed, while the native queue pair still exists. */
    public void beforeClose(Runnable action) {
        beforeDestruction.first(action);
    }

    /** Has {@code action} run when the first message of the peer has come; null for nothing. It must not wait. */
    public void onEstablished(@Nullable Runnable action) {
        events.onEstablished(action);
    }

    @Override
    public void raised(AsyncEvent.Type type) {
        if (type == AsyncEvent.Type.DEVICE_FATAL) {
            its.lose();
            watch.failed(context().lostText(), QueuePairWatch.EndedBy.CONNECTION);
            return;
        }
        events.raised(type);
        if (isFailure(type)) {
            watch.failed(cause(type), QueuePairWatch.EndedBy.CONNECTION);
        }
    }

    @Override
    public String told(AsyncEvent.Type type) {
        return isFailure(type) ? watch.where() + ": " + cause(type) : watch.where();
    }

    private static boolean isFailure(AsyncEvent.Type type) {
        return type == AsyncEvent.Type.QP_FATAL
                || type == AsyncEvent.Type.QP_REQUEST_ERROR
                || type == AsyncEvent.Type.QP_ACCESS_ERROR;
    }

    private static String cause(AsyncEvent.Type type) {
        return "the device raised " + type + "; remedy: "
                + switch (type) {
                    case QP_REQUEST_ERROR ->
                        "check the peer's completions, and compare its request with what this side supports";
                    case QP_ACCESS_ERROR ->
                        "compare rkey, bounds and rights of the peer's access with what was granted";
                    default -> "check the completions of both sides and the kernel's log";
                };
    }

    @Override
    public void requestFailed(WcStatus status, int vendorError) {
        watch.failed(
                String.format(
                        "a work request completed with %s (%s), vendor error 0x%x; remedy: %s",
                        status, status.meaning(), vendorError, status.remedy()),
                QueuePairWatch.EndedBy.CONNECTION);
    }

    /** Returns what those who watch it are told by. */
    public QueuePairWatch watch() {
        return watch;
    }

    @Override
    public QueuePairStatistics statistics() {
        return QueuePairStatistics.builder(number())
                .connection(
                        isOpen() ? its.entered().name() : "CLOSED", watch.peer(), watch.carrier(), watch.transport())
                .set(Counter.SENDS_POSTED, direct.posted())
                .set(Counter.SENDS_COMPLETED, done.sends())
                .set(Counter.SENDS_FLUSHED, done.sendsFlushed())
                .set(Counter.SEND_CAPACITY, config.maxSendWr())
                .set(Counter.RECEIVES_POSTED, isShared() ? QueuePairStatistics.UNKNOWN : receives.posted())
                .set(Counter.RECEIVES_COMPLETED, done.receives())
                .set(Counter.RECEIVES_FLUSHED, done.receivesFlushed())
                .set(Counter.RECEIVE_CAPACITY, isShared() ? 0 : config.maxRecvWr())
                .set(Counter.BYTES_SENT, direct.octets())
                .set(
                        Counter.BYTES_RECEIVED,
                        attachment.receives().tellsLengths() ? done.octets() : QueuePairStatistics.UNKNOWN)
                .set(Counter.WRITES, direct.calls())
                .build();
    }

    /** Takes {@code action} back; returns false if another took its place, or it was taken back before. */
    public boolean takeBack(Runnable action) {
        return beforeDestruction.takeBack(action);
    }

    /**
     * Tells whether the connection that has {@code action} run before this is closed is still the queue pair's, or was
     * until it failed.
     */
    public boolean isConnectedFor(Runnable action) {
        return its.isSendable() && beforeDestruction.isFirst(action); // RESET makes it fit for another connection
    }

    /**
     * Returns how many signaled sends have not succeeded, also by completions that nobody has polled yet; what has
     * failed by itself leaves nothing unfinished.
     */
    public int unfinished() {
        attachment.sends().keepAll();
        return direct.unfinished();
    }

    /** Tells whether all sends are known to have succeeded, also by completions that nobody has polled yet. */
    public boolean allSucceeded() {
        attachment.sends().keepAll();
        return direct.allSucceeded();
    }

    /** Waits until all sends posted before have completed, if it is a reliable connection. */
    public Drained drain(Deadline deadline) {
        return direct.drain(attachment.sends(), attachment.user(), deadline);
    }

    /**
     * Makes up for a driver that connects without a ready-to-receive message: posts an empty Write, upon which the
     * accepting side may send (RFC 6581 §9.2).
     */
    public void readyToReceive() {
        if (context().quirks().noReadyToReceive()) {
            direct.postReady();
        }
    }

    @Override
    public int number() {
        return its.number();
    }

    @Override
    public QueuePairConfig config() {
        return config;
    }

    @Override
    public QueuePairState state() {
        requireOpen();
        return its.failsByCompletions() ? its.entered() : states.state();
    }

    @Override
    public Batch batch() {
        requireOpen();
        synchronized (memory) {
            IbvBatch made = batch;
            if (made == null) {
                // Written without the gate, so that closing from another thread must not free them.
                SendSlots slots =
                        new SendSlots(Arena.ofAuto(), config.maxSendWr(), config.maxSendSge(), config.maxInlineBytes());
                made = new IbvBatch(its, requests(slots), direct, sendGate);
                batch = made;
            }
            return made;
        }
    }

    @Override
    public void modify(QueuePairAttributes attributes) {
        requireOpen();
        states.modify(attributes);
    }

    @Override
    public QueuePairAttributes query() {
        requireOpen();
        return states.query();
    }

    /** Returns the vendor's options of the device for it, if it has such. */
    public Optional<Ece> ece() {
        return new QpOptions(its, states).ece();
    }

    @Override
    public Ece queryEce() {
        return new QpOptions(its, states).queryEce();
    }

    @Override
    public void setEce(Ece options) {
        new QpOptions(its, states).setEce(options);
    }

    @Override
    public boolean isDataInOrder(SendOpcode operation) {
        return new QpOptions(its, states).isDataInOrder(operation);
    }

    @Override
    public <R> R withNative(Function<MemorySegment, R> use) {
        return new QpOptions(its, states).with(use);
    }

    @Override
    public PostTarget target() {
        return direct;
    }

    @Override
    public SendQueue toSharedReceiveQueue(int number) {
        return XrcSends.of(direct, number);
    }

    @Override
    public void attachMulticast(byte[] gid, int lid) {
        new MulticastGroups(its, states).attach(gid, lid);
    }

    @Override
    public void detachMulticast(byte[] gid, int lid) {
        new MulticastGroups(its, states).detach(gid, lid);
    }

    @Override
    public int postAtomicWrite(long wrId, long value, long remoteAddress, int rkey, int flags) {
        return extended.postAtomicWrite(wrId, value, remoteAddress, rkey, flags);
    }

    @Override
    public int postFlush(long wrId, long remoteAddress, long length, int rkey, PlacementType placement, int flags) {
        return extended.postFlush(wrId, remoteAddress, length, rkey, placement, flags);
    }

    @Override
    public int postFlushRegion(long wrId, long remoteAddress, int rkey, PlacementType placement, int flags) {
        return extended.postFlushRegion(wrId, remoteAddress, rkey, placement, flags);
    }

    @Override
    public Flow flow(FlowRule rule) {
        return IbvFlow.create(its, rule, states);
    }

    @Override
    public void limitRate(RateLimit limit) {
        PacketPacing.limit(its, states, limit);
    }

    @Override
    public int postRecv(long wrId, long localAddress, long length, int lkey) {
        return receives.postRecv(wrId, localAddress, length, lkey);
    }

    @Override
    public int postRecv(long wrId, SgList list) {
        return receives.postRecv(wrId, list);
    }

    @Override
    public int postRecv(ReceiveList list, int first, int count) {
        return receives.postRecv(list, first, count);
    }

    @Override
    protected void destroy() {
        beforeDestruction.once(() -> {
            its.takeNoSends();
            sendGate.shut();
            receives.shut();
            attachment.end();
        });
        if (destroys) {
            states.destroy();
        } else {
            states.awaitCalls();
        }
    }

    @Override
    protected void release() {
        context().forgetEvents(this);
        context().watch().remove(watch);
        try {
            attachment.forgetNumber();
        } finally {
            memory.close();
            direct.end();
        }
        beforeDestruction.rethrow();
    }
}

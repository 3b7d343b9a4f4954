package org.panamaverbs.ibverbs.objects;

import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Capabilities;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeviceInfo.Transport;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.support.Limits;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.call.Ops;
import org.panamaverbs.ibverbs.call.Wakeup;
import org.panamaverbs.ibverbs.device.Quirks;
import org.panamaverbs.memory.ManagedResource;

/** An open device, {@code struct ibv_context}: what all its objects share. */
public final class IbvContext extends ManagedResource {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final int SMALLEST_ENTRY = 32; // rdma/siw-abi.h: sizeof(struct siw_cqe)

    private final ContextConfig config;
    private final Ops ops;
    private final RegionTable regions = new RegionTable();
    private final AtomicInteger numbers = new AtomicInteger();
    // By the address of the native object, for events, and by number. Weak: what is lost must be noticed.
    private final ConcurrentHashMap<Long, WeakReference<ManagedResource>> objects = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Integer, WeakReference<IbvQueuePair>> byNumber = new ConcurrentHashMap<>();
    private final AsyncEvents events;
    // Null without, and once it is destroyed; then for the thread that closes.
    private @Nullable MemorySegment reserved;
    private volatile @Nullable Runnable beforeClose;
    private volatile boolean opened;

    @SuppressWarnings("this-escape") // the event thread is started when all is set
    private IbvContext(ContextConfig config, Ops ops, @Nullable MemorySegment reserved, Wakeup wakeup) {
        super("context " + COUNT.incrementAndGet() + " of device " + config.device());
        this.config = config;
        this.ops = ops;
        this.reserved = reserved;
        events = new AsyncEvents(this, config.context(), wakeup);
    }

    /** Takes over an opened device; if this fails it is still the caller's to close. */
    public static IbvContext open(ContextConfig config) {
        Ops ops = Ops.of(config.context(), config.critical());
        if (config.quirks().reservedKeys() == 0) {
            return open(config, ops, null);
        }
        return Natives.make(
                () -> reserve(config),
                reserved -> open(config, ops, reserved),
                reserved -> IbvCalls.DESTROY_CQ.check("device " + config.device(), reserved));
    }

    private static IbvContext open(ContextConfig config, Ops ops, @Nullable MemorySegment reserved) {
        return Natives.make(
                () -> Natives.make(
                        Wakeup::open, wakeup -> new IbvContext(config, ops, reserved, wakeup), Wakeup::close),
                made -> {
                    made.events.start();
                    made.opened = true;
                    return made;
                },
                IbvContext::close);
    }

    /** Makes a completion queue for the mapping keys that nothing else may have. */
    private static MemorySegment reserve(ContextConfig config) {
        int entries = config.quirks().reservedKeys() / SMALLEST_ENTRY + 1;
        return IbvCalls.CREATE_CQ.pointer(
                "mapping keys of device " + config.device(),
                config.context(),
                entries,
                MemorySegment.NULL,
                MemorySegment.NULL,
                0);
    }

    /** Returns {@code struct ibv_context}. */
    public MemorySegment handle() {
        return config.context();
    }

    /** Returns the device's name. */
    public String device() {
        return config.device();
    }

    /** Returns what it can do. */
    public Capabilities capabilities() {
        return config.capabilities();
    }

    /** Returns what checks requests against {@link #capabilities()}. */
    public Limits limits() {
        return new Limits(config.capabilities(), config.device());
    }

    /** Tells whether it speaks iWARP: then the kernel changes the states of connected queue pairs. */
    public boolean isIwarp() {
        return config.transport() == Transport.IWARP;
    }

    /** Returns the port that queue pairs start with. */
    public int port() {
        return config.port();
    }

    /** Returns what its driver does otherwise than it should. */
    Quirks quirks() {
        return config.quirks();
    }

    /** Returns the data path. */
    Ops ops() {
        return ops;
    }

    RegionTable regions() {
        return regions;
    }

    /** Moves the queue pairs that complete in {@code queue} to ERROR. */
    void failQueuePairsOf(IbvCompletionQueue queue) {
        for (WeakReference<ManagedResource> object : objects.values()) {
            if (object.get() instanceof IbvQueuePair queuePair && queuePair.completesIn(queue)) {
                queuePair.fail();
            }
        }
    }

    /** Has completions with errors counted against {@code queuePair}. */
    void addNumber(IbvQueuePair queuePair) {
        byNumber.put(queuePair.number(), new WeakReference<>(queuePair));
    }

    void removeNumber(IbvQueuePair queuePair) {
        byNumber.computeIfPresent(queuePair.number(), (number, known) -> known.refersTo(queuePair) ? null : known);
    }

    /**
     * Takes note that a request of queue pair {@code number} completed in {@code queue} with an error. It is of the one
     * that has the number now: {@link Attachment#startAnew} has seen to those before it, unless they completed
     * elsewhere.
     */
    void sawError(IbvCompletionQueue queue, int number) {
        WeakReference<IbvQueuePair> known = byNumber.get(number);
        IbvQueuePair queuePair = known == null ? null : known.get();
        if (queuePair != null && queuePair.completesIn(queue)) {
            queuePair.sawError();
        }
    }

    int nextNumber() {
        return numbers.incrementAndGet();
    }

    /** Has events of the native object {@code handle} reported for {@code object}. */
    void register(MemorySegment handle, ManagedResource object) {
        objects.put(handle.address(), new WeakReference<>(object));
    }

    /** Forgets what {@link #register} said. */
    void forget(MemorySegment handle) {
        objects.remove(handle.address());
    }

    /** Returns the object of the native object at {@code address}, null if there is none any more, or it was lost. */
    @Nullable
    ManagedResource object(long address) {
        WeakReference<ManagedResource> known = objects.get(address);
        return known == null ? null : known.get();
    }

    /** Says what events of the device and its ports name as their source, and what runs before the device is closed. */
    public void attach(Object source, Runnable beforeDeviceCloses) {
        events.deviceSource(source);
        beforeClose = beforeDeviceCloses;
    }

    /** Returns what {@code query} finds out of the device, which is not closed meanwhile. */
    public <T> T query(Function<MemorySegment, T> query) {
        try (Making making = new Making("a query", this)) {
            making.requireOpen();
            return query.apply(handle());
        }
    }

    /** Makes a protection domain. */
    public IbvProtectionDomain protectionDomain() {
        try (Making making = new Making("a protection domain", this)) {
            making.requireOpen();
            return Natives.make(
                    () -> IbvCalls.ALLOC_PD.pointer(resourceName(), handle()),
                    domain -> new IbvProtectionDomain(this, nextNumber(), domain),
                    domain -> IbvCalls.DEALLOC_PD.check(resourceName(), domain));
        }
    }

    /** Makes a completion queue. */
    public CompletionQueue completionQueue(CompletionQueueConfig queueConfig) {
        requireOpen();
        return IbvCompletionQueue.create(this, queueConfig);
    }

    /** Makes a completion channel. */
    public CompletionChannel completionChannel() {
        try (Making making = new Making("a completion channel", this)) {
            making.requireOpen();
            return IbvCompletionChannel.create(this);
        }
    }

    /** Waits for an asynchronous event. */
    public Optional<AsyncEvent> asyncEvent(Deadline deadline) {
        requireOpen();
        return events.take(deadline);
    }

    /**
     * Returns {@code queuePair} as one of this context.
     *
     * @throws IllegalArgumentException if it is not
     */
    public IbvQueuePair own(QueuePair queuePair) {
        if (queuePair instanceof IbvQueuePair ours && ours.context() == this) {
            return ours;
        }
        throw new IllegalArgumentException("the queue pair is not of " + resourceName());
    }

    /**
     * Makes a queue pair for a connection.
     *
     * @throws IllegalArgumentException if its domain is not of this context
     */
    public IbvQueuePair create(QueuePairConfig queuePair) {
        if (queuePair.domain() instanceof IbvProtectionDomain domain && domain.context() == this) {
            return domain.create(queuePair);
        }
        throw new IllegalArgumentException("the protection domain is not of " + resourceName());
    }

    @Override
    protected void destroy() {
        Runnable before = beforeClose;
        if (before != null) {
            before.run();
        }
        events.end();
        if (!opened) {
            return; // the device is still the caller's
        }
        MemorySegment keys = reserved;
        if (keys != null) {
            IbvCalls.DESTROY_CQ.check(resourceName(), keys);
            reserved = null;
        }
        IbvCalls.CLOSE_DEVICE.check(resourceName(), handle());
    }

    @Override
    protected void release() {
        events.close();
    }
}

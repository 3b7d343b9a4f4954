package org.panamaverbs.ibverbs.context;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.call.Call;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.call.Ops;
import org.panamaverbs.ibverbs.call.Undo;
import org.panamaverbs.ibverbs.call.Wakeup;
import org.panamaverbs.ibverbs.device.Quirks;
import org.panamaverbs.ibverbs.facts.PortQuery;
import org.panamaverbs.ibverbs.facts.Sysfs;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.EventMember;
import org.panamaverbs.spi.support.Limits;
import org.panamaverbs.spi.watch.DeviceWatch;

/** An open device, {@code struct ibv_context}: what its objects share and it owns. It knows none of them. */
public final class IbvContext extends ManagedResource {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final int SMALLEST_ENTRY = 32; // rdma/siw-abi.h: sizeof(struct siw_cqe)

    private final ContextConfig config;
    private final Ops ops;
    private final RegionTable regions = new RegionTable();
    private final AtomicInteger numbers = new AtomicInteger();
    private final NativeObjects objects = new NativeObjects();
    private final DeviceWatch watch;
    private final AsyncEvents events;
    // Null without, and once it is destroyed; then for the thread that closes.
    private @Nullable MemorySegment reserved;
    private volatile @Nullable Runnable beforeClose;
    private volatile boolean opened;
    // Whether the device failed or was taken away: for ever.
    private volatile boolean lost;
    // The kernel has answered a destroy with EIO: it has nothing of the device any more.
    private volatile boolean takenAway;

    @SuppressWarnings("this-escape") // the event thread is started when all is set
    private IbvContext(ContextConfig config, Ops ops, @Nullable MemorySegment reserved, Wakeup wakeup) {
        super("context " + COUNT.incrementAndGet() + " of device " + config.device());
        this.config = config;
        this.ops = ops;
        this.reserved = reserved;
        watch = new DeviceWatch("ibverbs", config.device());
        boolean made = false;
        try {
            events = new AsyncEvents(this, config, objects, wakeup, watch);
            made = true;
        } finally {
            if (!made) {
                watch.close();
            }
        }
    }

    /** Takes over an opened device; if this fails it is still the caller's to close. */
    public static IbvContext open(ContextConfig config) {
        Ops ops = Ops.of(config.context(), config.critical());
        if (config.quirks().reservedKeys() == 0) {
            return open(config, ops, null);
        }
        return Creation.of(() -> reserve(config), reserved -> open(config, ops, reserved), Undo.DESTROY_CQ);
    }

    private static IbvContext open(ContextConfig config, Ops ops, @Nullable MemorySegment reserved) {
        return Creation.of(
                () -> Creation.of(Wakeup::open, wakeup -> new IbvContext(config, ops, reserved, wakeup), Wakeup::close),
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

    /** Returns what the device can do. */
    public Capabilities capabilities() {
        return config.capabilities();
    }

    /** Returns what checks requests against {@link #capabilities()}. */
    public Limits limits() {
        return new Limits(config.capabilities(), config.device());
    }

    /** Tells whether the device speaks iWARP: then the kernel changes the states of connected queue pairs. */
    public boolean isIwarp() {
        return config.transport() == Transport.IWARP;
    }

    /** Returns the port that queue pairs start with. */
    public int port() {
        return config.port();
    }

    /** Tells whether the process lacks the right to make raw queue pairs, whether the device has them or not. */
    public boolean forbidsRawPackets() {
        return config.forbidsRawPackets();
    }

    /** Returns what its driver does otherwise than it should. */
    public Quirks quirks() {
        return config.quirks();
    }

    /** Returns the data path. */
    public Ops ops() {
        return ops;
    }

    /** Returns the registrations, by local key. */
    public RegionTable regions() {
        return regions;
    }

    /** Returns what those who watch the device are told by. */
    public DeviceWatch watch() {
        return watch;
    }

    /** Returns its objects, for who has only their native address or number. */
    public NativeObjects objects() {
        return objects;
    }

    /** Returns the next number of those that its objects are named by. */
    public int nextNumber() {
        return numbers.incrementAndGet();
    }

    /** Says what events of the device and its ports name as their source, and what runs before the device is closed. */
    public void attach(Object source, Runnable beforeDeviceCloses) {
        events.deviceSource(source);
        beforeClose = beforeDeviceCloses;
    }

    /** Returns what {@link #attach} said is the source of events of the device: its Verbs. */
    public Object source() {
        return events.deviceSource();
    }

    /** Returns what {@code query} finds out of the device, which is not closed meanwhile. */
    public <T> T query(Function<MemorySegment, T> query) {
        try (HeldParents held = new HeldParents("a query", this)) {
            held.requireOpen();
            return query.apply(handle());
        }
    }

    /** Returns the asynchronous events as a member of event queues. */
    public EventMember asyncEvents() {
        return events.member();
    }

    /** Tells whether the device failed, or its driver took it away: nothing that is posted completes any more. */
    public boolean isLost() {
        return lost;
    }

    /** Takes note that the device failed or was taken away, and has all its objects hear of it; any thread. */
    void lose() {
        lost = true; // first: an object that is being created sees it, or is found
        objects.tellAll(AsyncEvent.Type.DEVICE_FATAL);
    }

    /** Returns what became of a lost device, and what helps. */
    public String lostText() {
        return "device " + device() + " failed or was removed (EIO); remedy: close all its objects, then the device,"
                + " and reopen it when it is back";
    }

    /**
     * Destroys {@code handle}, the native object of {@code object}, by {@code call}. Of a device that was taken away
     * the kernel has nothing any more and says EIO, which is no failure (rdma-core, cmd_write.h:
     * verbs_is_destroy_err()); the library keeps its part unless RDMAV_ALLOW_DISASSOC_DESTROY is set, and counts it as
     * a user of what it was made from, hence EBUSY.
     *
     * @return false if the library keeps its part
     * @throws org.panamaverbs.api.ResourceException if it is not destroyed; it can be tried again
     */
    public boolean destroy(Call call, String object, MemorySegment handle) {
        int errno = call.status(handle);
        if (errno == 0) {
            return true;
        }
        if (!isGone(errno)) {
            throw Failure.of(call.name(), object, errno);
        }
        return false;
    }

    /** Tells whether {@code errno}, of a call that destroys, says that the device was taken away, and the object so. */
    public boolean isGone(int errno) {
        if (errno == Errno.EIO && !lost && answersNothing()) {
            lose(); // its event is still to come
        }
        takenAway |= lost && errno == Errno.EIO;
        // A device that has failed and is there still has what is busy.
        return takenAway && (errno == Errno.EIO || errno == Errno.EBUSY);
    }

    /** Tells whether a query has EIO as well: a device that works may have it of one command that failed. */
    private boolean answersNothing() {
        try {
            PortQuery.of(handle(), config.port(), Sysfs.system()).attributes();
            return false;
        } catch (ResourceException e) {
            return e.errno() == Errno.EIO;
        }
    }

    /** Has applications hear of an event of {@code source}, null for the device; never throws for lack of memory. */
    public void raise(AsyncEvent.Type type, @Nullable Object source, String detail) {
        events.raise(type, source, detail);
    }

    /** Drops the asynchronous events of {@code source}, which is closed; needs no memory. */
    public void forgetEvents(ManagedResource source) {
        events.forget(source);
    }

    /** Waits for an asynchronous event. */
    public Optional<AsyncEvent> asyncEvent(Deadline deadline) {
        requireOpen();
        return events.take(deadline);
    }

    @Override
    protected void destroy() {
        events.wake();
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
            destroy(IbvCalls.DESTROY_CQ, resourceName(), keys);
            reserved = null;
        }
        IbvCalls.CLOSE_DEVICE.check(resourceName(), handle());
    }

    @Override
    protected void release() {
        watch.close();
        events.close();
    }
}

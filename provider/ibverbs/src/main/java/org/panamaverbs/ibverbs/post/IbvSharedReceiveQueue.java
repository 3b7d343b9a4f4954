package org.panamaverbs.ibverbs.post;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.ext.NativeObject;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.ibv_srq_attr;
import org.panamaverbs.bindings.ibverbs.ibv_srq_init_attr;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.Gate;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.call.Ops;
import org.panamaverbs.ibverbs.call.Undo;
import org.panamaverbs.ibverbs.completion.Markers;
import org.panamaverbs.ibverbs.context.EventTarget;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.memory.Domain;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.Creation;

/** A shared receive queue. */
public class IbvSharedReceiveQueue extends ManagedResource implements SharedReceiveQueue, NativeObject, EventTarget {
    // infiniband/verbs.h: enum ibv_srq_attr_mask
    private static final int IBV_SRQ_MAX_WR = 1;
    private static final int IBV_SRQ_LIMIT = 1 << 1;

    private final Domain domain;
    private final Long user;
    private final MemorySegment handle;
    private final Ops ops;
    private final Gate gate;
    private final Arena arena;
    private final ReceiveSlots slot;
    // Where its receives complete.
    private final Set<Markers> completing;
    private ReceiveChain chain; // under the gate
    private volatile SharedReceiveQueueConfig config;
    private volatile int armed;

    /** Where receives are written, which is closed with the queue. */
    protected record Slots(Arena arena, ReceiveSlots slot) {
        static Slots of(Domain domain, SharedReceiveQueueConfig config) {
            boolean needsPiece = domain.context().quirks().receiveNeedsPiece();
            return Creation.of(
                    Arena::ofShared,
                    arena -> new Slots(arena, new ReceiveSlots(arena, 1, config.maxSge(), needsPiece)),
                    Arena::close);
        }
    }

    /** Takes over {@code handle} and {@code slots}, and has events reported; {@code parents} begin with its domain. */
    protected IbvSharedReceiveQueue(
            Domain domain,
            SharedReceiveQueueConfig config,
            MemorySegment handle,
            Slots slots,
            ManagedResource... parents) {
        super("shared receive queue " + domain.context().nextNumber(), parents);
        this.domain = domain;
        this.config = config;
        this.handle = handle;
        ops = domain.context().ops();
        arena = slots.arena();
        slot = slots.slot();
        try {
            user = handle.address();
            completing = new HashSet<>();
            gate = new Gate();
            chain = new ReceiveChain(config.maxWr(), slot, this::ring);
            domain.context().objects().register(handle, this);
        } catch (Error e) {
            abandon();
            throw e;
        }
    }

    public static IbvSharedReceiveQueue create(Domain domain, SharedReceiveQueueConfig config) {
        IbvContext context = domain.context();
        context.limits().check(config);
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment init = ibv_srq_init_attr.allocate(scratch);
            MemorySegment attributes = ibv_srq_init_attr.attr(init);
            ibv_srq_attr.max_wr(attributes, config.maxWr());
            ibv_srq_attr.max_sge(attributes, config.maxSge());
            return Creation.of(
                    () -> IbvCalls.CREATE_SRQ.pointer(describe(domain, config), domain.handle(), init),
                    handle -> adopt(
                            domain,
                            actual(config, attributes),
                            (made, slots) -> new IbvSharedReceiveQueue(domain, made, handle, slots, domain)),
                    Undo.DESTROY_SRQ);
        }
    }

    /** Returns what is made, for the message of a failure. */
    protected static String describe(Domain domain, SharedReceiveQueueConfig config) {
        return config.maxWr() + " receives of " + config.maxSge() + " pieces in " + domain.resourceName();
    }

    /** Returns {@code config} with the sizes that the device has made of it, a {@code struct ibv_srq_attr}. */
    protected static SharedReceiveQueueConfig actual(SharedReceiveQueueConfig config, MemorySegment attributes) {
        return config.withDepth(ibv_srq_attr.max_wr(attributes))
                .withSge(Math.max(config.maxSge(), ibv_srq_attr.max_sge(attributes)));
    }

    /** Returns what {@code adopt} makes with slots for {@code config}. */
    protected static <T extends IbvSharedReceiveQueue> T adopt(
            Domain domain, SharedReceiveQueueConfig config, BiFunction<SharedReceiveQueueConfig, Slots, T> adopt) {
        return Creation.of(
                () -> Slots.of(domain, config),
                slots -> adopt.apply(config, slots),
                slots -> slots.arena().close());
    }

    public final Domain domain() {
        return domain;
    }

    public final MemorySegment handle() {
        return handle;
    }

    @Override
    public final SharedReceiveQueueConfig config() {
        return config;
    }

    @Override
    public final int postRecv(long wrId, long address, long length, int lkey) {
        enter();
        try {
            int status = slot.write(wrId, address, length, lkey);
            return status < 0 ? status : hand();
        } finally {
            gate.leave();
        }
    }

    @Override
    public final int postRecv(long wrId, SgList list) {
        enter();
        try {
            int status = slot.write(wrId, list);
            return status < 0 ? status : hand();
        } finally {
            gate.leave();
        }
    }

    @Override
    public final int postRecv(ReceiveList list, int first, int count) {
        enter();
        try {
            Objects.checkFromIndexSize(first, count, list.count());
            return chain.post(list, first, count);
        } finally {
            gate.leave();
        }
    }

    private void enter() {
        if (!gate.enter()) {
            requireOpen();
        }
    }

    private int hand() {
        return ReceiveSlots.answer(ring(slot.address(), slot.badWr()));
    }

    private int ring(long wr, long badWr) {
        if (domain.context().isLost()) {
            return Errno.EIO; // as of a queue pair
        }
        return ops.postSrqRecv(handle.address(), wr, badWr);
    }

    @Override
    public final int available() {
        requireOpen();
        throw new UnsupportedOperationException("device " + domain.context().device()
                + " does not report how many receives are left; remedy: use armLimit");
    }

    @Override
    public final void armLimit(int limit) {
        requireOpen();
        domain.context().limits().checked("limit", limit, 0, config.maxWr());
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment attributes = ibv_srq_attr.allocate(scratch);
            ibv_srq_attr.srq_limit(attributes, limit);
            synchronized (gate) {
                requireOpen();
                armed = limit;
                IbvCalls.MODIFY_SRQ.check(resourceName() + " to limit " + limit, handle, attributes, IBV_SRQ_LIMIT);
            }
        }
    }

    @Override
    public final void resize(int newMaxWr) {
        requireOpen();
        domain.context().limits().resized(newMaxWr);
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment attributes = ibv_srq_attr.allocate(scratch);
            ibv_srq_attr.max_wr(attributes, newMaxWr);
            synchronized (gate) {
                // Drivers hold their lock over the system call: who posts waits here, and not in the driver.
                enter();
                try {
                    resize(newMaxWr, attributes);
                } finally {
                    gate.leave();
                }
            }
        }
    }

    private void resize(int newMaxWr, MemorySegment attributes) {
        SharedReceiveQueueConfig resized = config.withDepth(newMaxWr);
        ReceiveChain itsChain = new ReceiveChain(newMaxWr, slot, this::ring);
        synchronized (completing) {
            int before = config.maxWr();
            completing.forEach(markers -> markers.resize(user, Math.max(before, newMaxWr)));
            try {
                IbvCalls.MODIFY_SRQ.check(
                        resourceName() + " to " + newMaxWr + " receives", handle, attributes, IBV_SRQ_MAX_WR);
                config = resized;
                chain = itsChain;
            } finally {
                completing.forEach(markers -> markers.resize(user, config.maxWr()));
            }
        }
    }

    /** Counts what its messages can complete in the queue of {@code markers}, also once it was resized. */
    public final void attach(Markers markers) {
        synchronized (completing) {
            completing.add(markers);
            markers.attach(user, config.maxWr());
        }
    }

    /** Takes an {@link #attach} back, if there was one. */
    public final void detach(Markers markers) {
        synchronized (completing) {
            if (markers.detach(user)) {
                completing.remove(markers);
            }
        }
    }

    @Override
    public final int limit() {
        requireOpen();
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment attributes = ibv_srq_attr.allocate(scratch);
            synchronized (gate) {
                requireOpen();
                int errno = IbvCalls.QUERY_SRQ.status(handle, attributes);
                if (errno == Errno.EOPNOTSUPP) {
                    return armed; // siw's user-space half cannot ask
                }
                if (errno != 0) {
                    throw Failure.of("ibv_query_srq", resourceName(), errno);
                }
            }
            return ibv_srq_attr.srq_limit(attributes);
        }
    }

    @Override
    public final <R> R withNative(Function<MemorySegment, R> use) {
        synchronized (gate) {
            requireOpen();
            return use.apply(MemorySegment.ofAddress(handle.address()));
        }
    }

    /** Hears from the device that the limit was reached, which disarms it. */
    @Override
    public final void raised(AsyncEvent.Type type) {
        if (type == AsyncEvent.Type.SRQ_LIMIT_REACHED) {
            armed = 0;
        }
    }

    @Override
    public final String told(AsyncEvent.Type type) {
        return resourceName();
    }

    @Override
    protected void destroy() {
        gate.shut();
        domain.context().objects().forget(handle);
        synchronized (gate) { // after a control call that is under way
            domain.context().destroy(IbvCalls.DESTROY_SRQ, resourceName(), handle);
        }
    }

    @Override
    protected void release() {
        domain.context().forgetEvents(this);
        arena.close();
    }
}

package org.panamaverbs.ibverbs.post;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.AddressHandle;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.GrhView;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.ibv_ah_attr;
import org.panamaverbs.bindings.ibverbs.ibv_gid;
import org.panamaverbs.bindings.ibverbs.ibv_global_route;
import org.panamaverbs.ibverbs.call.BoundedCall;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.Gate;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.call.Undo;
import org.panamaverbs.ibverbs.context.HeldParents;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.memory.Domain;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.Creation;

/** A destination for datagrams. */
public final class IbvAddressHandle extends ManagedResource implements AddressHandle {
    private static final int GID_BYTES = 16;
    /** More than libibverbs and the kernel take to resolve an address. */
    private static final int SECONDS = 5;

    private final Domain domain;
    private final AddressHandleConfig config;
    final NativeAddressHandle its;
    final Gate gate;

    private IbvAddressHandle(Domain domain, AddressHandleConfig config, MemorySegment handle) {
        super("address handle " + domain.context().nextNumber(), domain);
        this.domain = domain;
        this.config = config;
        try {
            its = new NativeAddressHandle(domain.context(), resourceName(), handle);
            gate = new Gate();
        } catch (Error e) {
            abandon();
            throw e;
        }
    }

    /** Makes a handle as {@code config} says. */
    public static IbvAddressHandle create(Domain domain, AddressHandleConfig config) {
        requireDatagrams(domain.context());
        MemorySegment attributes = ibv_ah_attr.allocate(Arena.ofAuto());
        write(config, attributes);
        return create(domain, config, attributes);
    }

    /** Makes a handle that leads to where {@code received} came from, a datagram with {@code header}. */
    public static IbvAddressHandle back(Domain domain, WorkCompletion received, GrhView header, int port) {
        requireDatagrams(domain.context());
        check("port", port, 1, 0xFF);
        DatagramSource.require(received, header);
        // With the own path bits of InfiniBand, which a config does not have.
        MemorySegment attributes = DatagramSource.attributes(domain, received, header, port);
        return create(domain, read(attributes), attributes);
    }

    private static void requireDatagrams(IbvContext context) {
        if (!context.capabilities().queuePairTypes().contains(QueuePairType.UD)) {
            throw new UnsupportedOperationException("device " + context.device()
                    + " does not support datagrams; remedy: use a device on InfiniBand or RoCE");
        }
    }

    private static IbvAddressHandle create(Domain domain, AddressHandleConfig config, MemorySegment attributes) {
        domain.closedHandles().sweep();
        return Creation.of(
                () -> made(domain, config, attributes),
                handle -> new IbvAddressHandle(domain, config, handle),
                Undo.DESTROY_AH);
    }

    /**
     * Makes the native handle. On RoCE the call waits until the address is resolved; neigh.c of libibverbs gives up
     * after 3 s, the kernel's addr.c after 1 s, and an adapter that hangs never.
     *
     * @param attributes of memory that stays valid without the caller
     */
    private static MemorySegment made(Domain domain, AddressHandleConfig config, MemorySegment attributes) {
        // The domain stays open until the call returns, in time or not.
        HeldParents held = new HeldParents("an address handle", domain);
        BoundedCall<MemorySegment> call = null;
        try {
            call = BoundedCall.start(
                    "verbs-address",
                    () -> IbvCalls.CREATE_AH.pointer(domain.resourceName(), domain.handle(), attributes),
                    Undo.DESTROY_AH,
                    held::close);
        } finally {
            if (call == null) {
                held.close();
            }
        }
        MemorySegment handle;
        try {
            handle = call.await(Deadline.in(SECONDS, TimeUnit.SECONDS));
        } catch (ResourceException e) {
            throw failure(domain, config, e.errno());
        } finally {
            // The thread of the call ends it as well, but perhaps after the caller closes the domain.
            if (!call.isGivenUp()) {
                held.close();
            }
        }
        if (handle == null) {
            throw failure(domain, config, Errno.ETIMEDOUT);
        }
        return handle;
    }

    private static ResourceException failure(Domain domain, AddressHandleConfig config, int errno) {
        String call = IbvCalls.CREATE_AH.name();
        String destination =
                config.gid().length == GID_BYTES ? Gid.of(config.gid()).toString() : "LID " + config.lid();
        String object = domain.resourceName() + ", address handle to " + destination + " from port " + config.port();
        return switch (errno) {
            case Errno.ETIMEDOUT, Errno.EHOSTUNREACH, Errno.ENETUNREACH ->
                Failure.of(
                        call,
                        object,
                        errno,
                        "check that the address answers (`ping`, `ip neigh`), and the adapter (dmesg)");
            default -> Failure.of(call, object, errno);
        };
    }

    /**
     * Closes the handle for who has it to itself and ends, or made it in vain; should that fail, its domain does before
     * it closes.
     */
    public void closeWithOwner() {
        closeOrLeave();
    }

    /**
     * Writes {@code config} into a zeroed {@code struct ibv_ah_attr}.
     *
     * @throws IllegalArgumentException if a number is beyond its range
     */
    public static void write(AddressHandleConfig config, MemorySegment attributes) {
        // Beyond, the fields would hold another number.
        check("lid", config.lid(), 0, 0xFFFF);
        check("gidIndex", config.gidIndex(), 0, 0xFF);
        check("port", config.port(), 1, 0xFF);
        check("serviceLevel", config.serviceLevel(), 0, 15);
        check("flowLabel", config.flowLabel(), 0, 0xF_FFFF);
        check("hopLimit", config.hopLimit(), 0, 0xFF);
        check("trafficClass", config.trafficClass(), 0, 0xFF);
        check("staticRate", config.staticRate(), 0, 0xFF);
        byte[] gid = config.gid();
        if (gid.length == GID_BYTES) {
            ibv_ah_attr.is_global(attributes, (byte) 1);
            MemorySegment route = ibv_ah_attr.grh(attributes);
            MemorySegment.copy(MemorySegment.ofArray(gid), 0, ibv_global_route.dgid(route), 0, ibv_gid.sizeof());
            ibv_global_route.flow_label(route, config.flowLabel());
            ibv_global_route.sgid_index(route, (byte) config.gidIndex());
            ibv_global_route.hop_limit(route, (byte) config.hopLimit());
            ibv_global_route.traffic_class(route, (byte) config.trafficClass());
        }
        ibv_ah_attr.dlid(attributes, (short) config.lid());
        ibv_ah_attr.sl(attributes, (byte) config.serviceLevel());
        ibv_ah_attr.static_rate(attributes, (byte) config.staticRate());
        ibv_ah_attr.port_num(attributes, (byte) config.port());
    }

    private static void check(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    what + " of an address must be " + least + " to " + most + ", got " + value);
        }
    }

    /** Reads a {@code struct ibv_ah_attr}. */
    public static AddressHandleConfig read(MemorySegment attributes) {
        MemorySegment route = ibv_ah_attr.grh(attributes);
        byte[] gid = new byte[0];
        if (ibv_ah_attr.is_global(attributes) != 0) {
            gid = new byte[GID_BYTES];
            MemorySegment.copy(ibv_global_route.dgid(route), 0, MemorySegment.ofArray(gid), 0, GID_BYTES);
        }
        return AddressHandleConfig.to(gid)
                .withLid(Short.toUnsignedInt(ibv_ah_attr.dlid(attributes)))
                .withGidIndex(Byte.toUnsignedInt(ibv_global_route.sgid_index(route)))
                .withPort(Byte.toUnsignedInt(ibv_ah_attr.port_num(attributes)))
                .withServiceLevel(Byte.toUnsignedInt(ibv_ah_attr.sl(attributes)))
                .withFlowLabel(ibv_global_route.flow_label(route))
                .withHopLimit(Byte.toUnsignedInt(ibv_global_route.hop_limit(route)))
                .withTrafficClass(Byte.toUnsignedInt(ibv_global_route.traffic_class(route)))
                .withStaticRate(Byte.toUnsignedInt(ibv_ah_attr.static_rate(attributes)));
    }

    @Override
    public AddressHandleConfig config() {
        return config;
    }

    public Domain domain() {
        return domain;
    }

    @Override
    protected void destroy() {
        gate.shut();
        domain.closedHandles().sweep();
        domain.closedHandles().add(its);
    }
}

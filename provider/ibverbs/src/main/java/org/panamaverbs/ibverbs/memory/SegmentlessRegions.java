package org.panamaverbs.ibverbs.memory;

import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.extensions.ContextCalls;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RegistrationChecks;
import org.panamaverbs.spi.support.Creation;

/** Registrations of what is no segment: memory of the device, all memory of the process, and none at all. */
public final class SegmentlessRegions {
    /** More than any process has; SIZE_MAX, which the library is told, is no length in Java. */
    private static final long EVERYTHING = Long.MAX_VALUE;

    private static final long SIZE_MAX = -1;

    private SegmentlessRegions() {}

    /** Registers {@code bytes} of {@code memory} from {@code offset}, {@code ibv_reg_dm_mr(3)}. */
    public static RegisteredBuffer ofDevice(
            Domain domain, IbvDeviceMemory memory, long offset, long bytes, int rights) {
        RegistrationChecks.requireAccess(rights);
        domain.registrations().requireFeatures(rights & ~Access.ZERO_BASED.bit());
        RegistrationChecks.requirePositive(bytes, "the part of the device's memory");
        memory.check(offset, bytes);
        // ib_uverbs_reg_dm_mr() of Linux takes it zero-based alone.
        int flags = domain.registrations().flags(rights) | Access.ZERO_BASED.bit();
        String what = "%d bytes at offset %d of %s with %s"
                .formatted(bytes, offset, memory.resourceName(), Access.format(rights));
        return Creation.of(
                memory::use,
                use -> enter(
                        domain,
                        bytes,
                        rights | Access.ZERO_BASED.bit(),
                        true,
                        () -> ContextCalls.regDmMr(domain.context().handle())
                                .pointer(what, domain.handle(), memory.handle(), offset, bytes, flags),
                        use::close),
                IbvDeviceMemory.Use::close);
    }

    /** Registers all memory of the process, {@code ibv_reg_mr(3)} of NULL and SIZE_MAX. */
    public static RegisteredBuffer ofAddressSpace(Domain domain, int wanted) {
        int rights = wanted | Access.ON_DEMAND.bit();
        IbvContext context = domain.context();
        context.capabilities().require(Feature.IMPLICIT_ON_DEMAND_PAGING, context.device());
        RegistrationChecks.requireAccess(rights);
        domain.registrations().requireFeatures(rights);
        String what =
                "all memory of the process with %s on %s".formatted(Access.format(rights), context.resourceName());
        int flags = domain.registrations().flags(rights);
        return enter(
                domain,
                EVERYTHING,
                rights,
                true,
                () -> IbvCalls.REG_MR_IOVA2.pointer(what, domain.handle(), MemorySegment.NULL, SIZE_MAX, 0L, flags),
                () -> {});
    }

    /** Makes a registration without memory, {@code ibv_alloc_null_mr(3)}. */
    public static RegisteredBuffer ofNothing(Domain domain) {
        IbvContext context = domain.context();
        context.capabilities().require(Feature.NULL_REGION, context.device());
        return enter(
                domain,
                EVERYTHING,
                Access.LOCAL_WRITE.bit(),
                false,
                () -> ContextCalls.allocNullMr(context.handle()).pointer(domain.resourceName(), domain.handle()),
                () -> {});
    }

    private static RegisteredBuffer enter(
            Domain domain, long bytes, int rights, boolean forPeers, Supplier<MemorySegment> create, Runnable after) {
        Registrations registrations = domain.registrations();
        return Creation.of(
                () -> registrations.enterWithoutMemory(0, create),
                made -> new RegisteredBuffer(
                        domain, bytes, made.region().lkey(), forPeers ? made.rkey() : 0, 0, rights, () -> {
                            registrations.deregister(made.region());
                            after.run();
                        }),
                made -> registrations.takeBack(made.region()));
    }
}

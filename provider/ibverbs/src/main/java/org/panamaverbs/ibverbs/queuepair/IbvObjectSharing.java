package org.panamaverbs.ibverbs.queuepair;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.ext.DeviceMemory;
import org.panamaverbs.api.ext.ObjectSharing;
import org.panamaverbs.bindings.ibverbs.ibv_context;
import org.panamaverbs.bindings.ibverbs.ibv_mr;
import org.panamaverbs.bindings.ibverbs.ibv_pd;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.context.HeldParents;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.context.Region;
import org.panamaverbs.ibverbs.memory.Domain;
import org.panamaverbs.ibverbs.memory.IbvDeviceMemory;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RegistrationChecks;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.Ours;

/**
 * Imports objects of other processes, and gives the numbers of this one's.
 *
 * @param context the device
 */
public record IbvObjectSharing(IbvContext context) implements ObjectSharing {
    /** A domain of another process: its end is not that of the original. */
    private static final class ImportedDomain extends IbvProtectionDomain {
        ImportedDomain(IbvContext context, MemorySegment handle) {
            super(context, context.nextNumber(), handle);
        }

        @Override
        protected void deallocate() {
            IbvCalls.UNIMPORT_PD.run(handle());
        }
    }

    @Override
    public int commandDescriptor() {
        return context.query(handle -> ibv_context.cmd_fd(handle.reinterpret(ibv_context.sizeof())));
    }

    @Override
    public int numberOf(ProtectionDomain domain) {
        Domain ours = IbvProtectionDomain.own(domain, context);
        ours.requireOpen();
        return ibv_pd.handle(ours.handle().reinterpret(ibv_pd.sizeof()));
    }

    @Override
    public int numberOf(RegisteredBuffer buffer) {
        buffer.requireOpen();
        Region region = context.regions().find(buffer.lkey());
        if (region == null || !region.isBehind(buffer)) {
            throw Ours.refusal("registered buffer", context);
        }
        return ibv_mr.handle(region.handle().reinterpret(ibv_mr.sizeof()));
    }

    @Override
    public int numberOf(DeviceMemory memory) {
        return Ours.of("device memory", memory, IbvDeviceMemory.class, IbvDeviceMemory::context, context)
                .number();
    }

    @Override
    public ProtectionDomain importDomain(int number) {
        try (HeldParents held = new HeldParents("a protection domain", context)) {
            held.requireOpen();
            return Creation.of(
                    () -> IbvCalls.IMPORT_PD.pointer(
                            "protection domain " + number + " of the kernel", context.handle(), number),
                    handle -> new ImportedDomain(context, handle),
                    IbvCalls.UNIMPORT_PD::run);
        }
    }

    @Override
    public RegisteredBuffer importBuffer(
            ProtectionDomain domain, int number, long taggedOffset, long bytes, Access... access) {
        Domain ours = IbvProtectionDomain.own(domain, context);
        int rights = Access.mask(access);
        RegistrationChecks.requireAccess(rights);
        RegistrationChecks.requirePositive(bytes, "a registered buffer");
        try (HeldParents held = new HeldParents("a registration", ours)) {
            held.requireOpen();
            return Creation.of(
                    () -> IbvCalls.IMPORT_MR.pointer(
                            "registration " + number + " of the kernel", ours.handle(), number),
                    handle -> {
                        MemorySegment region = handle.reinterpret(ibv_mr.sizeof());
                        return new RegisteredBuffer(
                                ours,
                                bytes,
                                ibv_mr.lkey(region),
                                ibv_mr.rkey(region),
                                taggedOffset,
                                rights,
                                () -> IbvCalls.UNIMPORT_MR.run(handle));
                    },
                    IbvCalls.UNIMPORT_MR::run);
        }
    }

    @Override
    public DeviceMemory importMemory(int number, long bytes) {
        return IbvDeviceMemory.imported(context, number, bytes);
    }
}

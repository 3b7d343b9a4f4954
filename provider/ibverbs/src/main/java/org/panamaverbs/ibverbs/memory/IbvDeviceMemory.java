package org.panamaverbs.ibverbs.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.ext.DeviceMemory;
import org.panamaverbs.bindings.ibverbs.ibv_alloc_dm_attr;
import org.panamaverbs.bindings.ibverbs.ibv_dm;
import org.panamaverbs.ibverbs.call.Call;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.context.HeldParents;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.extensions.ContextCalls;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.RegistrationChecks;
import org.panamaverbs.spi.support.Creation;

/** Memory of the device, {@code struct ibv_dm}. */
public final class IbvDeviceMemory extends ManagedResource implements DeviceMemory {
    private static final int MOST_ALIGNMENT = 31;

    private final IbvContext context;
    private final MemorySegment handle;
    private final long length;
    private final boolean isImported;

    /** A registration of a part of it, which ends before it. */
    static final class Use extends ManagedResource {
        Use(IbvDeviceMemory memory) {
            super("a registration of it", memory);
        }
    }

    private IbvDeviceMemory(IbvContext context, MemorySegment handle, long length, boolean isImported) {
        super("device memory " + context.nextNumber(), context);
        this.context = context;
        this.handle = handle;
        this.length = length;
        this.isImported = isImported;
    }

    /** Allocates {@code bytes}, aligned to 2 to the power of {@code logAlignment}. */
    public static IbvDeviceMemory allocate(IbvContext context, long bytes, int logAlignment) {
        context.limits().require(Feature.DEVICE_MEMORY);
        RegistrationChecks.requirePositive(bytes, "device memory");
        context.limits().checked("logAlignment", logAlignment, 0, MOST_ALIGNMENT);
        try (HeldParents held = new HeldParents("device memory", context);
                Arena scratch = Arena.ofConfined()) {
            held.requireOpen();
            MemorySegment attributes = ibv_alloc_dm_attr.allocate(scratch);
            ibv_alloc_dm_attr.length(attributes, bytes);
            ibv_alloc_dm_attr.log_align_req(attributes, logAlignment);
            String what = bytes + " bytes of " + context.resourceName();
            return Creation.of(
                    () -> ContextCalls.allocDm(context.handle()).pointer(what, context.handle(), attributes),
                    made -> new IbvDeviceMemory(context, made.reinterpret(ibv_dm.sizeof()), bytes, false),
                    made -> ContextCalls.freeDm(context.handle()).check(what, made));
        }
    }

    /** Imports memory {@code number} of {@code bytes}, {@code ibv_import_dm(3)}. */
    public static IbvDeviceMemory imported(IbvContext context, int number, long bytes) {
        RegistrationChecks.requirePositive(bytes, "device memory");
        try (HeldParents held = new HeldParents("device memory", context)) {
            held.requireOpen();
            return Creation.of(
                    () -> IbvCalls.IMPORT_DM.pointer(
                            "memory " + number + " of " + context.resourceName(), context.handle(), number),
                    made -> new IbvDeviceMemory(context, made.reinterpret(ibv_dm.sizeof()), bytes, true),
                    IbvCalls.UNIMPORT_DM::run);
        }
    }

    /** Returns the kernel's number of it. */
    public int number() {
        requireOpen();
        return ibv_dm.handle(handle);
    }

    /** Returns the device. */
    public IbvContext context() {
        return context;
    }

    MemorySegment handle() {
        return handle;
    }

    Use use() {
        return new Use(this);
    }

    void check(long offset, long bytes) {
        Objects.checkFromIndexSize(offset, bytes, length);
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public void write(long offset, MemorySegment source) {
        check(offset, source.byteSize());
        try (HeldParents held = new HeldParents("a copy", this);
                Arena scratch = Arena.ofConfined()) {
            held.requireOpen();
            MemorySegment from = source.isNative()
                    ? source
                    : scratch.allocate(source.byteSize()).copyFrom(source);
            Call.at(ibv_dm.memcpy_to_dm(handle), "ibv_memcpy_to_dm", ibv_dm.memcpy_to_dm.descriptor())
                    .check(copyOf(offset, from), handle, offset, from, from.byteSize());
        }
    }

    @Override
    public void read(long offset, MemorySegment sink) {
        check(offset, sink.byteSize());
        try (HeldParents held = new HeldParents("a copy", this);
                Arena scratch = Arena.ofConfined()) {
            held.requireOpen();
            MemorySegment to = sink.isNative() ? sink : scratch.allocate(sink.byteSize());
            Call.at(ibv_dm.memcpy_from_dm(handle), "ibv_memcpy_from_dm", ibv_dm.memcpy_from_dm.descriptor())
                    .check(copyOf(offset, to), to, handle, offset, to.byteSize());
            if (!sink.isNative()) {
                sink.copyFrom(to);
            }
        }
    }

    private String copyOf(long offset, MemorySegment host) {
        return host.byteSize() + " bytes at offset " + offset + " of " + resourceName();
    }

    @Override
    protected void destroy() {
        if (isImported) {
            IbvCalls.UNIMPORT_DM.run(handle);
            return;
        }
        context.destroy(ContextCalls.freeDm(context.handle()), resourceName(), handle);
    }
}

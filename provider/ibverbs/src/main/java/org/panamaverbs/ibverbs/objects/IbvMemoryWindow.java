package org.panamaverbs.ibverbs.objects;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_context;
import org.panamaverbs.bindings.ibverbs.ibv_context_ops;
import org.panamaverbs.bindings.ibverbs.ibv_mw;
import org.panamaverbs.ibverbs.call.Call;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.memory.STag;

/** A memory window. */
final class IbvMemoryWindow extends ManagedResource implements MemoryWindow {
    private static final int REMOTE_RIGHTS = Access.mask(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
    private static final FunctionDescriptor ALLOC =
            FunctionDescriptor.of(Ibverbs.C_POINTER, Ibverbs.C_POINTER, Ibverbs.C_INT);
    private static final FunctionDescriptor DEALLOC = FunctionDescriptor.of(Ibverbs.C_INT, Ibverbs.C_POINTER);
    // infiniband/verbs.h, ibv_inc_rkey: the low 8 bits are the application's.
    private static final int KEY_MASK = 0xFF;

    private record Binding(@Nullable Region region, int stag, long taggedOffset, long length, int access) {}

    private final IbvProtectionDomain domain;
    private final Type type;
    private volatile MemorySegment handle; // written under the registrations
    private final Set<Region> everBound = new HashSet<>(); // under the registrations
    private volatile Binding binding;

    private IbvMemoryWindow(IbvProtectionDomain domain, Type type, MemorySegment handle) {
        super("memory window " + domain.context().nextNumber(), domain);
        this.domain = domain;
        this.type = type;
        this.handle = handle;
        binding = new Binding(null, ibv_mw.rkey(handle), 0, -1, 0);
    }

    static IbvMemoryWindow create(IbvProtectionDomain domain, Type type) {
        Feature feature = type == Type.TYPE_1 ? Feature.MEMORY_WINDOW_TYPE_1 : Feature.MEMORY_WINDOW_TYPE_2;
        domain.context().capabilities().require(feature, domain.context().device());
        MemorySegment handle = allocate(domain, type);
        return Natives.adopt(() -> new IbvMemoryWindow(domain, type, handle), () -> deallocate(domain, handle));
    }

    private static MemorySegment allocate(IbvProtectionDomain domain, Type type) {
        MemorySegment function = ibv_context_ops.alloc_mw(ops(domain));
        return Call.at(function, "ibv_alloc_mw", ALLOC)
                .pointer(domain.resourceName(), domain.handle(), type == Type.TYPE_1 ? 1 : 2) // enum ibv_mw_type
                .reinterpret(ibv_mw.sizeof());
    }

    private static void deallocate(IbvProtectionDomain domain, MemorySegment handle) {
        MemorySegment function = ibv_context_ops.dealloc_mw(ops(domain));
        Call.at(function, "ibv_dealloc_mw", DEALLOC).check("a window of " + domain.resourceName(), handle);
    }

    private static MemorySegment ops(IbvProtectionDomain domain) {
        return ibv_context.ops(domain.context().handle());
    }

    @Override
    public Type type() {
        return type;
    }

    @Override
    public STag stag() {
        return new STag(binding.stag());
    }

    @Override
    public RemoteBuffer remote() {
        requireOpen();
        Binding current = binding;
        if (current.length() < 0) {
            throw new IllegalStateException(resourceName() + " was never bound");
        }
        return RemoteBuffer.of(
                current.stag(), current.taggedOffset(), current.length(), current.access() & REMOTE_RIGHTS);
    }

    IbvProtectionDomain domain() {
        return domain;
    }

    MemorySegment handle() {
        return handle;
    }

    /** Returns the STag of the next bind. */
    int nextStag() {
        int stag = binding.stag();
        return (stag & ~KEY_MASK) | ((stag + 1) & KEY_MASK);
    }

    /** Remembers the bind that was posted last; the caller holds the registrations. */
    void bound(Region region, int stag, long taggedOffset, long length, int access) {
        everBound.add(region);
        binding = new Binding(region, stag, taggedOffset, length, access);
        domain.registrations().bind(this);
    }

    /** Remembers that the access was taken away by a request that was posted. */
    void unbound() {
        Binding last = binding;
        binding = new Binding(null, last.stag(), last.taggedOffset(), 0, last.access());
    }

    /** Tells whether a bind to {@code region} was ever posted for the native window of now. */
    boolean wasBoundTo(Region region) {
        return everBound.contains(region);
    }

    boolean isBoundTo(Region region) {
        return binding.region() == region;
    }

    /** Takes the access away now, as the memory is about to go: the native window is exchanged for another. */
    void revoke() {
        if (!isOpen()) {
            return;
        }
        Binding last = binding;
        MemorySegment fresh = allocate(domain, type);
        deallocate(domain, handle);
        handle = fresh;
        everBound.clear();
        binding = new Binding(null, ibv_mw.rkey(fresh), last.taggedOffset(), 0, last.access());
    }

    @Override
    protected void release() {
        Registrations registrations = domain.registrations();
        synchronized (registrations) {
            registrations.unbind(this);
            deallocate(domain, handle);
        }
    }
}

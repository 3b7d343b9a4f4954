package org.panamaverbs.ibverbs.objects;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.ibv_mr;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;

/** Registers memory for a protection domain, and takes bound windows away before what they are bound to. */
final class Registrations {
    private final IbvContext context;
    private final MemorySegment domain;
    // Windows with a bind posted, guarded by this.
    private final Set<IbvMemoryWindow> bound = new HashSet<>();

    Registrations(IbvContext context, MemorySegment domain) {
        this.context = context;
        this.domain = domain;
    }

    /** Registers {@code segment}; the rights are checked against the device here. */
    Registration register(MemorySegment segment, int rights) {
        requireFeatures(rights);
        boolean zeroBased = Access.ZERO_BASED.in(rights);
        long iova = zeroBased ? 0 : segment.address();
        String what = "%d bytes at 0x%x with %s on %s"
                .formatted(segment.byteSize(), segment.address(), Access.format(rights), context.resourceName());
        // The tagged offset says that it is zero-based, and huge pages matter only to fork(2).
        int flags = rights & ~(Access.ZERO_BASED.bit() | Access.HUGE_PAGES.bit());
        if (!context.capabilities().has(Feature.RELAXED_ORDERING)) {
            flags &= ~Access.RELAXED_ORDERING.bit(); // a hint, to be ignored
        }
        MemorySegment address = MemorySegment.ofAddress(segment.address());
        return enter(
                segment, iova, IbvCalls.REG_MR_IOVA2.pointer(what, domain, address, segment.byteSize(), iova, flags));
    }

    /** Enters the {@code struct ibv_mr} that was just made. */
    Registration enter(MemorySegment segment, long taggedOffset, MemorySegment handle) {
        return enter(new Region(ibv_mr.lkey(handle), taggedOffset, segment, handle, this, true), handle);
    }

    /** Enters the {@code struct ibv_mr} of memory that this process does not have. */
    Registration enterWithoutMemory(MemorySegment segment, long taggedOffset, MemorySegment handle) {
        return enter(new Region(ibv_mr.lkey(handle), taggedOffset, segment, handle, this, false), handle);
    }

    private Registration enter(Region region, MemorySegment handle) {
        context.regions().add(region);
        return new Registration(region, ibv_mr.rkey(handle));
    }

    synchronized void deregister(Region region) {
        for (IbvMemoryWindow window : takeBoundTo(region)) {
            window.revoke();
        }
        context.regions().remove(region);
        int errno = IbvCalls.DEREG_MR.status(region.handle());
        if (errno == Errno.EBUSY || errno == Errno.EINVAL) {
            // A bind elsewhere was posted but did not happen: the window still holds on to this.
            List.copyOf(bound).stream()
                    .filter(window -> window.wasBoundTo(region))
                    .forEach(IbvMemoryWindow::revoke);
            errno = IbvCalls.DEREG_MR.status(region.handle());
        }
        if (errno != 0) {
            context.regions().add(region);
            String what = String.format("registered buffer with lkey 0x%08x", region.lkey());
            throw errno == Errno.EBUSY || errno == Errno.EINVAL
                    ? Failure.of("ibv_dereg_mr", what, errno, "a memory window is still bound to it: close that first")
                    : Failure.of("ibv_dereg_mr", what, errno);
        }
    }

    /**
     * Returns the registration behind {@code buffer}.
     *
     * @throws IllegalArgumentException if it is not of this context
     */
    Region of(RegisteredBuffer buffer) {
        buffer.requireOpen();
        Region region = context.regions().find(buffer.lkey());
        if (region == null || !region.isOf(this) || !region.segment().equals(buffer.segment())) {
            throw new IllegalArgumentException(buffer.resourceName() + " is not of the domain of the window");
        }
        return region;
    }

    synchronized void bind(IbvMemoryWindow window) {
        bound.add(window);
    }

    synchronized void unbind(IbvMemoryWindow window) {
        bound.remove(window);
    }

    private synchronized List<IbvMemoryWindow> takeBoundTo(Region region) {
        List<IbvMemoryWindow> windows =
                bound.stream().filter(window -> window.isBoundTo(region)).toList();
        windows.forEach(bound::remove);
        return windows;
    }

    /** Does nothing if the device can grant {@code rights}. */
    void requireFeatures(int rights) {
        if (Access.ON_DEMAND.in(rights)) {
            context.capabilities().require(Feature.ON_DEMAND_PAGING, context.device());
        }
        if (Access.ZERO_BASED.in(rights)) {
            context.capabilities().require(Feature.ZERO_BASED, context.device());
        }
        if (Access.REMOTE_ATOMIC.in(rights)) {
            context.capabilities().require(Feature.ATOMICS, context.device());
        }
        if (Access.MEMORY_WINDOW_BIND.in(rights) && context.capabilities().maxMw() == 0) {
            context.capabilities().require(Feature.MEMORY_WINDOW_TYPE_2, context.device());
        }
    }
}

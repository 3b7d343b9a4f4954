package org.panamaverbs.ibverbs.memory;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.ibv_mr;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.call.Undo;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.context.Region;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.Ours;

/** Registers memory for a protection domain, and takes bound windows away before what they are bound to. */
public final class Registrations {
    /** A window of which a bind was posted. */
    interface BoundWindow {
        /** Tells whether the bind that was posted last is to {@code region}. */
        boolean isBoundTo(Region region);

        /** Tells whether a bind to {@code region} was ever posted for the native window of now. */
        boolean wasBoundTo(Region region);

        /** Takes the access away now, as the memory is about to go; the caller holds the registrations. */
        void revoke();
    }

    private final IbvContext context;
    private final ManagedResource owner;
    private final MemorySegment domain;
    // Windows with a bind posted, guarded by this.
    private final Set<BoundWindow> bound = new HashSet<>();

    /** Begins without any; {@code owner} is the domain behind {@code domain}, a {@code struct ibv_pd}. */
    Registrations(IbvContext context, ManagedResource owner, MemorySegment domain) {
        this.context = context;
        this.owner = owner;
        this.domain = domain;
    }

    /**
     * Registers {@code segment}, its first byte at tagged offset {@code iova}; the rights are checked against the
     * device here.
     */
    public Registration register(MemorySegment segment, long iova, int rights) {
        requireFeatures(rights);
        if (iova != segment.address()) {
            context.capabilities().require(Feature.ZERO_BASED, context.device());
        }
        String what = "%d bytes at 0x%x with %s on %s"
                .formatted(segment.byteSize(), segment.address(), Access.format(rights), context.resourceName());
        MemorySegment address = MemorySegment.ofAddress(segment.address());
        int access = flags(rights);
        return enter(
                segment,
                iova,
                true,
                () -> IbvCalls.REG_MR_IOVA2.pointer(what, domain, address, segment.byteSize(), iova, access));
    }

    /** Returns what the library is told of {@code rights}, {@code enum ibv_access_flags}. */
    int flags(int rights) {
        // The tagged offset says that it is zero-based, and huge pages matter only to fork(2).
        int flags = rights & ~(Access.ZERO_BASED.bit() | Access.HUGE_PAGES.bit());
        // A hint, to be ignored.
        return context.capabilities().has(Feature.RELAXED_ORDERING) ? flags : flags & ~Access.RELAXED_ORDERING.bit();
    }

    /** Enters the {@code struct ibv_mr} that {@code create} makes, of memory that this process does not have. */
    Registration enterWithoutMemory(long taggedOffset, Supplier<MemorySegment> create) {
        return enter(MemorySegment.NULL, taggedOffset, false, create);
    }

    /** Enters the {@code struct ibv_mr} that {@code create} makes, of {@code segment} if it {@code hasMemory}. */
    Registration enter(MemorySegment segment, long taggedOffset, boolean hasMemory, Supplier<MemorySegment> create) {
        return Creation.of(
                create,
                handle -> {
                    int lkey = ibv_mr.lkey(handle);
                    Region region = new Region(lkey, taggedOffset, segment, handle, this, hasMemory);
                    Registration made = new Registration(region, ibv_mr.rkey(handle));
                    context.regions().add(region);
                    return made;
                },
                Undo.DEREG_MR);
    }

    /**
     * Ends {@code region}; returns false where its native registration is another's by now, which has nothing to end.
     *
     * @throws org.panamaverbs.api.ResourceException if that fails; it can be tried again
     */
    public synchronized boolean deregister(Region region) {
        if (region.isSuperseded()) {
            return false;
        }
        for (BoundWindow window : List.copyOf(bound)) {
            if (window.isBoundTo(region)) {
                window.revoke();
                bound.remove(window);
            }
        }
        context.regions().remove(region);
        int errno = IbvCalls.DEREG_MR.status(region.handle());
        if (errno == Errno.EBUSY || errno == Errno.EINVAL) {
            // A bind elsewhere was posted but did not happen: the window still holds on to this.
            List.copyOf(bound).stream()
                    .filter(window -> window.wasBoundTo(region))
                    .forEach(BoundWindow::revoke);
            errno = IbvCalls.DEREG_MR.status(region.handle());
        }
        if (errno != 0 && !context.isGone(errno)) {
            context.regions().add(region);
            String what = String.format("registered buffer with lkey 0x%08x", region.lkey());
            throw errno == Errno.EBUSY || errno == Errno.EINVAL
                    ? Failure.of("ibv_dereg_mr", what, errno, "close the memory window that is still bound to it first")
                    : Failure.of("ibv_dereg_mr", what, errno);
        }
        return true;
    }

    /** Ends {@code region}, which was made in vain: nobody has it, so no window is bound to it. Needs no memory. */
    public synchronized void takeBack(Region region) {
        context.regions().remove(region);
        Undo.DEREG_MR.accept(region.handle());
    }

    /** Tells whether the bind of a window that was posted last is to {@code region}. */
    synchronized boolean hasWindow(Region region) {
        return bound.stream().anyMatch(window -> window.isBoundTo(region));
    }

    /**
     * Returns the registration behind {@code buffer}.
     *
     * @throws IllegalArgumentException if it is not of this domain
     */
    public Region of(RegisteredBuffer buffer) {
        buffer.requireOpen();
        Region region = context.regions().find(buffer.lkey());
        if (region == null || !region.isOf(this) || !region.isBehind(buffer)) {
            throw Ours.refusal("registered buffer", owner);
        }
        return region;
    }

    synchronized void bind(BoundWindow window) {
        bound.add(window);
    }

    synchronized void unbind(BoundWindow window) {
        bound.remove(window);
    }

    /** Does nothing if the device can grant {@code rights}. */
    void requireFeatures(int rights) {
        context.limits().checkRights(rights);
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

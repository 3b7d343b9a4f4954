package org.panamaverbs.ibverbs.memory;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.bindings.ibverbs.ibv_mw;
import org.panamaverbs.ibverbs.context.Region;
import org.panamaverbs.ibverbs.extensions.ContextCalls;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.WindowBinding;

/**
 * The {@code struct ibv_mw} of a memory window and what it is bound to. The registrations keep it while it is bound,
 * since it has to go before what it is bound to; it does not keep the application's memory window, so that one that is
 * lost is reported. What changes, changes under the registrations' monitor.
 */
public final class NativeWindow implements Registrations.BoundWindow {
    // infiniband/verbs.h, ibv_inc_rkey: the low 8 bits are the application's.
    private static final int KEY_MASK = 0xFF;

    private final Domain domain;
    private final MemoryWindow.Type type;
    private final Set<Region> everBound = new HashSet<>();
    private volatile MemorySegment handle;
    private volatile WindowBinding binding;
    // What it is bound to, by the bind that was posted last; under the registrations' monitor.
    private @Nullable Region region;
    private volatile boolean ending;
    private boolean deallocated;

    private NativeWindow(Domain domain, MemoryWindow.Type type, MemorySegment handle) {
        this.domain = domain;
        this.type = type;
        this.handle = handle;
        binding = WindowBinding.none(ibv_mw.rkey(handle));
    }

    /** Allocates one of {@code type}, unbound. */
    public static NativeWindow allocate(Domain domain, MemoryWindow.Type type) {
        return Creation.of(
                () -> allocateHandle(domain, type),
                handle -> new NativeWindow(domain, type, handle.reinterpret(ibv_mw.sizeof())),
                ContextCalls.undoAllocMw(domain.context().handle()));
    }

    private static MemorySegment allocateHandle(Domain domain, MemoryWindow.Type type) {
        return ContextCalls.allocMw(domain.context().handle())
                .pointer(
                        domain.resourceName(),
                        domain.handle(),
                        type == MemoryWindow.Type.TYPE_1 ? 1 : 2); // enum ibv_mw_type
    }

    private static void deallocate(Domain domain, MemorySegment handle) {
        domain.context()
                .destroy(
                        ContextCalls.deallocMw(domain.context().handle()),
                        "a window of " + domain.resourceName(),
                        handle);
    }

    /** Returns the {@code struct ibv_mw}. */
    public MemorySegment handle() {
        return handle;
    }

    WindowBinding binding() {
        return binding;
    }

    /** Returns the STag of the next bind. */
    int nextRkey() {
        int stag = binding.rkey();
        return (stag & ~KEY_MASK) | ((stag + 1) & KEY_MASK);
    }

    /** Remembers the bind that was posted last; the caller holds the registrations. */
    public void bound(Region to, WindowBinding now) {
        everBound.add(to);
        region = to;
        binding = now;
        domain.registrations().bind(this);
    }

    /**
     * Takes note that the driver has the bind with {@code rkey} of this window of type 2. ibv_post_send(3) leaves it to
     * the application to store the new key in {@code struct ibv_mw}: drivers, such as rxe's, find the window by it in
     * the next bind. The caller holds the registrations.
     */
    public void posted(int rkey) {
        ibv_mw.rkey(handle, rkey);
    }

    /** Remembers that the access was taken away by a request that was posted. */
    public void unbound() {
        WindowBinding last = binding;
        region = null;
        binding = last.emptied(last.rkey());
    }

    @Override
    public boolean wasBoundTo(Region other) {
        return everBound.contains(other);
    }

    @Override
    public boolean isBoundTo(Region other) {
        return region == other;
    }

    /** Takes the access away: the native window is exchanged for another. One that is being closed goes itself. */
    @Override
    public void revoke() {
        if (ending) {
            deallocateOnce();
            return;
        }
        try {
            exchange();
        } catch (ResourceException e) {
            if (!domain.context().isGone(e.errno())) {
                throw e;
            }
            // It grants nothing any more, and there is no other.
        }
    }

    private void exchange() {
        WindowBinding last = binding;
        Creation.of(
                () -> allocateHandle(domain, type),
                made -> {
                    MemorySegment fresh = made.reinterpret(ibv_mw.sizeof());
                    WindowBinding none = last.emptied(ibv_mw.rkey(fresh));
                    deallocate(domain, handle);
                    handle = fresh;
                    everBound.clear();
                    region = null;
                    binding = none;
                    return fresh;
                },
                ContextCalls.undoAllocMw(domain.context().handle()));
    }

    /** Gives the native window back, as the window is closed; can be called again if it throws. */
    public void end() {
        ending = true;
        Registrations registrations = domain.registrations();
        synchronized (registrations) {
            deallocateOnce();
            registrations.unbind(this);
        }
    }

    private void deallocateOnce() {
        if (!deallocated) {
            deallocate(domain, handle);
            deallocated = true;
        }
    }
}

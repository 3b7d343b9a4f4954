package org.panamaverbs.ibverbs.memory;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.memory.ManagedResource;

/** A protection domain, as what is made in it knows it. */
public abstract class Domain extends ManagedResource {
    private final IbvContext context;
    private final MemorySegment handle;
    // The domain beneath of a parent domain, null of others, which are it themselves.
    private final @Nullable Domain beneath;
    private final Registrations registrations;
    private final ClosedHandles closedHandles;

    /** Takes over {@code handle}, a {@code struct ibv_pd}. */
    protected Domain(IbvContext context, int number, MemorySegment handle) {
        super("protection domain " + number, context);
        this.context = context;
        this.handle = handle;
        beneath = null;
        try {
            registrations = new Registrations(context, this, handle);
            closedHandles = new ClosedHandles();
        } catch (Error e) {
            abandon();
            throw e;
        }
    }

    /** Takes over {@code handle}, the {@code struct ibv_pd} of a parent domain, whose registrations are {@code its}. */
    protected Domain(Domain its, ManagedResource threads, MemorySegment handle) {
        super("parent domain " + its.context.nextNumber(), its, threads);
        context = its.context;
        this.handle = handle;
        beneath = its;
        registrations = its.registrations;
        try {
            closedHandles = new ClosedHandles();
        } catch (Error e) {
            abandon();
            throw e;
        }
    }

    /** Returns the device. */
    public final IbvContext context() {
        return context;
    }

    /** Returns the {@code struct ibv_pd}. */
    public final MemorySegment handle() {
        return handle;
    }

    /** Returns whose the registrations and the windows are that are made here: of a parent domain the one beneath. */
    public final Domain owner() {
        return beneath == null ? this : beneath;
    }

    /** Returns its registrations, of a parent domain those of the one beneath. */
    public final Registrations registrations() {
        return registrations;
    }

    /** Returns its address handles that were closed while requests named them. */
    public final ClosedHandles closedHandles() {
        return closedHandles;
    }

    @Override
    protected final void destroy() {
        closedHandles.destroyAll();
        deallocate();
    }

    /**
     * Ends the native domain.
     *
     * @throws org.panamaverbs.api.ResourceException if that fails; it can be tried again
     */
    protected void deallocate() {
        context.destroy(IbvCalls.DEALLOC_PD, resourceName(), handle);
    }
}

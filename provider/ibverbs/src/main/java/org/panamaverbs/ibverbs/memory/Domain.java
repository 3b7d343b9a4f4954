package org.panamaverbs.ibverbs.memory;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.memory.ManagedResource;

/** A protection domain, as what is made in it knows it. */
public abstract class Domain extends ManagedResource {
    private final IbvContext context;
    private final MemorySegment handle;
    private final Registrations registrations;
    private final ClosedHandles closedHandles;

    /** Takes over {@code handle}, a {@code struct ibv_pd}. */
    protected Domain(IbvContext context, int number, MemorySegment handle) {
        super("protection domain " + number, context);
        this.context = context;
        this.handle = handle;
        try {
            registrations = new Registrations(context, this, handle);
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

    /** Returns its registrations. */
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
        IbvCalls.DEALLOC_PD.check(resourceName(), handle);
    }
}

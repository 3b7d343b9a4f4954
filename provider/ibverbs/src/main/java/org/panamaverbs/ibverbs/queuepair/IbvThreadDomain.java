package org.panamaverbs.ibverbs.queuepair;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.ext.ParentDomain;
import org.panamaverbs.api.ext.ThreadDomain;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_parent_domain_init_attr;
import org.panamaverbs.ibverbs.call.Undo;
import org.panamaverbs.ibverbs.context.HeldParents;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.extensions.ContextCalls;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.Creation;

/** A thread domain, {@code struct ibv_td}. */
public final class IbvThreadDomain extends ManagedResource implements ThreadDomain {
    private final IbvContext context;
    private final MemorySegment handle;

    private IbvThreadDomain(IbvContext context, MemorySegment handle) {
        super("thread domain " + context.nextNumber(), context);
        this.context = context;
        this.handle = handle;
    }

    /** Creates a thread domain. */
    public static IbvThreadDomain create(IbvContext context) {
        context.limits().require(Feature.PARENT_DOMAIN);
        try (HeldParents held = new HeldParents("a thread domain", context);
                Arena scratch = Arena.ofConfined()) {
            held.requireOpen();
            // infiniband/verbs.h: struct ibv_td_init_attr { uint32_t comp_mask; }
            MemorySegment attributes = scratch.allocate(Ibverbs.C_INT);
            return Creation.of(
                    () -> ContextCalls.allocTd(context.handle())
                            .pointer(context.resourceName(), context.handle(), attributes),
                    made -> new IbvThreadDomain(context, made),
                    made -> ContextCalls.deallocTd(context.handle()).check(context.resourceName(), made));
        }
    }

    @Override
    public ParentDomain parentDomain(ProtectionDomain domain) {
        IbvProtectionDomain beneath = IbvProtectionDomain.own(domain, context);
        if (beneath instanceof ParentDomain) {
            throw new IllegalArgumentException(beneath.resourceName() + " is itself a parent domain");
        }
        try (HeldParents held = new HeldParents("a parent domain", this, beneath);
                Arena scratch = Arena.ofConfined()) {
            held.requireOpen();
            MemorySegment attributes = ibv_parent_domain_init_attr.allocate(scratch);
            ibv_parent_domain_init_attr.pd(attributes, beneath.handle());
            ibv_parent_domain_init_attr.td(attributes, handle);
            return Creation.of(
                    () -> ContextCalls.allocParentDomain(context.handle())
                            .pointer(beneath.resourceName(), context.handle(), attributes),
                    made -> new IbvParentDomain(beneath, this, made),
                    Undo.DEALLOC_PD);
        }
    }

    @Override
    protected void destroy() {
        context.destroy(ContextCalls.deallocTd(context.handle()), resourceName(), handle);
    }
}

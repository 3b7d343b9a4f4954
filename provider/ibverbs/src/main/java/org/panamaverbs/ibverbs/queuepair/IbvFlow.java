package org.panamaverbs.ibverbs.queuepair;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.Set;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.ext.Flow;
import org.panamaverbs.api.ext.FlowRule;
import org.panamaverbs.api.ext.FlowSpec;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.call.Call;
import org.panamaverbs.ibverbs.call.Extended;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.context.HeldParents;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.post.NativeQueuePair;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.Creation;

/** A rule in force: {@code ibv_create_flow(3)} and {@code ibv_destroy_flow(3)}. */
final class IbvFlow extends ManagedResource implements Flow {
    private final IbvContext context;
    private final FlowRule rule;
    private final MemorySegment handle;
    private final Call destroy;

    private IbvFlow(
            NativeQueuePair queuePair, FlowRule rule, MemorySegment handle, Call destroy, ManagedResource... parents) {
        super("flow " + queuePair.context().nextNumber() + " of " + queuePair.resourceName(), parents);
        context = queuePair.context();
        this.rule = rule;
        this.handle = handle;
        this.destroy = destroy;
    }

    /** Makes a flow by {@code rule}, where that names no port by that of {@code states}. */
    static IbvFlow create(NativeQueuePair queuePair, FlowRule rule, QpStates states) {
        queuePair.requireOpen();
        IbvContext context = queuePair.context();
        context.limits().require(Feature.FLOW_STEERING);
        QueuePairType type = queuePair.config().type();
        if (type != QueuePairType.RAW_PACKET && type != QueuePairType.UD) {
            throw new UnsupportedOperationException(
                    queuePair.resourceName() + " is " + type + ", flows need RAW_PACKET or UD");
        }
        Call create = Extended.createFlow(context.handle()).orElseThrow(() -> absent(context));
        Call destroy = Extended.destroyFlow(context.handle()).orElseThrow(() -> absent(context));
        ManagedResource[] parents = parents(queuePair, rule);
        try (HeldParents held = new HeldParents("a flow", parents);
                Arena scratch = Arena.ofConfined()) {
            held.requireOpen();
            MemorySegment attributes =
                    FlowAttributes.of(rule.port() == 0 ? rule.withPort(states.port()) : rule, context, scratch);
            String what = "a flow of " + queuePair.resourceName();
            return Creation.of(
                    () -> created(create, what, queuePair.handle(), attributes),
                    made -> new IbvFlow(queuePair, rule, made, destroy, parents),
                    made -> destroy.check(what, made));
        }
    }

    /** Returns what must be closed after a flow of {@code rule}, each once: its queue pair and its counters. */
    private static ManagedResource[] parents(NativeQueuePair queuePair, FlowRule rule) {
        Set<ManagedResource> parents = new LinkedHashSet<>();
        parents.add(queuePair.owner());
        for (FlowSpec spec : rule.specs()) {
            if (spec instanceof FlowSpec.Count count) {
                parents.add(IbvFlowCounters.own(count.counters(), queuePair.context()));
            }
        }
        return parents.toArray(ManagedResource[]::new);
    }

    private static MemorySegment created(Call create, String what, MemorySegment queuePair, MemorySegment attributes) {
        try {
            return create.pointer(what, queuePair, attributes);
        } catch (ResourceException e) {
            throw e.errno() == Errno.EPERM
                    ? Failure.of(create.name(), what, Errno.EPERM, "give the process CAP_NET_RAW")
                    : e;
        }
    }

    private static UnsupportedOperationException absent(IbvContext context) {
        return new UnsupportedOperationException("the driver of device " + context.device()
                + " has no ibv_create_flow; remedy: install a newer rdma-core (apt install, dnf update)");
    }

    @Override
    public FlowRule rule() {
        return rule;
    }

    @Override
    protected void destroy() {
        context.destroy(destroy, resourceName(), handle);
    }
}

package org.panamaverbs.ibverbs.queuepair;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.ext.FlowCounters;
import org.panamaverbs.ibverbs.context.HeldParents;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.extensions.ContextCalls;
import org.panamaverbs.ibverbs.extensions.RawCounters;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.Ours;

/** Counters of flows, {@code struct ibv_counters}. */
public final class IbvFlowCounters extends ManagedResource implements FlowCounters {
    private static final int PREFER_CACHED = 1; // IBV_READ_COUNTERS_ATTR_PREFER_CACHED

    private final IbvContext context;
    private final List<Kind> kinds;
    private final MemorySegment handle;

    private IbvFlowCounters(IbvContext context, List<Kind> kinds, MemorySegment handle) {
        super("flow counters " + context.nextNumber(), context);
        this.context = context;
        this.kinds = kinds;
        this.handle = handle;
    }

    /** Creates counters of {@code kinds}. */
    public static IbvFlowCounters create(IbvContext context, List<Kind> kinds) {
        context.limits().require(Feature.FLOW_COUNTERS);
        if (kinds.isEmpty()) {
            throw new IllegalArgumentException("counters of flows need at least one kind to count, got none");
        }
        try (HeldParents held = new HeldParents("counters of flows", context)) {
            held.requireOpen();
            String what = "counters of flows of " + context.resourceName();
            return Creation.of(
                    () -> RawCounters.create(what, context.handle(), kinds),
                    made -> new IbvFlowCounters(context, kinds, made),
                    made -> ContextCalls.destroyCounters(context.handle()).check(what, made));
        }
    }

    /**
     * Returns {@code counters} as some of {@code context}.
     *
     * @throws IllegalArgumentException if they are not
     */
    static IbvFlowCounters own(FlowCounters counters, IbvContext context) {
        return Ours.of("flow counters", counters, IbvFlowCounters.class, its -> its.context, context);
    }

    MemorySegment handle() {
        return handle;
    }

    @Override
    public List<Kind> kinds() {
        return kinds;
    }

    @Override
    public long[] read() {
        return read(0);
    }

    @Override
    public long[] readCached() {
        return read(PREFER_CACHED);
    }

    private long[] read(int flags) {
        try (HeldParents held = new HeldParents("a reading", this);
                Arena scratch = Arena.ofConfined()) {
            held.requireOpen();
            MemorySegment values = scratch.allocate(JAVA_LONG, kinds.size());
            ContextCalls.readCounters(context.handle()).check(resourceName(), handle, values, kinds.size(), flags);
            return values.toArray(JAVA_LONG);
        }
    }

    @Override
    protected void destroy() {
        context.destroy(ContextCalls.destroyCounters(context.handle()), resourceName(), handle);
    }
}

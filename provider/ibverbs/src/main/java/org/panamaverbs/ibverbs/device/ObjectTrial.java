package org.panamaverbs.ibverbs.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_parent_domain_init_attr;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.rare.ContextCalls;
import org.panamaverbs.ibverbs.rare.RawClock;
import org.panamaverbs.ibverbs.rare.RawCounters;

/** Tries which of the objects that few devices have can be made. Used by one thread. */
final class ObjectTrial {
    private static final String WHAT = "a probe";

    private final MemorySegment context;
    private final MemorySegment domain;
    private final BiConsumer<String, ResourceException> missing;

    private ObjectTrial(MemorySegment context, MemorySegment domain, BiConsumer<String, ResourceException> missing) {
        this.context = context;
        this.domain = domain;
        this.missing = missing;
    }

    /** Returns what there is; {@code missing} hears of what failed, and how, and may throw. */
    static Set<Feature> tried(
            MemorySegment context, MemorySegment domain, BiConsumer<String, ResourceException> missing) {
        ObjectTrial trial = new ObjectTrial(context, domain, missing);
        Set<Feature> found = EnumSet.noneOf(Feature.class);
        trial.add(found, Feature.RAW_CLOCK, "ibv_query_rt_values_ex", trial::clock);
        trial.add(found, Feature.NULL_REGION, "ibv_alloc_null_mr", trial::nullRegion);
        trial.add(found, Feature.PARENT_DOMAIN, "ibv_alloc_parent_domain", trial::parentDomain);
        trial.add(found, Feature.FLOW_COUNTERS, "ibv_create_counters", trial::counters);
        return found;
    }

    private void add(Set<Feature> found, Feature feature, String call, Runnable attempt) {
        try {
            attempt.run();
            found.add(feature);
        } catch (ResourceException e) {
            missing.accept(call, e);
        }
    }

    private void clock() {
        RawClock.of(context).read(context);
    }

    private void nullRegion() {
        IbvCalls.DEREG_MR.check(WHAT, ContextCalls.allocNullMr(context).pointer(WHAT, domain));
    }

    private void counters() {
        ContextCalls.destroyCounters(context).check(WHAT, RawCounters.create(WHAT, context, List.of()));
    }

    private void parentDomain() {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment threads =
                    ContextCalls.allocTd(context).pointer(WHAT, context, scratch.allocate(Ibverbs.C_INT));
            try {
                MemorySegment attributes = ibv_parent_domain_init_attr.allocate(scratch);
                ibv_parent_domain_init_attr.pd(attributes, domain);
                ibv_parent_domain_init_attr.td(attributes, threads);
                IbvCalls.DEALLOC_PD.check(
                        WHAT, ContextCalls.allocParentDomain(context).pointer(WHAT, context, attributes));
            } finally {
                ContextCalls.deallocTd(context).check(WHAT, threads);
            }
        }
    }
}

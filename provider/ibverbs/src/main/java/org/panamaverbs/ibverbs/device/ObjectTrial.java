package org.panamaverbs.ibverbs.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_parent_domain_init_attr;
import org.panamaverbs.bindings.ibverbs.ibv_qp_cap;
import org.panamaverbs.bindings.ibverbs.ibv_qp_init_attr;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.extensions.ContextCalls;
import org.panamaverbs.ibverbs.extensions.QpExOps;
import org.panamaverbs.ibverbs.extensions.RawClock;
import org.panamaverbs.ibverbs.extensions.RawCounters;

/** Tries which of the objects that few devices have can be made. Used by one thread. */
final class ObjectTrial {
    private static final String WHAT = "a probe";
    private static final String CREATE_QP_EX = "ibv_create_qp_ex";
    private static final String ALLOC_MW = "ibv_alloc_mw";

    private final MemorySegment context;
    private final MemorySegment domain;
    private final MemorySegment queue;
    private final BiConsumer<String, ResourceException> missing;

    private ObjectTrial(
            MemorySegment context,
            MemorySegment domain,
            MemorySegment queue,
            BiConsumer<String, ResourceException> missing) {
        this.context = context;
        this.domain = domain;
        this.queue = queue;
        this.missing = missing;
    }

    /**
     * Returns what there is, of what can be {@code claimed} only that; {@code missing} hears of what failed, and how.
     */
    static Set<Feature> tried(
            MemorySegment context,
            MemorySegment domain,
            MemorySegment queue,
            Set<Feature> claimed,
            BiConsumer<String, ResourceException> missing) {
        ObjectTrial trial = new ObjectTrial(context, domain, queue, missing);
        Set<Feature> found = EnumSet.noneOf(Feature.class);
        if (claimed.contains(Feature.RAW_CLOCK)) {
            trial.add(found, Feature.RAW_CLOCK, "ibv_query_rt_values_ex", trial::clock);
        }
        trial.add(found, Feature.NULL_REGION, "ibv_alloc_null_mr", trial::nullRegion);
        trial.add(found, Feature.PARENT_DOMAIN, "ibv_alloc_parent_domain", trial::parentDomain);
        for (Feature operation : List.of(Feature.ATOMIC_WRITE, Feature.FLUSH)) {
            if (claimed.contains(operation)) {
                trial.add(found, operation, CREATE_QP_EX, () -> trial.queuePair(operation));
            }
        }
        trial.add(found, Feature.MEMORY_WINDOW_TYPE_1, ALLOC_MW, () -> trial.window(1)); // enum ibv_mw_type
        trial.add(found, Feature.MEMORY_WINDOW_TYPE_2, ALLOC_MW, () -> trial.window(2));
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

    /** Returns what a queue pair of one place in each of its queues is made with, of type {@code typeCode}. */
    static MemorySegment smallest(Arena arena, MemorySegment queue, int typeCode) {
        MemorySegment init = ibv_qp_init_attr.allocate(arena);
        ibv_qp_init_attr.send_cq(init, queue);
        ibv_qp_init_attr.recv_cq(init, queue);
        ibv_qp_init_attr.qp_type(init, typeCode);
        MemorySegment capacity = ibv_qp_init_attr.cap(init);
        ibv_qp_cap.max_send_wr(capacity, 1);
        ibv_qp_cap.max_recv_wr(capacity, 1);
        ibv_qp_cap.max_send_sge(capacity, 1);
        ibv_qp_cap.max_recv_sge(capacity, 1);
        return init;
    }

    private void queuePair(Feature operation) {
        try (Arena scratch = Arena.ofConfined()) {
            Set<Feature> one = EnumSet.of(operation);
            MemorySegment init = smallest(scratch, queue, Ibverbs.IBV_QPT_RC());
            MemorySegment made = QpExOps.create(context, domain, init, one, Set.of(), WHAT);
            boolean posts;
            try {
                QpExOps ops = QpExOps.of(made, one);
                posts = operation == Feature.FLUSH ? ops.flushes() : ops.writesAtomically();
            } finally {
                IbvCalls.DESTROY_QP.check(WHAT, made);
            }
            if (!posts) {
                throw Failure.of(CREATE_QP_EX, WHAT, Errno.EOPNOTSUPP);
            }
        }
    }

    private void clock() {
        RawClock.of(context).read(context);
    }

    private void nullRegion() {
        IbvCalls.DEREG_MR.check(WHAT, ContextCalls.allocNullMr(context).pointer(WHAT, domain));
    }

    private void window(int type) {
        MemorySegment window = ContextCalls.allocMw(context).pointer(WHAT, domain, type);
        ContextCalls.deallocMw(context).check(WHAT, window);
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

package org.panamaverbs.ibverbs.extensions;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_context;
import org.panamaverbs.bindings.ibverbs.ibv_context_ops;
import org.panamaverbs.bindings.ibverbs.verbs_context;
import org.panamaverbs.ibverbs.call.Call;
import org.panamaverbs.ibverbs.call.Extended;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.Undo;

/**
 * The calls of objects that few devices have, which libibverbs has only as function pointers in {@code struct
 * verbs_context}. Each method looks the pointer up, and throws a {@link org.panamaverbs.api.ResourceException} with
 * EOPNOTSUPP if the library has no such slot. Those of memory windows are in {@code ibv_context.ops}, always.
 */
public final class ContextCalls {
    private static final FunctionDescriptor ALLOC_MW =
            FunctionDescriptor.of(Ibverbs.C_POINTER, Ibverbs.C_POINTER, Ibverbs.C_INT);
    private static final FunctionDescriptor DEALLOC_MW = FunctionDescriptor.of(Ibverbs.C_INT, Ibverbs.C_POINTER);

    private ContextCalls() {}

    /** Returns {@code ibv_alloc_mw(3)}: domain, type. */
    public static Call allocMw(MemorySegment context) {
        return Call.at(ibv_context_ops.alloc_mw(ops(context)), "ibv_alloc_mw", ALLOC_MW);
    }

    /** Returns {@code ibv_dealloc_mw(3)}: window. */
    public static Call deallocMw(MemorySegment context) {
        return Call.at(ibv_context_ops.dealloc_mw(ops(context)), "ibv_dealloc_mw", DEALLOC_MW);
    }

    /** Returns {@link #deallocMw} for a window that was created in vain. */
    public static Undo undoAllocMw(MemorySegment context) {
        return new Undo(ibv_context_ops.dealloc_mw(ops(context)), "ibv_dealloc_mw");
    }

    private static MemorySegment ops(MemorySegment context) {
        return ibv_context.ops(context.reinterpret(ibv_context.sizeof()));
    }

    /** Returns {@code ibv_query_rt_values_ex(3)}: context, values. */
    public static Call queryRtValues(MemorySegment context) {
        return of(
                context,
                verbs_context.query_rt_values$offset(),
                "ibv_query_rt_values_ex",
                verbs_context.query_rt_values.descriptor());
    }

    /** Returns {@code ibv_advise_mr(3)}: domain, advice, flags, pieces, their number. */
    public static Call adviseMr(MemorySegment context) {
        return of(context, verbs_context.advise_mr$offset(), "ibv_advise_mr", verbs_context.advise_mr.descriptor());
    }

    /** Returns {@code ibv_alloc_null_mr(3)}: domain. */
    public static Call allocNullMr(MemorySegment context) {
        return of(
                context,
                verbs_context.alloc_null_mr$offset(),
                "ibv_alloc_null_mr",
                verbs_context.alloc_null_mr.descriptor());
    }

    /** Returns {@code ibv_alloc_td(3)}: context, attributes. */
    public static Call allocTd(MemorySegment context) {
        return of(context, verbs_context.alloc_td$offset(), "ibv_alloc_td", verbs_context.alloc_td.descriptor());
    }

    /** Returns {@code ibv_dealloc_td(3)}: thread domain. */
    public static Call deallocTd(MemorySegment context) {
        return of(context, verbs_context.dealloc_td$offset(), "ibv_dealloc_td", verbs_context.dealloc_td.descriptor());
    }

    /** Returns {@code ibv_alloc_parent_domain(3)}: context, attributes. */
    public static Call allocParentDomain(MemorySegment context) {
        return of(
                context,
                verbs_context.alloc_parent_domain$offset(),
                "ibv_alloc_parent_domain",
                verbs_context.alloc_parent_domain.descriptor());
    }

    /** Returns {@code ibv_alloc_dm(3)}: context, attributes. */
    public static Call allocDm(MemorySegment context) {
        return of(context, verbs_context.alloc_dm$offset(), "ibv_alloc_dm", verbs_context.alloc_dm.descriptor());
    }

    /** Returns {@code ibv_free_dm(3)}: memory of the device. */
    public static Call freeDm(MemorySegment context) {
        return of(context, verbs_context.free_dm$offset(), "ibv_free_dm", verbs_context.free_dm.descriptor());
    }

    /** Returns {@code ibv_reg_dm_mr(3)}: domain, memory of the device, offset, bytes, rights. */
    public static Call regDmMr(MemorySegment context) {
        return of(context, verbs_context.reg_dm_mr$offset(), "ibv_reg_dm_mr", verbs_context.reg_dm_mr.descriptor());
    }

    /** Returns {@code ibv_open_xrcd(3)}: context, attributes. */
    public static Call openXrcd(MemorySegment context) {
        return of(context, verbs_context.open_xrcd$offset(), "ibv_open_xrcd", verbs_context.open_xrcd.descriptor());
    }

    /** Returns {@code ibv_close_xrcd(3)}: domain. */
    public static Call closeXrcd(MemorySegment context) {
        return of(context, verbs_context.close_xrcd$offset(), "ibv_close_xrcd", verbs_context.close_xrcd.descriptor());
    }

    /** Returns {@code ibv_create_srq_ex(3)}: context, attributes. */
    public static Call createSrqEx(MemorySegment context) {
        return of(
                context,
                verbs_context.create_srq_ex$offset(),
                "ibv_create_srq_ex",
                verbs_context.create_srq_ex.descriptor());
    }

    /** Returns {@code ibv_get_srq_num(3)}: shared receive queue, where its number goes. */
    public static Call getSrqNum(MemorySegment context) {
        return of(
                context, verbs_context.get_srq_num$offset(), "ibv_get_srq_num", verbs_context.get_srq_num.descriptor());
    }

    /** Returns {@code ibv_create_qp_ex(3)}: context, attributes. */
    public static Call createQpEx(MemorySegment context) {
        return of(
                context,
                verbs_context.create_qp_ex$offset(),
                "ibv_create_qp_ex",
                verbs_context.create_qp_ex.descriptor());
    }

    /** Returns {@code ibv_open_qp(3)}: context, attributes. */
    public static Call openQp(MemorySegment context) {
        return of(context, verbs_context.open_qp$offset(), "ibv_open_qp", verbs_context.open_qp.descriptor());
    }

    /** Returns {@code ibv_create_counters(3)}: context, attributes. */
    public static Call createCounters(MemorySegment context) {
        return of(
                context,
                verbs_context.create_counters$offset(),
                "ibv_create_counters",
                verbs_context.create_counters.descriptor());
    }

    /** Returns {@code ibv_destroy_counters(3)}: counters. */
    public static Call destroyCounters(MemorySegment context) {
        return of(
                context,
                verbs_context.destroy_counters$offset(),
                "ibv_destroy_counters",
                verbs_context.destroy_counters.descriptor());
    }

    /** Returns {@code ibv_attach_counters_point_flow(3)}: counters, attributes, flow. */
    public static Call attachCountersPointFlow(MemorySegment context) {
        return of(
                context,
                verbs_context.attach_counters_point_flow$offset(),
                "ibv_attach_counters_point_flow",
                verbs_context.attach_counters_point_flow.descriptor());
    }

    /** Returns {@code ibv_read_counters(3)}: counters, values, their number, flags. */
    public static Call readCounters(MemorySegment context) {
        return of(
                context,
                verbs_context.read_counters$offset(),
                "ibv_read_counters",
                verbs_context.read_counters.descriptor());
    }

    private static Call of(MemorySegment context, long offset, String name, FunctionDescriptor descriptor) {
        return Extended.at(context, offset, name, descriptor)
                .orElseThrow(() -> Failure.of(name, "libibverbs", Errno.EOPNOTSUPP));
    }
}

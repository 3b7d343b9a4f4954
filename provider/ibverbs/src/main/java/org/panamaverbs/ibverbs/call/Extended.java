package org.panamaverbs.ibverbs.call;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_context;
import org.panamaverbs.bindings.ibverbs.verbs_context;

/**
 * The calls that libibverbs has only as function pointers in {@code struct verbs_context}, which lies in front of
 * {@code struct ibv_context} and grows at its front: a slot counts if the size says that it is there.
 */
public final class Extended {
    // infiniband/verbs.h: #define __VERBS_ABI_IS_EXTENDED ((void *)UINTPTR_MAX), in ibv_context.abi_compat
    private static final long EXTENDED = -1L;

    private Extended() {}

    /** Returns {@code query_device_ex} of {@code context}: context, input, attributes, their size. */
    public static Optional<Call> queryDevice(MemorySegment context) {
        return at(
                context,
                verbs_context.query_device_ex$offset(),
                "ibv_query_device_ex",
                FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG));
    }

    /** Returns {@code query_port} of {@code context}: context, port, attributes, their size. */
    public static Optional<Call> queryPort(MemorySegment context) {
        return at(
                context,
                verbs_context.query_port$offset(),
                "ibv_query_port",
                FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_BYTE, ADDRESS, JAVA_LONG));
    }

    /** Tells whether {@code context} has {@code modify_cq}. */
    public static boolean hasModifyCq(MemorySegment context) {
        return modifyCq(context).isPresent();
    }

    /** Returns {@code modify_cq} of {@code context}: completion queue, attributes. */
    public static Optional<Call> modifyCq(MemorySegment context) {
        return at(
                context,
                verbs_context.modify_cq$offset(),
                "ibv_modify_cq",
                FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
    }

    /** Returns {@code create_cq_ex} of {@code context}: context, attributes. */
    static Optional<Call> createCq(MemorySegment context) {
        return at(
                context,
                verbs_context.create_cq_ex$offset(),
                "ibv_create_cq_ex",
                FunctionDescriptor.of(Ibverbs.C_POINTER, ADDRESS, ADDRESS));
    }

    /** Returns {@code ibv_create_flow} of {@code context}: queue pair, attributes. */
    public static Optional<Call> createFlow(MemorySegment context) {
        return at(
                context,
                verbs_context.ibv_create_flow$offset(),
                "ibv_create_flow",
                FunctionDescriptor.of(Ibverbs.C_POINTER, ADDRESS, ADDRESS));
    }

    /** Returns {@code ibv_destroy_flow} of {@code context}: flow. */
    public static Optional<Call> destroyFlow(MemorySegment context) {
        return at(
                context,
                verbs_context.ibv_destroy_flow$offset(),
                "ibv_destroy_flow",
                FunctionDescriptor.of(JAVA_INT, ADDRESS));
    }

    /** Returns {@code modify_qp_rate_limit} of {@code context}: queue pair, attributes. */
    public static Optional<Call> modifyQpRateLimit(MemorySegment context) {
        return at(
                context,
                verbs_context.modify_qp_rate_limit$offset(),
                "ibv_modify_qp_rate_limit",
                FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
    }

    /** Returns the function in the slot at {@code offset} of {@code struct verbs_context}, if it is there. */
    public static Optional<Call> at(MemorySegment context, long offset, String name, FunctionDescriptor descriptor) {
        return slot(context, offset).map(address -> Call.at(address, name, descriptor));
    }

    private static Optional<MemorySegment> slot(MemorySegment context, long offset) {
        MemorySegment inner = context.reinterpret(ibv_context.sizeof());
        if (ibv_context.abi_compat(inner).address() != EXTENDED) {
            return Optional.empty();
        }
        MemorySegment outer = MemorySegment.ofAddress(context.address() - verbs_context.context$offset())
                .reinterpret(verbs_context.sizeof());
        if (verbs_context.sz(outer) < verbs_context.sizeof() - offset) {
            return Optional.empty();
        }
        MemorySegment address = outer.get(ADDRESS, offset);
        return address.address() == 0 ? Optional.empty() : Optional.of(address);
    }
}

package org.panamaverbs.ibverbs.queuepair;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Function;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.ext.Ece;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.ibv_ece;
import org.panamaverbs.ibverbs.call.Call;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.post.NativeQueuePair;
import org.panamaverbs.ibverbs.post.SendRequests;

/**
 * What few devices have of a queue pair beside its states: the vendor's options, the order of bytes, and calls that are
 * not the library's.
 *
 * @param queuePair the queue pair
 * @param states whose monitor keeps it from being destroyed during a call
 */
record QpOptions(NativeQueuePair queuePair, QpStates states) {
    /** {@code ibv_query_ece(3)}; empty if the device has no such options. */
    Optional<Ece> ece() {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment ece = ibv_ece.allocate(scratch);
            int errno = with(handle -> IbvCalls.QUERY_ECE.status(handle, ece));
            if (errno == Errno.EOPNOTSUPP || errno == Errno.ENOSYS) {
                return Optional.empty();
            }
            if (errno != 0) {
                throw Failure.of("ibv_query_ece", queuePair.resourceName(), errno);
            }
            return Optional.of(new Ece(ibv_ece.vendor_id(ece), ibv_ece.options(ece)));
        }
    }

    /** {@code ibv_query_ece(3)}, or a refusal. */
    Ece queryEce() {
        return ece().orElseThrow(
                        () -> Failure.orUnsupported("ibv_query_ece", queuePair.resourceName(), Errno.EOPNOTSUPP));
    }

    /** {@code ibv_set_ece(3)}. */
    void setEce(Ece options) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment ece = ibv_ece.allocate(scratch);
            ibv_ece.vendor_id(ece, options.vendorId());
            ibv_ece.options(ece, options.options());
            int errno = with(handle -> IbvCalls.SET_ECE.status(handle, ece));
            if (errno != 0) {
                throw Failure.orUnsupported("ibv_set_ece", queuePair.resourceName(), errno);
            }
        }
    }

    /** {@code ibv_query_qp_data_in_order(3)}, which older libraries lack. */
    boolean isDataInOrder(SendOpcode operation) {
        Call call = IbvCalls.QUERY_QP_DATA_IN_ORDER;
        // What is no transfer writes no more than 8 bytes.
        int code = operation.isTransfer() ? SendRequests.code(operation) : -1;
        return with(handle -> code >= 0 && call.isPresent() && call.number(handle, code, 0) > 0);
    }

    /** Returns what {@code use} makes of the native queue pair. */
    <R> R with(Function<MemorySegment, R> use) {
        synchronized (states) {
            queuePair.requireOpen();
            return use.apply(MemorySegment.ofAddress(queuePair.handle().address()));
        }
    }
}

package org.panamaverbs.ibverbs.connect;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.ext.Ece;
import org.panamaverbs.bindings.ibverbs.ibv_ece;
import org.panamaverbs.ibverbs.call.Call;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.cm.CmId;
import org.panamaverbs.ibverbs.cm.ConnectionFailures;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;

/**
 * The vendors' options of both sides, which travel with the request and the answer: the accepting side takes those of
 * the request before RTR and answers with what its device made of them, the asking side takes the answer's. Nothing is
 * done where the device or librdmacm has none, and another vendor's are left out.
 *
 * @param failures what a call's failure becomes
 * @param id the id
 * @param queuePair its queue pair
 */
record EceSteps(ConnectionFailures failures, CmId id, IbvQueuePair queuePair) {
    /** Has the options that the device has for the queue pair now sent with what is sent next. */
    void tell() {
        if (CmCalls.SET_LOCAL_ECE.isPresent()) {
            queuePair.ece().filter(own -> own.vendorId() != 0).ifPresent(this::tell);
        }
    }

    private void tell(Ece own) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ece = ibv_ece.allocate(arena);
            ibv_ece.vendor_id(ece, own.vendorId());
            ibv_ece.options(ece, own.options());
            check(CmCalls.SET_LOCAL_ECE, ece);
        }
    }

    /** Sets the options that came last for the queue pair, if they are of its device's vendor. */
    void take() {
        if (CmCalls.GET_REMOTE_ECE.isPresent()) {
            queuePair.ece().filter(own -> own.vendorId() != 0).ifPresent(this::take);
        }
    }

    private void take(Ece own) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ece = ibv_ece.allocate(arena);
            check(CmCalls.GET_REMOTE_ECE, ece);
            if (ibv_ece.vendor_id(ece) == own.vendorId()) {
                queuePair.setEce(new Ece(own.vendorId(), ibv_ece.options(ece)));
            }
        }
    }

    private void check(Call call, MemorySegment ece) {
        int errno = id.call(() -> call.status(id.pointer(), ece));
        if (errno != 0) {
            throw failures.call(call.name(), errno);
        }
    }
}

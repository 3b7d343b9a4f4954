package org.panamaverbs.bench.binding;

import static java.lang.foreign.MemorySegment.NULL;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.bindings.ibverbs.ibv_qp_init_attr;
import org.panamaverbs.bindings.ibverbs.ibv_send_wr;
import org.panamaverbs.bindings.ibverbs.ibv_sge;
import org.panamaverbs.bindings.ibverbs.ibv_wc;
import org.panamaverbs.ibverbs.call.IbvCalls;

/**
 * The stub's objects without ours above them: a context with a queue pair and a completion queue, and memory for both.
 */
final class StubDevice {
    /** The most completions that a poll takes. */
    static final int ENTRIES = 16;

    // Closable from any thread, as an application's memory is: the costlier kind for whoever passes segments.
    private final Arena arena = Arena.ofShared();
    final MemorySegment context;
    final MemorySegment qp;
    final MemorySegment cq;
    final MemorySegment wr = arena.allocate(ibv_send_wr.layout());
    final MemorySegment badWr = arena.allocate(8, 8);
    final MemorySegment wc = ibv_wc.allocateArray(ENTRIES, arena);

    StubDevice() {
        String object = "the stub";
        context = IbvCalls.OPEN_DEVICE.pointer(object, NULL);
        MemorySegment pd = IbvCalls.ALLOC_PD.pointer(object, context);
        cq = IbvCalls.CREATE_CQ.pointer(object, context, 256, NULL, NULL, 0);
        MemorySegment attributes = arena.allocate(ibv_qp_init_attr.layout());
        ibv_qp_init_attr.send_cq(attributes, cq);
        ibv_qp_init_attr.recv_cq(attributes, cq);
        qp = IbvCalls.CREATE_QP.pointer(object, pd, attributes);
        ibv_send_wr.sg_list(wr, arena.allocate(ibv_sge.layout()));
    }
}

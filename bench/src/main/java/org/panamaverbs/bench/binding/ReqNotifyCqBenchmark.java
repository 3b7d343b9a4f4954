package org.panamaverbs.bench.binding;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bindings.ibverbs.ibv_context_ops;
import org.panamaverbs.ibverbs.call.Ops;

/** What a call of {@code req_notify_cq} costs. */
@Question("What does a call of req_notify_cq cost?")
public class ReqNotifyCqBenchmark extends CallBenchmark {
    private final long cq = device.cq.address();
    private final MemorySegment function = ibv_context_ops.req_notify_cq(operations);

    @Override
    long callFromC() {
        return Floor.reqNotifyCq(cq, 0, CALLS);
    }

    @Override
    long callByJni() {
        return repeat(() -> Jni.reqNotifyCq(cq, 0) == 0);
    }

    @Override
    long callByJextract() {
        return repeat(() -> ibv_context_ops.req_notify_cq.invoke(function, device.cq, 0) == 0);
    }

    @Override
    long call(Ops ops) {
        return repeat(() -> ops.reqNotifyCq(cq, 0) == 0);
    }
}

package org.panamaverbs.bench.binding;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bindings.ibverbs.ibv_context_ops;
import org.panamaverbs.ibverbs.call.Ops;

/** What a call of {@code post_send} costs: the three-address shape, which {@code post_recv} shares. */
@Question("What does a call of post_send cost, whose shape post_recv shares?")
public class PostSendBenchmark extends CallBenchmark {
    private final long qp = device.qp.address();
    private final long wr = device.wr.address();
    private final long badWr = device.badWr.address();
    private final MemorySegment function = ibv_context_ops.post_send(operations);

    @Override
    long callFromC() {
        return Floor.postSend(qp, wr, badWr, CALLS);
    }

    @Override
    long callByJni() {
        return repeat(() -> Jni.postSend(qp, wr, badWr) == 0);
    }

    @Override
    long callByJextract() {
        return repeat(() -> ibv_context_ops.post_send.invoke(function, device.qp, device.wr, device.badWr) == 0);
    }

    @Override
    long call(Ops ops) {
        return repeat(() -> ops.postSend(qp, wr, badWr) == 0);
    }
}

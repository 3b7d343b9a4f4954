package org.panamaverbs.bench.binding;

import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bindings.ibverbs.ibv_context_ops;
import org.panamaverbs.ibverbs.call.Ops;

/** What a call of {@code poll_cq} costs, by the number of completions that it brings. */
@Question("What does a call of poll_cq cost, by the completions that it brings?")
public class PollCqBenchmark extends CallBenchmark {
    private final long cq = device.cq.address();
    private final long wc = device.wc.address();
    private final MemorySegment function = ibv_context_ops.poll_cq(operations);

    /** How many completions every poll brings. */
    @Param({"0", "1", "16"})
    public int completions;

    @Setup
    public void bring() {
        Floor.completions(completions);
    }

    @TearDown
    public void end() {
        Floor.completions(0);
    }

    @Override
    long callFromC() {
        return Floor.pollCq(cq, StubDevice.ENTRIES, wc, CALLS);
    }

    @Override
    long callByJni() {
        return repeat(() -> Jni.pollCq(cq, StubDevice.ENTRIES, wc) >= 0);
    }

    @Override
    long callByJextract() {
        return repeat(() -> ibv_context_ops.poll_cq.invoke(function, device.cq, StubDevice.ENTRIES, device.wc) >= 0);
    }

    @Override
    long call(Ops ops) {
        return repeat(() -> ops.pollCq(cq, StubDevice.ENTRIES, wc) >= 0);
    }
}

package org.panamaverbs.bench.binding;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bindings.ibverbs.ibv_context;
import org.panamaverbs.bindings.ibverbs.ibv_context_ops;
import org.panamaverbs.ibverbs.call.Ops;

/** What a call of {@code post_send} costs: the three-address shape, which {@code post_recv} shares. */
@Question("What does a call of post_send cost, whose shape post_recv shares?")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(PostSendBenchmark.CALLS)
public class PostSendBenchmark {
    static final int CALLS = 1_000;

    private final StubDevice device = new StubDevice();
    private final long qp = device.qp().address();
    private final long wr = device.wr().address();
    private final long badWr = device.badWr().address();
    private final Ops plain = Ops.of(device.context(), false);
    private final Ops critical = Ops.of(device.context(), true);
    private final MemorySegment function = ibv_context_ops.post_send(ibv_context.ops(device.context()));

    /** For JMH. */
    public PostSendBenchmark() {}

    /** The floor. */
    @Benchmark
    public long c() {
        return Floor.postSend(qp, wr, badWr, CALLS);
    }

    /** A binding in C. */
    @Benchmark
    @Against("c")
    public long jni() {
        for (int i = 0; i < CALLS; i++) {
            if (Jni.postSend(qp, wr, badWr) != 0) {
                return i;
            }
        }
        return CALLS;
    }

    /** The generated code as it is, with segments. */
    @Benchmark
    @Against("c")
    @Against("jni")
    public long jextract() {
        for (int i = 0; i < CALLS; i++) {
            if (ibv_context_ops.post_send.invoke(function, device.qp(), device.wr(), device.badWr()) != 0) {
                return i;
            }
        }
        return CALLS;
    }

    /** Ours, for drivers that may call the kernel. */
    @Benchmark
    @Against("c")
    @Against("jni")
    public long opsPlain() {
        return post(plain);
    }

    /** Ours, for drivers that only ring a doorbell. */
    @Benchmark
    @Against(value = "c", atMost = 3)
    @Against(value = "jni", atMost = 0.5)
    public long opsCritical() {
        return post(critical);
    }

    private long post(Ops ops) {
        for (int i = 0; i < CALLS; i++) {
            if (ops.postSend(qp, wr, badWr) != 0) {
                return i;
            }
        }
        return CALLS;
    }
}

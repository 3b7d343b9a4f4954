package org.panamaverbs.bench.binding;

import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.NanosecondsBenchmark;
import org.panamaverbs.bindings.ibverbs.ibv_context;
import org.panamaverbs.ibverbs.call.Ops;

/**
 * What a call of the driver costs, by each way to make it; a way makes {@value #CALLS} calls and returns how many went.
 */
@OperationsPerInvocation(CallBenchmark.CALLS)
public abstract class CallBenchmark extends NanosecondsBenchmark {
    static final int CALLS = 1_000;

    final StubDevice device = new StubDevice();
    final MemorySegment operations = ibv_context.ops(device.context);
    private final Ops plain = Ops.of(device.context, false);
    private final Ops critical = Ops.of(device.context, true);

    /** Makes {@code call}, which tells whether it succeeded, {@value #CALLS} times; returns how many did. */
    static long repeat(BooleanSupplier call) {
        for (int i = 0; i < CALLS; i++) {
            if (!call.getAsBoolean()) {
                return i;
            }
        }
        return CALLS;
    }

    abstract long callFromC();

    abstract long callByJni();

    abstract long callByJextract();

    abstract long call(Ops ops);

    /** The floor. */
    @Benchmark
    public long c() {
        return callFromC();
    }

    /** A binding in C. */
    @Benchmark
    @Against("c")
    public long jni() {
        return callByJni();
    }

    /** The generated code as it is, with segments. */
    @Benchmark
    @Against("c")
    @Against("jni")
    public long jextract() {
        return callByJextract();
    }

    /** Ours, for drivers that may call the kernel. */
    @Benchmark
    @Against("c")
    @Against("jni")
    public long opsPlain() {
        return call(plain);
    }

    /** Ours, for drivers that only ring a doorbell. */
    @Benchmark
    @Against(value = "c", atMost = 3)
    @Against(value = "jni", atMost = 0.5)
    public long opsCritical() {
        return call(critical);
    }
}

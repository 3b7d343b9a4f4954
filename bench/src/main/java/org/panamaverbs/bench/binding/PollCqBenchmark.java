package org.panamaverbs.bench.binding;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bindings.ibverbs.ibv_context;
import org.panamaverbs.bindings.ibverbs.ibv_context_ops;
import org.panamaverbs.ibverbs.call.Ops;

/** What a call of {@code poll_cq} costs, by the number of completions that it brings. */
@Question("What does a call of poll_cq cost, by the completions that it brings?")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(PollCqBenchmark.CALLS)
public class PollCqBenchmark {
    static final int CALLS = 1_000;

    private final StubDevice device = new StubDevice();
    private final long cq = device.cq().address();
    private final long wc = device.wc().address();
    private final Ops plain = Ops.of(device.context(), false);
    private final Ops critical = Ops.of(device.context(), true);
    private final MemorySegment function = ibv_context_ops.poll_cq(ibv_context.ops(device.context()));

    /** How many completions every poll brings. */
    @Param({"0", "1", "16"})
    public int completions;

    /** For JMH. */
    public PollCqBenchmark() {}

    /** Has the stub bring completions. */
    @Setup
    public void bring() {
        Floor.completions(completions);
    }

    /** Ends the stub's answers. */
    @TearDown
    public void end() {
        Floor.completions(0);
    }

    /** The floor. */
    @Benchmark
    public long c() {
        return Floor.pollCq(cq, StubDevice.ENTRIES, wc, CALLS);
    }

    /** A binding in C. */
    @Benchmark
    @Against("c")
    public long jni() {
        for (int i = 0; i < CALLS; i++) {
            if (Jni.pollCq(cq, StubDevice.ENTRIES, wc) < 0) {
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
            if (ibv_context_ops.poll_cq.invoke(function, device.cq(), StubDevice.ENTRIES, device.wc()) < 0) {
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
        return poll(plain);
    }

    /** Ours, for drivers that only ring a doorbell. */
    @Benchmark
    @Against(value = "c", atMost = 3)
    @Against(value = "jni", atMost = 0.5)
    public long opsCritical() {
        return poll(critical);
    }

    private long poll(Ops ops) {
        for (int i = 0; i < CALLS; i++) {
            if (ops.pollCq(cq, StubDevice.ENTRIES, wc) < 0) {
                return i;
            }
        }
        return CALLS;
    }
}

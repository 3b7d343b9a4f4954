package org.panamaverbs.bench.binding;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.NanosecondsBenchmark;
import org.panamaverbs.bench.Question;

/** What polling a completion queue and reading what came costs, by the number of completions that a poll brings. */
@Question("What does it cost to poll a completion queue of ibverbs and to read what came, by completions a poll?")
@OperationsPerInvocation(CompletionBenchmark.CALLS)
public class CompletionBenchmark extends NanosecondsBenchmark {
    static final int CALLS = 1_000;

    private final StubDevice device = new StubDevice();
    private final StubObjects plainVerbs = new StubObjects(false);
    private final StubObjects criticalVerbs = new StubObjects(true);
    private final CompletionQueue plain = plainVerbs.queue;
    private final CompletionQueue critical = criticalVerbs.queue;
    private final WorkCompletions batch = WorkCompletions.ofCapacity(StubDevice.ENTRIES);

    /** How many completions every poll brings. */
    @Param({"0", "1", "16"})
    public int completions;

    @Setup
    public void bring() {
        Floor.completions(completions);
    }

    @TearDown
    public void close() {
        Floor.completions(0);
        plainVerbs.close();
        criticalVerbs.close();
    }

    /** The floor. */
    @Benchmark
    public long c() {
        return Floor.pollAndRead(device.cq.address(), StubDevice.ENTRIES, device.wc.address(), CALLS);
    }

    /** A driver that may call the kernel. */
    @Benchmark
    @Against("c")
    public long pollPlain() {
        return poll(plain);
    }

    /** A driver that only reads memory. */
    @Benchmark
    @Against("c")
    public long pollCritical() {
        return poll(critical);
    }

    private long poll(CompletionQueue queue) {
        long sum = 0;
        for (int i = 0; i < CALLS; i++) {
            int count = queue.poll(batch);
            for (int j = 0; j < count; j++) {
                WorkCompletion completion = batch.get(j);
                sum += completion.wrId() + completion.byteCount() + (completion.ok() ? 0 : 1);
            }
        }
        return sum;
    }
}

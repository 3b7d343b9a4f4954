package org.panamaverbs.bench.iwarp;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.TearDown;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.NanosecondsBenchmark;
import org.panamaverbs.bench.Question;
import org.panamaverbs.iwarp.core.CompletionSink;

/** What completions cost on their way through a queue, by how many a poll brings. */
@Question("What does it cost to put completions into a queue of iwarp, to poll it once, and to read them?")
public class PollFullBenchmark extends NanosecondsBenchmark {
    private static final int MOST = 16;
    private static final int RING = 64;
    private static final int LENGTH = 64;

    private final Verbs verbs = Verbs.open(OpenConfig.provider("iwarp").with("progress", "spin"));
    private final CompletionQueue queue = verbs.completionQueue(RING);
    // What streams see of the queue.
    private final CompletionSink sink = (CompletionSink) queue;
    private final WorkCompletions batch = WorkCompletions.ofCapacity(MOST);
    private final long[] wrIds = new long[RING];
    private final long[] lengths = new long[RING];
    private long head;
    private long tail;

    /** How many completions a poll brings. */
    @Param({"1", "16"})
    public int completions;

    @TearDown
    public void close() {
        queue.close();
        verbs.close();
    }

    /** The floor: two numbers of each through arrays, for one thread. */
    @Benchmark
    public long arrays() {
        for (int i = 0; i < completions; i++) {
            int slot = (int) tail++ & (RING - 1);
            wrIds[slot] = i;
            lengths[slot] = LENGTH;
        }
        long sum = 0;
        while (head != tail) {
            int slot = (int) head++ & (RING - 1);
            sum += wrIds[slot] + lengths[slot];
        }
        return sum;
    }

    /** The queue, for any number of threads. */
    @Benchmark
    @Against("arrays")
    public long poll() {
        for (int i = 0; i < completions; i++) {
            if (sink.complete(i, WcStatus.SUCCESS, WcOpcode.RDMA_WRITE, 1, LENGTH, 0, 0, 0) == CompletionSink.LOST) {
                throw new IllegalStateException("the queue is full");
            }
        }
        int count = queue.poll(batch);
        long sum = 0;
        for (int i = 0; i < count; i++) {
            WorkCompletion completion = batch.get(i);
            sum += completion.wrId() + completion.byteCount() + (completion.ok() ? 0 : 1);
        }
        return sum;
    }
}

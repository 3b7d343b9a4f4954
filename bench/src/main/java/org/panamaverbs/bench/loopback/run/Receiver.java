package org.panamaverbs.bench.loopback.run;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.panamaverbs.api.CompletionWait;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.bench.loopback.exchange.PeerThread;
import org.panamaverbs.bench.loopback.exchange.Side;

/** The thread that waits for messages, which say when they were due, and posts their receives again. */
final class Receiver implements AutoCloseable {
    /** Bytes of a message, and of the place of a receive. */
    static final int MESSAGE_BYTES = 64;

    private static final long LOOK_MILLIS = 20;
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final Side side;
    private final QueuePair queuePair;
    private final MemorySegment octets;
    private final WorkCompletions completions = WorkCompletions.ofCapacity(64);
    private final Histogram latencies = new Histogram(LONGEST_NANOS, 3);
    private final PeerThread thread;
    private volatile CompletionWait wait;
    // The thread's own.
    private long taken;
    private volatile long received;

    /** Posts {@code count} receives, and starts the thread. */
    Receiver(Side side, QueuePair queuePair, CompletionWait wait, int count) {
        this.side = side;
        this.queuePair = queuePair;
        this.wait = wait;
        octets = side.buffer().segment();
        for (int i = 0; i < count; i++) {
            receive(i);
        }
        thread = PeerThread.start(this::take);
    }

    private void receive(long number) {
        side.receive(queuePair, number, number * MESSAGE_BYTES, MESSAGE_BYTES);
    }

    /** Has the thread wait by {@code next} from its next wait on. */
    void waitBy(CompletionWait next) {
        wait = next;
    }

    /** Returns how many messages have come. */
    long received() {
        thread.check();
        return received;
    }

    /**
     * Returns the times from when messages were due; written by the thread until {@link #received} says that all came.
     */
    Histogram latencies() {
        return latencies;
    }

    private boolean take() {
        int count;
        try {
            count = wait.await(completions, Deadline.in(LOOK_MILLIS, TimeUnit.MILLISECONDS));
        } catch (DeadlineExceededException e) {
            return false;
        }
        long now = System.nanoTime();
        for (int i = 0; i < count; i++) {
            WorkCompletion completion = completions.get(i);
            if (!completion.ok()) {
                throw new IllegalStateException("a receive failed: " + completion);
            }
            long late = now - octets.get(JAVA_LONG, completion.wrId() * MESSAGE_BYTES);
            latencies.recordValue(Math.clamp(late, 0, LONGEST_NANOS));
            receive(completion.wrId());
        }
        taken += count;
        received = taken;
        return true;
    }

    @Override
    public void close() {
        thread.close();
    }
}

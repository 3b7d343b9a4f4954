package org.panamaverbs.bench.loopback.waits;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionWait;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.memory.RegisteredBuffer;

/** The thread that waits for messages, which say when they were due, and posts their receives again. */
final class Receiver implements AutoCloseable {
    /** Octets of a message, and of the place of a receive. */
    static final int MESSAGE_BYTES = 64;

    private static final long LOOK_MILLIS = 20;
    private static final long CLOSE_MILLIS = TimeUnit.SECONDS.toMillis(30);

    private final QueuePair queuePair;
    private final RegisteredBuffer buffer;
    private final MemorySegment octets;
    private final WorkCompletions completions = WorkCompletions.ofCapacity(64);
    private final Thread thread =
            Thread.ofPlatform().name("bench-receiver").daemon().unstarted(this::run);
    private final Latencies latencies = new Latencies();
    private volatile CompletionWait wait;
    // The thread's own.
    private long taken;
    private volatile long received;
    private volatile boolean closed;
    private volatile @Nullable Throwable failure;

    Receiver(QueuePair queuePair, RegisteredBuffer buffer, CompletionWait wait) {
        this.queuePair = queuePair;
        this.buffer = buffer;
        this.wait = wait;
        octets = buffer.segment();
    }

    /** Posts {@code count} receives, and starts the thread. */
    void start(int count) {
        for (int i = 0; i < count; i++) {
            receive(i);
        }
        thread.start();
    }

    private void receive(long number) {
        PostStatus.check(queuePair.recv(number, buffer, number * MESSAGE_BYTES, MESSAGE_BYTES));
    }

    /** Has the thread wait by {@code next} from its next wait on. */
    void waitBy(CompletionWait next) {
        wait = next;
    }

    /** Returns how many messages have come. */
    long received() {
        Throwable e = failure;
        if (e != null) {
            throw new IllegalStateException("the receiver's thread failed: " + e, e);
        }
        return received;
    }

    /**
     * Returns the times from when messages were due; written by the thread until {@link #received} says that all came.
     */
    Latencies latencies() {
        return latencies;
    }

    private void run() {
        try {
            while (!closed) {
                take();
            }
        } catch (Throwable e) {
            failure = e;
        }
    }

    private void take() {
        int count;
        try {
            count = wait.await(completions, Deadline.in(LOOK_MILLIS, TimeUnit.MILLISECONDS));
        } catch (DeadlineExceededException e) {
            return;
        }
        long now = System.nanoTime();
        for (int i = 0; i < count; i++) {
            WorkCompletion completion = completions.get(i);
            if (!completion.ok()) {
                throw new IllegalStateException("a receive failed: " + completion);
            }
            latencies.add(now - octets.get(JAVA_LONG, completion.wrId() * MESSAGE_BYTES));
            receive(completion.wrId());
        }
        taken += count;
        received = taken;
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new IllegalStateException("the receiver's thread did not end within " + CLOSE_MILLIS + " ms");
        }
    }
}

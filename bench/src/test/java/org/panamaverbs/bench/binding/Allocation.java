package org.panamaverbs.bench.binding;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** Counts what a thread allocates. */
final class Allocation {
    private static final int OPERATIONS = 20_000;
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    /** Fails if {@code operation}, which answers 0 or more, allocates in every round until the time is over. */
    static void none(IntSupplier operation) {
        // Until the operation is compiled, and while it is, the thread allocates for others; then
        // it must not at all. How many rounds that takes depends on what else the machine does.
        long started = System.nanoTime();
        long least = of(operation);
        while (least > 0 && System.nanoTime() - started < LIMIT_NANOS) {
            least = Math.min(least, of(operation));
        }
        assertThat(least).as("bytes in %d operations, best round", OPERATIONS).isZero();
    }

    /** Returns the bytes that a round of {@code operation} allocates. */
    static long of(IntSupplier operation) {
        int failures = 0;
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < OPERATIONS; i++) {
            if (operation.getAsInt() < 0) {
                failures++;
            }
        }
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertThat(failures).isZero();
        return allocated;
    }
}

package org.panamaverbs.bench.binding;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.IntSupplier;

/** Counts what a thread allocates. */
final class Allocation {
    private static final int OPERATIONS = 20_000;
    private static final int ROUNDS = 20;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    /** Fails if {@code operation}, which answers 0 or more, allocates in the best of some rounds. */
    static void none(IntSupplier operation) {
        // Until the operation is compiled, and while it is, the thread allocates for others; then it must not at all.
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS && least > 0; round++) {
            least = Math.min(least, of(operation));
        }
        assertThat(least)
                .as("octets in %d operations, best of %d rounds", OPERATIONS, ROUNDS)
                .isZero();
    }

    /** Returns the octets that a round of {@code operation} allocates. */
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

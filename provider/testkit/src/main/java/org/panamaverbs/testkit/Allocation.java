package org.panamaverbs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What the calling thread allocates. */
public final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    /**
     * Fails if {@code round}, which is {@code operations} operations, allocates an octet or more for each. Repeats it
     * up to {@code rounds} times until it does not: allocation of the first rounds is warm-up, of classes, profiles and
     * boxes made before the compiler removes them.
     */
    public static void expectNone(int operations, int rounds, Runnable round) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < rounds && least >= operations; i++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            round.run();
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least)
                .as("octets allocated by %d operations in the best of %d rounds", operations, rounds)
                .isLessThan(operations);
    }
}

package org.panamaverbs.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.Deadline;

/** What the calling thread allocates. */
public final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final long PATIENCE_SECONDS = 60;

    private Allocation() {}

    /** Returns how many bytes {@code round} allocates, compiled or not. */
    public static long of(Runnable round) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        round.run();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    /**
     * Fails if {@code round}, which is {@code operations} operations, allocates a byte or more for each. Repeats it
     * until it does not: allocation of the first rounds is warm-up, of classes, profiles and boxes made before the
     * compiler removes them. Gives up after {@code rounds} rounds, but not before {@value #PATIENCE_SECONDS} seconds:
     * on a busy machine the compiler comes late.
     */
    public static void expectNone(int operations, int rounds, Runnable round) {
        long least = Long.MAX_VALUE;
        int played = 0;
        for (Deadline patience = Deadline.in(PATIENCE_SECONDS, TimeUnit.SECONDS);
                least >= operations && (played < rounds || !patience.passed());
                played++) {
            least = Math.min(least, of(round));
        }
        assertThat(least)
                .as("bytes allocated by %d operations in the best of %d rounds", operations, played)
                .isLessThan(operations);
    }
}

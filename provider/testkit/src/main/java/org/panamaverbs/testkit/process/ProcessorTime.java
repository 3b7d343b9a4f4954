package org.panamaverbs.testkit.process;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.Deadline;

/** The time of processors that threads of this process use. */
public final class ProcessorTime {
    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private ProcessorTime() {}

    /** Returns the nanoseconds that living threads have used so far whose names begin with {@code prefix}. */
    public static long nanosOfThreads(String prefix) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith(prefix)) {
                sum += Math.max(0, threads.getThreadCpuTime(thread.threadId()));
            }
        }
        return sum;
    }

    /**
     * Waits until the threads whose names begin with {@code prefix} have slept for most of 5 ms.
     *
     * @return false if the deadline passed before: one of them spins
     */
    public static boolean awaitRest(String prefix, Deadline deadline) {
        while (true) {
            long used = nanosOfThreads(prefix);
            long end = System.nanoTime() + MOMENT_NANOS;
            while (System.nanoTime() - end < 0) {
                Thread.yield();
            }
            if (nanosOfThreads(prefix) - used < MOMENT_NANOS / 4) {
                return true;
            }
            if (deadline.passed()) {
                return false;
            }
        }
    }
}

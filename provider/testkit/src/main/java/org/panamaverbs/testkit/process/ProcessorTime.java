package org.panamaverbs.testkit.process;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The time of processors that threads of this process use. */
public final class ProcessorTime {
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
}

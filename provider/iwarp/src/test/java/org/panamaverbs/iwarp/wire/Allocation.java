package org.panamaverbs.iwarp.wire;

import java.lang.reflect.Method;
import java.util.concurrent.TimeUnit;

/**
 * Measures what the current thread allocates. The management interface is reached by reflection, because the module
 * under test has no business requiring it.
 */
public final class Allocation {
    private static final int WARM_UP = 100_000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int OPERATIONS = 1_000;
    // Two reflective reads box a long and make an argument array each, unless they are compiled away. The smallest
    // object has 16 octets: an allocation in one operation of a hundred shows.
    private static final long MEASURING_BYTES = 128;

    private Allocation() {}

    /** Octets allocated by {@code 1000} runs once they are compiled, without the cost of measuring. */
    public static long bytesPerThousand(Runnable operation) {
        return bytesPerThousand(operation, PATIENCE_NANOS);
    }

    /** As {@link #bytesPerThousand(Runnable)}, looking for a quiet round no longer than {@code patienceNanos}. */
    static long bytesPerThousand(Runnable operation, long patienceNanos) {
        for (int i = 0; i < WARM_UP; i++) {
            operation.run();
        }
        return Math.max(0, least(operation, patienceNanos) - MEASURING_BYTES);
    }

    /**
     * The quietest round counts: compilation may allocate in this thread's name now and then, and on a busy machine it
     * comes late.
     */
    private static long least(Runnable operation, long patienceNanos) {
        long least = Long.MAX_VALUE;
        long start = System.nanoTime();
        while (least > MEASURING_BYTES && System.nanoTime() - start < patienceNanos) {
            long before = allocatedBytes();
            for (int i = 0; i < OPERATIONS; i++) {
                operation.run();
            }
            least = Math.min(least, allocatedBytes() - before);
        }
        return least;
    }

    /** Octets that this thread has allocated so far. */
    public static long allocatedBytes() {
        try {
            return (long) Counter.METHOD.invoke(Counter.BEAN);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("cannot read the allocation counter", e);
        }
    }

    private static final class Counter {
        static final Object BEAN;
        static final Method METHOD;

        static {
            try {
                BEAN = Class.forName("java.lang.management.ManagementFactory")
                        .getMethod("getThreadMXBean")
                        .invoke(null);
                METHOD = Class.forName("com.sun.management.ThreadMXBean").getMethod("getCurrentThreadAllocatedBytes");
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("this JVM does not count allocations", e);
            }
        }
    }
}

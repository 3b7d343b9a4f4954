package org.panamaverbs.bench.loopback.exchange;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/** Times of round trips, and what they left to the collector; of the one thread that measures. */
public final class RoundTrips {
    private static final int MOST = 1 << 20;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final long[] nanos = new long[MOST];
    private int count;
    private long end;
    private long asked;
    private long bytesBefore;
    private long pace;

    /** Begins with a first question, to go on for {@code duration}. */
    public void begin(long duration) {
        count = 0;
        bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
        asked = System.nanoTime();
        end = asked + duration;
    }

    /** Has questions be due every {@code interval} nanoseconds, from when their times count; 0 for at each answer. */
    public void pace(long interval) {
        pace = interval;
    }

    /** Takes an answer, at which the next question is asked, or when that is due; false at the end. */
    public boolean answered() {
        long now = System.nanoTime();
        nanos[count++] = now - asked;
        asked = pace == 0 ? now : asked + pace;
        while (pace != 0 && System.nanoTime() - asked < 0) {
            Thread.onSpinWait();
        }
        return now - end < 0 && count < MOST;
    }

    /** Returns how many answers there were. */
    public int count() {
        return count;
    }

    /** Returns the percentiles, and the garbage of a round trip. */
    public End.Figure figure() {
        double garbage = (double) (THREADS.getCurrentThreadAllocatedBytes() - bytesBefore) / count;
        Arrays.sort(nanos, 0, count);
        return new End.Figure(nanos[count / 2], nanos[(int) (count * 0.99)], nanos[(int) (count * 0.999)], garbage);
    }
}

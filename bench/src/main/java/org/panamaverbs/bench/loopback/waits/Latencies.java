package org.panamaverbs.bench.loopback.waits;

import java.util.Arrays;

/** Counts times in steps of 10 ns, up to 20 ms; what is longer counts as that. One thread at a time. */
final class Latencies {
    private static final int STEP_NANOS = 10;

    private final int[] counts = new int[2_000_000];
    private long total;

    void clear() {
        Arrays.fill(counts, 0);
        total = 0;
    }

    void add(long nanos) {
        counts[Math.clamp(nanos / STEP_NANOS, 0, counts.length - 1)]++;
        total++;
    }

    /** Returns the time, in microseconds, below which the {@code part} of all lie; NaN if there are none. */
    double quantile(double part) {
        long wanted = (long) Math.ceil(part * total);
        long seen = 0;
        for (int i = 0; i < counts.length && total > 0; i++) {
            seen += counts[i];
            if (seen >= wanted) {
                return i * STEP_NANOS / 1e3;
            }
        }
        return Double.NaN;
    }
}

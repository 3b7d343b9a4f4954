package org.panamaverbs.cli.perf.measure;

import org.HdrHistogram.Histogram;

/** Reads or Atomics, one at a time; the server does nothing of its own. */
public final class RoundTrip {
    private final PerfTest.Operation operation;
    private final boolean compareAndSwap;
    private final Lane lane;
    private final Tally tally;

    public RoundTrip(PerfTest.Operation operation, boolean compareAndSwap, Lane lane, Tally tally) {
        this.operation = operation;
        this.compareAndSwap = compareAndSwap;
        this.lane = lane;
        this.tally = tally;
    }

    /** Does round trips one after the other until {@code pace} ends; each goes into {@code times}. */
    public void ask(int size, Pace pace, Histogram times) {
        long before = System.nanoTime();
        while (pace.goesOn(before)) {
            lane.post(operation, size, 1, true, compareAndSwap);
            while (lane.completed < lane.posted) {
                tally.advance();
            }
            long now = System.nanoTime();
            times.recordValue(Math.min(now - before, LatencyResult.HIGHEST_NANOS));
            before = now;
        }
    }
}

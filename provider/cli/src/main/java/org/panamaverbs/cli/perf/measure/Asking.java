package org.panamaverbs.cli.perf.measure;

import org.HdrHistogram.Histogram;

/** What a client of a latency test does: one round trip after the other. Used by one thread. */
public abstract class Asking {
    final PerfTest.Operation operation;
    final Lane lane;
    final Tally tally;

    Asking(PerfTest.Operation operation, Lane lane, Tally tally) {
        this.operation = operation;
        this.lane = lane;
        this.tally = tally;
    }

    /** Does round trips of {@code size} bytes until {@code pace} ends; each goes into {@code times}. */
    public final void ask(int size, Pace pace, Histogram times) {
        long before = System.nanoTime();
        while (pace.goesOn(before)) {
            roundTrip(size);
            long now = System.nanoTime();
            times.recordValue(Math.min(now - before, LatencyResult.HIGHEST_NANOS));
            before = now;
        }
    }

    /** Does one round trip. */
    abstract void roundTrip(int size);
}

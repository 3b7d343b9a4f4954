package org.panamaverbs.cli.perf.measure;

/** Reads or Atomics, one at a time; the server does nothing of its own. */
public final class RoundTrip extends Asking {
    private final boolean compareAndSwap;

    public RoundTrip(PerfTest.Operation operation, boolean compareAndSwap, Lane lane, Tally tally) {
        super(operation, lane, tally);
        this.compareAndSwap = compareAndSwap;
    }

    @Override
    void roundTrip(int size) {
        lane.post(operation, size, 1, true, compareAndSwap);
        while (lane.completed < lane.posted) {
            tally.advance();
        }
    }
}

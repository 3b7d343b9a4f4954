package org.panamaverbs.cli.perf.measure;

import org.HdrHistogram.Histogram;

/**
 * The loops of perftest's tools, whose sides agree on nothing beyond the count: no warm-up, no word at the end, no flow
 * control but that of the transport. Used by one thread.
 */
public final class OutOfBandTurns {
    private final PerfTest.Operation operation;
    private final Lane lane;
    private final Tally tally;
    private final int iterations;

    public OutOfBandTurns(PerfTest.Operation operation, Lane lane, Tally tally, int iterations) {
        this.operation = operation;
        this.lane = lane;
        this.tally = tally;
        this.iterations = iterations;
    }

    /**
     * Takes turns with the peer; {@code first} if this side begins: perftest's server of Writes, its client of Sends. A
     * Write is noticed by its last byte, which counts. Each round trip goes into {@code times}.
     */
    public void takeTurns(int size, boolean first, Histogram times) {
        long sent = 0;
        long seen = 0;
        long before = 0;
        while (sent < iterations || seen < iterations) {
            if (seen < iterations && !(first && sent == 0)) {
                seen++;
                awaitMessage(size, seen);
            }
            if (sent < iterations) {
                long now = System.nanoTime();
                if (sent > 0) {
                    times.recordValue(Math.min(now - before, LatencyResult.HIGHEST_NANOS));
                }
                before = now;
                sent++;
                if (operation == PerfTest.Operation.WRITE) {
                    lane.mark(size, (byte) sent);
                }
                lane.post(operation, size, 1, true, false);
                while (lane.completed < lane.posted) {
                    tally.poll();
                }
            }
        }
    }

    private void awaitMessage(int size, long number) {
        if (operation == PerfTest.Operation.WRITE) {
            while (!lane.isMarked(size, (byte) number)) {
                tally.poll();
            }
            tally.moved();
            return;
        }
        while (lane.arrived < number) {
            tally.poll();
        }
        lane.giveBack();
    }

    /** Posts all messages, up to {@code depth} in flight, one of {@code moderation} signaled. */
    public BandwidthResult pour(int size, int depth, int moderation, boolean compareAndSwap) {
        long goal = lane.posted + iterations;
        int each = Math.min(moderation, depth);
        long begun = System.nanoTime();
        while (lane.completed < goal) {
            while (lane.posted < goal && lane.posted - lane.completed < depth) {
                long next = lane.posted + 1;
                lane.post(operation, size, 1, next % each == 0 || next == goal, compareAndSwap);
            }
            tally.poll();
        }
        double rate = iterations * 1e9 / Math.max(1, System.nanoTime() - begun);
        return new BandwidthResult(size, iterations, rate, rate);
    }

    /** Receives all messages. */
    public void takeIn() {
        while (lane.arrived < iterations) {
            tally.poll();
            lane.giveBack();
        }
    }
}

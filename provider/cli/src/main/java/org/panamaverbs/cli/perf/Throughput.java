package org.panamaverbs.cli.perf;

import java.util.List;

/**
 * As many messages in flight as the queue pairs and, where each takes a receive, the server's receives allow. It ends
 * when all have arrived: what is not answered by itself is followed by a Read.
 */
final class Throughput {
    private static final int SAMPLES = 20;

    private final PerfOptions options;
    private final PerfTest.Operation operation;
    private final List<Lane> lanes;
    private final Tally tally;
    private final long[] sent;
    private long peakNanosPerSample;
    private long sampleEnd;
    private long sampleAt;
    private long sampleMessages;

    Throughput(PerfOptions options, List<Lane> lanes, Tally tally) {
        this.options = options;
        this.operation = options.test().operation();
        this.lanes = lanes;
        this.tally = tally;
        sent = new long[lanes.size()];
    }

    /** Sends until {@code pace} ends; {@code expected} messages are what it is thought to come to. */
    BandwidthResult run(int size, Pace pace, long expected) {
        long begun = System.nanoTime();
        long completedBefore = completed();
        beginSamples(begun, expected);
        long now = begun;
        boolean more = true;
        while (more) {
            more = fill(size, pace, now);
            now = System.nanoTime();
            sample(completed() - completedBefore, now);
        }
        finish();
        long nanos = Math.max(1, System.nanoTime() - begun);
        double average = pace.count() * 1e9 / nanos;
        double peak = peakNanosPerSample == 0 ? 0 : sampleMessages * 1e9 / peakNanosPerSample;
        return new BandwidthResult(size, pace.count(), Math.max(peak, average), average);
    }

    /** Posts what there is room for, then takes completions; false when the pace has ended. */
    private boolean fill(int size, Pace pace, long now) {
        boolean waitsForCredit = false;
        boolean posted = false;
        for (Lane lane : lanes) {
            int room = options.txDepth() - (int) (lane.posted - lane.completed);
            if (operation.takesReceive()) {
                // One receive is kept for what ends the measurement.
                long credit = lane.credit() + lane.peerReceives - 1 - sent[lane.index];
                waitsForCredit |= credit < Math.min(room, options.postList());
                room = (int) Math.min(room, credit);
            }
            if (room >= options.postList()) {
                int count = pace.take(options.postList(), now);
                if (count == 0) {
                    return false;
                }
                sent[lane.index] += count;
                lane.post(operation, size, count, signaled(lane, count), options.compareAndSwap());
                posted = true;
            }
        }
        if (posted || waitsForCredit) {
            // The peer's count comes by a Write, which raises no event.
            tally.poll();
        } else {
            tally.advance();
        }
        return true;
    }

    /** One of so many, and the one that fills the queue. */
    private boolean signaled(Lane lane, int count) {
        int moderation = Math.min(options.cqModeration(), Math.max(1, options.txDepth() / 2));
        return lane.posted / moderation != (lane.posted + count) / moderation;
    }

    private void finish() {
        for (Lane lane : lanes) {
            while (lane.posted - lane.completed >= options.txDepth()) {
                tally.advance();
            }
            lane.confirm();
        }
        for (Lane lane : lanes) {
            while (lane.completed < lane.posted) {
                tally.advance();
            }
        }
    }

    private long completed() {
        long sum = 0;
        for (Lane lane : lanes) {
            sum += lane.completed;
        }
        return sum;
    }

    private void beginSamples(long now, long expected) {
        sampleMessages = Math.max(1, expected / SAMPLES);
        sampleEnd = sampleMessages;
        sampleAt = now;
        peakNanosPerSample = 0;
    }

    private void sample(long done, long now) {
        if (done >= sampleEnd) {
            long nanos = Math.max(1, (now - sampleAt) * sampleMessages / (done - sampleEnd + sampleMessages));
            peakNanosPerSample = peakNanosPerSample == 0 ? nanos : Math.min(peakNanosPerSample, nanos);
            sampleAt = now;
            sampleEnd = done + sampleMessages;
        }
    }
}

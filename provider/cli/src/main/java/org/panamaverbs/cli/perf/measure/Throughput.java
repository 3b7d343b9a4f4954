package org.panamaverbs.cli.perf.measure;

import java.util.List;

/**
 * As many messages in flight as the queue pairs and, where each takes a receive, the peer's receives allow. A run ends
 * when all have arrived, as a Read behind them shows. In both directions each side does the same, and waits then for
 * the other's report.
 */
public final class Throughput {
    // A look at the clock takes a third of the time of a request that is done within its post. Whoever has to wait for
    // room, as all do whose requests take long, looks each time.
    private static final int POSTS_PER_LOOK = 32;

    private final PerfTest.Operation operation;
    private final Lane[] lanes;
    private final Tally tally;
    private final boolean bidirectional;
    // What the options say, one step away: it is asked for with each post.
    private final int txDepth;
    private final int postList;
    private final boolean takesReceive;
    private final boolean compareAndSwap;
    private final int moderation;
    private long runs;
    /** Turns that have posted something since the last one that did not. */
    private int busy;

    public Throughput(PerfOptions options, boolean bidirectional, List<Lane> lanes, Tally tally) {
        operation = options.test().operation();
        this.bidirectional = bidirectional;
        this.lanes = lanes.toArray(new Lane[0]);
        this.tally = tally;
        txDepth = options.queues().txDepth();
        postList = options.queues().postList();
        takesReceive = operation.takesReceive();
        compareAndSwap = options.mode().compareAndSwap();
        moderation = Math.min(options.queues().cqModeration(), Math.max(1, txDepth / 2));
    }

    /** Sends until {@code pace} ends. */
    public BandwidthResult run(int size, Pace pace) {
        long begun = System.nanoTime();
        PeakRate peak = pace.peakRate(begun);
        long now = begun;
        while (fill(size, pace, now)) {
            if (busy % POSTS_PER_LOOK == 0) {
                now = System.nanoTime();
            }
            watch(peak, pace.count(), now);
        }
        awaitArrival();
        long nanos = Math.max(1, System.nanoTime() - begun);
        double average = pace.count() * 1e9 / nanos;
        BandwidthResult mine = new BandwidthResult(size, pace.count(), peak.best(average), average);
        return bidirectional ? mine.plus(exchange(mine)) : mine;
    }

    /** Posts what there is room for, then takes completions; false when the pace has ended. */
    private boolean fill(int size, Pace pace, long now) {
        boolean waitsForReceives = false;
        boolean posted = false;
        for (Lane lane : lanes) {
            int room = txDepth - (int) (lane.posted - lane.completed);
            if (takesReceive) {
                // One receive is kept for what ends the measurement.
                long receives = lane.control.written(Control.TAKEN) + lane.peerReceives - 1 - lane.counted;
                waitsForReceives |= receives < Math.min(room, postList);
                room = (int) Math.min(room, receives);
            }
            if (room >= postList) {
                int count = pace.take(postList, now);
                if (count == 0) {
                    return false;
                }
                lane.post(operation, size, count, signaled(lane, count), compareAndSwap);
                posted = true;
            }
        }
        busy = posted ? busy + 1 : 0;
        // What the peer writes raises no event.
        step(!posted && !waitsForReceives && !bidirectional);
        return true;
    }

    /** One of so many; no division, which takes as long as what else there is to do. */
    private boolean signaled(Lane lane, int count) {
        lane.unsignaled += count;
        boolean signaled = lane.unsignaled >= moderation;
        if (signaled) {
            lane.unsignaled = 0;
        }
        return signaled;
    }

    private void step(boolean maySleep) {
        if (maySleep) {
            tally.advance();
        } else {
            tally.poll();
        }
        if (bidirectional && takesReceive) {
            tally.giveBack();
        }
    }

    /** Ends a window of the peak when it is time, by a Read on each lane. */
    private void watch(PeakRate peak, long posted, long now) {
        if (peak.awaitsArrival()) {
            if (!reading()) {
                peak.arrived(now);
            }
        } else if (peak.due(posted, now)) {
            peak.close(posted, now);
            readArrived();
        }
    }

    private void readArrived() {
        for (Lane lane : lanes) {
            lane.readWord(Control.ARRIVED);
        }
    }

    private boolean reading() {
        for (Lane lane : lanes) {
            if (lane.reading()) {
                return true;
            }
        }
        return false;
    }

    private void awaitArrival() {
        readArrived();
        for (Lane lane : lanes) {
            awaitRead(lane);
            while (takesReceive && lane.control.brought(Control.ARRIVED) < lane.counted) {
                lane.readWord(Control.ARRIVED);
                awaitRead(lane);
            }
        }
    }

    private void awaitRead(Lane lane) {
        while (lane.reading()) {
            step(!bidirectional);
        }
    }

    /** Tells the peer what this side has measured and waits for what it has. */
    private BandwidthResult exchange(BandwidthResult mine) {
        runs++;
        Lane lane = lanes[0];
        lane.tellReport(runs, mine.average(), mine.peak());
        while (lane.control.written(Control.REPORT) < runs) {
            step(false);
        }
        return new BandwidthResult(
                mine.size(),
                mine.messages(),
                Double.longBitsToDouble(lane.control.written(Control.PEAK)),
                Double.longBitsToDouble(lane.control.written(Control.RATES)));
    }
}

package org.panamaverbs.cli.perf.measure;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What a latency test of one size came to, in microseconds; of a ping-pong half of the round trip, as perftest has it.
 *
 * @param size bytes of a message
 * @param times of the round trips, in nanoseconds
 * @param pingPong whether both sides take turns
 */
public record LatencyResult(int size, Histogram times, boolean pingPong) {
    /** The longest time that is told from longer ones. */
    static final long HIGHEST_NANOS = TimeUnit.MINUTES.toNanos(10);

    private static final int DIGITS = 3;
    private static final double MICRO = 1e3;

    /** Returns a histogram for the times of one size, in nanoseconds. */
    public static Histogram histogram() {
        return new Histogram(HIGHEST_NANOS, DIGITS);
    }

    /** Returns how many round trips there were. */
    public long iterations() {
        return times.getTotalCount();
    }

    public double min() {
        return times.getMinValue() / unit();
    }

    public double max() {
        return times.getMaxValue() / unit();
    }

    public double average() {
        return times.getMean() / unit();
    }

    /** Returns the standard deviation. */
    public double deviation() {
        return times.getStdDeviation() / unit();
    }

    /** Returns the time below which {@code percent} of a hundred are. */
    public double percentile(double percent) {
        return times.getValueAtPercentile(percent) / unit();
    }

    /** Returns the ping-pongs, Reads or Atomics a second. */
    public double perSecond() {
        return 1e9 / times.getMean();
    }

    private double unit() {
        return pingPong ? 2 * MICRO : MICRO;
    }
}

package org.panamaverbs.cli.perf.measure;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What a latency test of one size came to, in microseconds; of a ping-pong half of the round trip, as perftest has it.
 *
 * @param size octets of a message
 * @param iterations round trips
 */
public record LatencyResult(
        int size,
        long iterations,
        double min,
        double max,
        double typical,
        double average,
        double deviation,
        double percentile90,
        double percentile99,
        double percentile999,
        double percentile9999) {
    /** The longest time that is told from longer ones. */
    static final long HIGHEST_NANOS = TimeUnit.MINUTES.toNanos(10);

    private static final int DIGITS = 3;
    private static final double MICRO = 1e3;

    /** Returns a histogram for the times of one size, in nanoseconds. */
    public static Histogram histogram() {
        return new Histogram(HIGHEST_NANOS, DIGITS);
    }

    public static LatencyResult of(int size, Histogram times, boolean pingPong) {
        double unit = pingPong ? 2 * MICRO : MICRO;
        return new LatencyResult(
                size,
                times.getTotalCount(),
                times.getMinValue() / unit,
                times.getMaxValue() / unit,
                times.getValueAtPercentile(50) / unit,
                times.getMean() / unit,
                times.getStdDeviation() / unit,
                times.getValueAtPercentile(90) / unit,
                times.getValueAtPercentile(99) / unit,
                times.getValueAtPercentile(99.9) / unit,
                times.getValueAtPercentile(99.99) / unit);
    }

    /** Returns the ping-pongs, Reads or Atomics a second. */
    public double perSecond(boolean pingPong) {
        return 1e6 / (pingPong ? 2 * average : average);
    }
}

package org.panamaverbs.cli.perf.measure;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What a latency test of one size came to, in microseconds; of a ping-pong half of the round trip, as perftest has it.
 *
 * @param size bytes of a message
 * @param iterations round trips
 * @param min the shortest time
 * @param max the longest one
 * @param average their mean
 * @param deviation their standard deviation
 * @param percentiles below which so many of a hundred are
 */
public record LatencyResult(
        int size, long iterations, double min, double max, double average, double deviation, Percentiles percentiles) {
    /** The times below which 50, 90, 99, 99.9 and 99.99 of a hundred are. */
    public record Percentiles(double p50, double p90, double p99, double p999, double p9999) {
        static Percentiles of(Histogram times, double unit) {
            return new Percentiles(
                    times.getValueAtPercentile(50) / unit,
                    times.getValueAtPercentile(90) / unit,
                    times.getValueAtPercentile(99) / unit,
                    times.getValueAtPercentile(99.9) / unit,
                    times.getValueAtPercentile(99.99) / unit);
        }
    }

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
                times.getMean() / unit,
                times.getStdDeviation() / unit,
                Percentiles.of(times, unit));
    }

    /** Returns the ping-pongs, Reads or Atomics a second. */
    public double perSecond(boolean pingPong) {
        return 1e6 / (pingPong ? 2 * average : average);
    }
}

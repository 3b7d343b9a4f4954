package org.panamaverbs.bench.peers;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** What a measurement found. */
sealed interface Outcome {

    /** Returns the outcome as one line of JSON, with the names of the C floor. */
    String json();

    /** The times of round trips, in nanoseconds. */
    record RoundTrips(Histogram times) implements Outcome {
        private static final double[] PERCENTILES = {0, 50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99, 99.999, 100};
        private static final long LONGEST = TimeUnit.MINUTES.toNanos(2);

        /** Returns a histogram for them. */
        static Histogram histogram() {
            return new Histogram(1, LONGEST, 3);
        }

        @Override
        public String json() {
            String percentiles = Arrays.stream(PERCENTILES)
                    .mapToObj(at -> String.format(Locale.ROOT, "\"%s\": %d", name(at), times.getValueAtPercentile(at)))
                    .collect(Collectors.joining(", "));
            return String.format(
                    Locale.ROOT,
                    "{\"median_ns\": %d, \"rounds\": %d, \"percentiles_ns\": {%s}}",
                    times.getValueAtPercentile(50),
                    times.getTotalCount(),
                    percentiles);
        }

        private static String name(double percentile) {
            return percentile == Math.rint(percentile) ? "" + (int) percentile : "" + percentile;
        }
    }

    /** How fast {@code messages} of {@code size} bytes went one way, from the first to the acknowledgement. */
    record Stream(long messages, int size, long nanos) implements Outcome {
        @Override
        public String json() {
            double perSecond = messages * 1e9 / nanos;
            return String.format(
                    Locale.ROOT,
                    "{\"messages_per_second\": %.0f, \"octets_per_second\": %.0f, \"seconds\": %.3f}",
                    perSecond,
                    perSecond * size,
                    nanos / 1e9);
        }
    }
}

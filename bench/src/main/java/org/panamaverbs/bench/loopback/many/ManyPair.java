package org.panamaverbs.bench.loopback.many;

import java.io.IOException;
import java.util.List;
import org.panamaverbs.bench.loopback.process.SidePair;
import org.panamaverbs.bench.loopback.process.SidePlan;

/** Two processes with many connections between them, each on a processor of its own; at rest unless they measure. */
final class ManyPair implements AutoCloseable {
    // Nothing takes longer than this in all; a process that is left alone ends with its input.
    private static final int LIMIT_SECONDS = 3600;

    private final SidePair pair;

    /**
     * What was measured, of round trips.
     *
     * @param median in nanoseconds
     * @param p99 the 99th percentile in nanoseconds
     * @param count how many
     */
    record Latency(double median, double p99, long count) {}

    /** Starts both sides and connects them {@code idle} and then {@code active} times. */
    ManyPair(int idle, int active) throws IOException {
        int second = Runtime.getRuntime().availableProcessors() > 1 ? 1 : 0;
        List<String> arguments = List.of("" + idle, "" + active);
        pair = new SidePair(
                new SidePlan("server", 0, LIMIT_SECONDS, List.of(), ManySide.class, arguments),
                new SidePlan("client", second, LIMIT_SECONDS, List.of(), ManySide.class, arguments));
    }

    /** Measures for {@code millis}. */
    Latency measure(long millis) throws IOException {
        pair.server().ask("serve", "serving");
        String[] words = pair.client().ask("measure " + millis, "median ").split(" ", -1);
        pair.server().ask("rest", "resting");
        return new Latency(Double.parseDouble(words[0]), Double.parseDouble(words[1]), Long.parseLong(words[2]));
    }

    @Override
    public void close() {
        pair.close();
    }
}

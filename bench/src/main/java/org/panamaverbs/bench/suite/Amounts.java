package org.panamaverbs.bench.suite;

import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.panamaverbs.bench.result.Form;

/**
 * How long the benchmarks measure, and what of.
 *
 * @param rounds how many times every benchmark has a process of its own
 * @param calls times of what takes nanoseconds
 * @param exchanges times of what takes microseconds and more threads
 * @param idle numbers of idle connections
 * @param parameters values of others that are measured, where not all
 */
record Amounts(int rounds, Times calls, Times exchanges, List<String> idle, Map<String, List<String>> parameters) {
    // The most active connections, and what a process has open besides.
    private static final int MOST_ACTIVE = 100;
    private static final int OTHER_DESCRIPTORS = 200;
    private static final int IDLE_STEP = 100;

    private static final Map<String, List<String>> FEW = Map.of(
            "size", List.of("64", "4096", "1048576"),
            "crc", List.of("on"),
            "completions", List.of("1"),
            "length", List.of("64", "4096", "65536"),
            "bytes", List.of("4096", "1048576"),
            "active", List.of("1"),
            "progress", List.of("spin"));

    /** Returns one iteration of everything, or some minutes, or more than an hour: three rounds of all there is. */
    static Amounts of(Form form) {
        return switch (form) {
            case SMOKE -> new Amounts(1, new Times(1, 50, 1, 50), new Times(1, 50, 1, 50), List.of("0"), FEW);
            case QUICK ->
                new Amounts(1, new Times(2, 150, 5, 80), new Times(10, 800, 5, 200), List.of("0", "100", "1000"), FEW);
            case FULL ->
                new Amounts(
                        3,
                        new Times(3, 500, 15, 100),
                        new Times(10, 800, 8, 250),
                        List.of("0", "100", "1000", "10000"),
                        Map.of());
        };
    }

    /**
     * Iterations and their lengths. Warm-up of exchanges takes seconds: where all processors poll, the compilers take
     * turns with them. Measuring iterations are short, and the median of them counts: most are free of whatever else
     * the machine does.
     */
    record Times(int warmups, int warmupMillis, int iterations, int iterationMillis) {
        void applyTo(OptionsBuilder options) {
            options.warmupIterations(warmups)
                    .warmupTime(TimeValue.milliseconds(warmupMillis))
                    .measurementIterations(iterations)
                    .measurementTime(TimeValue.milliseconds(iterationMillis));
        }
    }

    /**
     * Returns the numbers of idle connections, each replaced by as many hundreds as a process with so many descriptors
     * may have if that is less: a connection takes two.
     */
    List<String> idleWithin(long descriptors) {
        long room = (descriptors - OTHER_DESCRIPTORS) / 2 - MOST_ACTIVE;
        long most = Math.max(0, room / IDLE_STEP * IDLE_STEP);
        return idle.stream()
                .map(number -> Long.toString(Math.min(Long.parseLong(number), most)))
                .distinct()
                .toList();
    }

    Amounts withRounds(int count) {
        return new Amounts(count, calls, exchanges, idle, parameters);
    }
}

package org.panamaverbs.bench.compare.contestant;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * How long everything takes.
 *
 * @param name what it is called
 * @param rounds in each of which everybody answers every question once
 * @param budget after which no new round begins
 * @param warmUpSeconds of what runs on a virtual machine, whose compiler shares a processor with what it compiles
 * @param seconds that are measured of it then
 * @param roundTrips that are measured at once of what needs no warm-up but for its connection
 * @param warmUp round trips or messages before
 * @param small messages of a batch measurement
 * @param large messages of a bandwidth measurement
 * @param streamSeconds how long C sends
 * @param sweepRounds how often each size of a sweep is measured
 * @param sweepCount round trips, or large messages, of each size
 * @param sizes octets of a message in a sweep, ascending
 */
public record Form(
        String name,
        int rounds,
        Duration budget,
        int warmUpSeconds,
        int seconds,
        int roundTrips,
        int warmUp,
        int small,
        int large,
        double streamSeconds,
        int sweepRounds,
        int sweepCount,
        List<Integer> sizes) {
    /** The largest message of a sweep. */
    static final int LARGEST = 1 << 20;

    public static final Form SMOKE =
            new Form("smoke", 1, Duration.ofMinutes(10), 1, 1, 100, 50, 2000, 20, 0.05, 1, 50, List.of(64, LARGEST));
    public static final Form QUICK =
            new Form("quick", 2, Duration.ofMinutes(10), 3, 1, 30_000, 20_000, 1_000_000, 2000, 0.4, 1, 2000, sizes(8));
    public static final Form FULL =
            new Form("full", 5, Duration.ofMinutes(30), 4, 2, 60_000, 20_000, 2_000_000, 4000, 0.8, 2, 3000, sizes(4));

    /** Returns the form called {@code name}. */
    static Form named(String name) {
        return Stream.of(SMOKE, QUICK, FULL)
                .filter(form -> form.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no form is called " + name));
    }

    public Form withRounds(int count) {
        return new Form(
                name,
                count,
                budget,
                warmUpSeconds,
                seconds,
                roundTrips,
                warmUp,
                small,
                large,
                streamSeconds,
                sweepRounds,
                sweepCount,
                sizes);
    }

    private static List<Integer> sizes(int factor) {
        return Stream.iterate(LARGEST, size -> size >= 8, size -> size / factor)
                .sorted()
                .toList();
    }
}

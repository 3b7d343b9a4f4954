package org.panamaverbs.bench.compare.contestant;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.panamaverbs.bench.result.Form;

/**
 * How much is measured of each.
 *
 * @param rounds in each of which everybody answers every question once
 * @param budget after which no new round begins
 * @param java of what runs on a virtual machine
 * @param c of what needs no warm-up but for its connection
 * @param curve of each size of a curve
 */
public record Amounts(int rounds, Duration budget, Java java, C c, Curve curve) {
    /** The largest message of a curve. */
    static final int LARGEST = 1 << 20;

    /**
     * Of what runs on a virtual machine.
     *
     * @param warmUp of ours, as {@code verbs perf} takes it: its compiler shares a processor with what it compiles
     * @param warmUpAlone of ours in one process, {@code compiled} as well, or seconds
     * @param peerWarmUpSeconds of the others, who count messages: about so long
     * @param seconds that are measured then
     */
    public record Java(String warmUp, String warmUpAlone, int peerWarmUpSeconds, int seconds) {}

    /**
     * Of what needs no warm-up but for its connection.
     *
     * @param roundTrips that are measured
     * @param warmUp round trips or messages before
     * @param small messages of a batch measurement
     * @param large messages of a bandwidth measurement
     * @param streamSeconds how long C sends
     */
    public record C(int roundTrips, int warmUp, int small, int large, double streamSeconds) {}

    /**
     * Of curves over sizes.
     *
     * @param passes how often each size is measured
     * @param count round trips, or large messages, of each size
     * @param sizes bytes of a message, ascending
     */
    public record Curve(int passes, int count, List<Integer> sizes) {}

    /**
     * Returns one round of next to nothing, or two rounds, or five. A round of the two greater forms is the same: what
     * decides is how often everybody stood beside the floor, and not for how long.
     */
    public static Amounts of(Form form) {
        Java java = new Java("compiled", "compiled", 3, 1);
        C c = new C(30_000, 20_000, 1_000_000, 2000, 0.4);
        return switch (form) {
            case SMOKE ->
                new Amounts(
                        1,
                        Duration.ofMinutes(10),
                        new Java("1s", "0.1", 1, 1),
                        new C(100, 50, 2000, 20, 0.05),
                        new Curve(1, 50, List.of(64, LARGEST)));
            case QUICK -> new Amounts(2, Duration.ofMinutes(10), java, c, new Curve(1, 2000, sizes(8)));
            case FULL -> new Amounts(5, Duration.ofMinutes(30), java, c, new Curve(2, 3000, sizes(4)));
        };
    }

    /** Returns the amounts of the table of one host: as many rounds, in at most so much time. */
    public Amounts within(Duration most) {
        return new Amounts(rounds, most, java, c, curve);
    }

    public Amounts withRounds(int count) {
        return new Amounts(count, budget, java, c, curve);
    }

    private static List<Integer> sizes(int factor) {
        return Stream.iterate(LARGEST, size -> size >= 8, size -> size / factor)
                .sorted()
                .toList();
    }
}

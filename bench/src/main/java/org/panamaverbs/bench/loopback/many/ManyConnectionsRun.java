package org.panamaverbs.bench.loopback.many;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.panamaverbs.bench.Median;
import org.panamaverbs.bench.compare.standing.Floors;

/**
 * What many connections cost: a round trip of 64 octets on one active connection after the other, among idle ones,
 * beside one connection alone just before and just after. Each side of both is a process of its own.
 */
public final class ManyConnectionsRun {
    private static final long WARM_UP_MILLIS = 8_000;
    private static final int ATTEMPTS = 3;

    private ManyConnectionsRun() {}

    /** One connection, many, and one again. */
    private record Round(ManyPair.Latency before, ManyPair.Latency many, ManyPair.Latency after) {
        Floors floors() {
            return new Floors(before.median(), after.median());
        }

        double alone() {
            return floors().middle();
        }

        double ratio() {
            return many.median() / alone();
        }

        boolean isSteady() {
            return floors().areSteady();
        }
    }

    /**
     * Measures.
     *
     * @param arguments how many connections are idle, how many active, how many rounds, and the milliseconds of each
     *     measurement
     */
    public static void main(String[] arguments) throws IOException {
        int[] numbers = Arrays.stream(arguments).mapToInt(Integer::parseInt).toArray();
        run(numbers[0], numbers[1], numbers[2], numbers[3]);
    }

    private static void run(int idle, int active, int count, int millis) throws IOException {
        System.err.println("connecting one, then " + (idle + active));
        try (ManyPair one = new ManyPair(0, 1);
                ManyPair many = new ManyPair(idle, active)) {
            System.err.println("warming up");
            one.measure(WARM_UP_MILLIS);
            many.measure(WARM_UP_MILLIS);
            List<Round> rounds = new ArrayList<>();
            while (rounds.size() < count) {
                rounds.add(round(one, many, millis));
                System.err.printf(
                        Locale.ROOT,
                        "round %d of %d: %.2f x%n",
                        rounds.size(),
                        count,
                        rounds.getLast().ratio());
            }
            print(idle, active, rounds);
        }
    }

    private static Round round(ManyPair one, ManyPair many, int millis) throws IOException {
        Round round = null;
        for (int attempt = 1; round == null || (!round.isSteady() && attempt <= ATTEMPTS); attempt++) {
            round = new Round(one.measure(millis), many.measure(millis), one.measure(millis));
        }
        return round;
    }

    private static void print(int idle, int active, List<Round> rounds) {
        System.out.printf(
                Locale.ROOT, "%d idle and %d active connections beside one alone, µs of a round trip%n", idle, active);
        System.out.println("round   alone    many    x   alone 99 %  many 99 %  steady");
        for (int i = 0; i < rounds.size(); i++) {
            Round round = rounds.get(i);
            System.out.printf(
                    Locale.ROOT,
                    "%-6d %6.2f  %6.2f %5.2f  %9.2f  %9.2f  %s%n",
                    i + 1,
                    round.alone() / 1e3,
                    round.many().median() / 1e3,
                    round.ratio(),
                    (round.before().p99() + round.after().p99()) / 2e3,
                    round.many().p99() / 1e3,
                    round.isSteady() ? "yes" : "no");
        }
        System.out.printf(
                Locale.ROOT,
                "median %6.2f  %6.2f %5.2f%n",
                median(rounds, round -> round.alone() / 1e3),
                median(rounds, round -> round.many().median() / 1e3),
                median(rounds, Round::ratio));
    }

    private static double median(List<Round> rounds, ToDoubleFunction<Round> what) {
        return Median.of(rounds.stream().mapToDouble(what));
    }
}

package org.panamaverbs.bench.loopback.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.panamaverbs.bench.Median;
import org.panamaverbs.bench.loopback.exchange.Round;
import org.panamaverbs.bench.loopback.exchange.SidePair;
import org.panamaverbs.bench.loopback.exchange.VerbsEnd;

/**
 * What many connections cost: a round trip of 64 bytes on one active connection after the other, among idle ones,
 * beside one connection alone just before and just after. Each side of both is a process of its own.
 */
public final class ManyConnectionsRun {
    private static final long WARM_UP_MILLIS = 8_000;

    private ManyConnectionsRun() {}

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
        try (SidePair one = connect(0, 1);
                SidePair many = connect(idle, active)) {
            System.err.println("warming up");
            one.measure(true, WARM_UP_MILLIS);
            many.measure(true, WARM_UP_MILLIS);
            List<Round> rounds = new ArrayList<>();
            while (rounds.size() < count) {
                rounds.add(Round.of(() -> one.measure(true, millis), () -> many.measure(true, millis)));
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

    /**
     * Starts both sides, each on a processor of its own, and connects them {@code idle} and then {@code active} times.
     */
    static SidePair connect(int idle, int active) throws IOException {
        int second = Runtime.getRuntime().availableProcessors() > 1 ? 1 : 0;
        return new SidePair("", new int[] {0, second}, List.of(), VerbsEnd.class, List.of("" + idle, "" + active));
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
                    round.middle() / 1e3,
                    round.ours().value() / 1e3,
                    round.ratio(),
                    (round.before().p99() + round.after().p99()) / 2e3,
                    round.ours().p99() / 1e3,
                    round.isSteady() ? "yes" : "no");
        }
        System.out.printf(
                Locale.ROOT,
                "median %6.2f  %6.2f %5.2f%n",
                Median.of(rounds, round -> round.middle() / 1e3),
                Median.of(rounds, round -> round.ours().value() / 1e3),
                Median.of(rounds, Round::ratio));
    }
}

package org.panamaverbs.bench.sockets;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.panamaverbs.bench.Median;
import org.panamaverbs.bench.loopback.exchange.End;
import org.panamaverbs.bench.loopback.exchange.Round;
import org.panamaverbs.bench.loopback.exchange.SidePair;
import org.panamaverbs.bench.result.Spread;

/**
 * The sockets beside the JDK's, and beside the verbs that they stand on: each question is asked of the other before and
 * after it is asked of ours, within seconds. {@code bench/sockets} starts it.
 */
public final class SocketsRun implements AutoCloseable {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double BYTES_PER_GIGABYTE = 1e9;

    private final int[] processors;
    private final int rounds;
    private final long millis;

    /** What the names of the rows have that are asked for. */
    private final String only;

    private final Map<String, SidePair> pairs = new HashMap<>();
    private final Set<Subject> warm = new HashSet<>();

    private SocketsRun(int[] processors, int rounds, long millis, String only) {
        this.processors = processors;
        this.rounds = rounds;
        this.millis = millis;
        this.only = only;
    }

    /** What two processes do, and by whose sockets. */
    private record Subject(Variant variant, String kind, boolean polls) {
        String pair() {
            return variant + " " + kind;
        }
    }

    /**
     * Measures.
     *
     * @param arguments the processors of servers and of clients, how many rounds, the milliseconds of each measurement,
     *     and words that the names of the wanted rows have in them, none for all
     */
    public static void main(String[] arguments) throws IOException {
        int[] processors = {Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1])};
        int rounds = Integer.parseInt(arguments[2]);
        try (SocketsRun run = new SocketsRun(processors, rounds, Long.parseLong(arguments[3]), arguments[4])) {
            System.out.println("| what | other | ours | ours / other | target | |\n|---|--:|--:|--:|--:|---|");
            run.all();
        }
    }

    private void all() throws IOException {
        roundTrip("Netty echo, 64 B, both poll", "<= 0.35", 0.35, polling("echo"), Variant.OURS);
        roundTrip("Netty echo, 64 B, both sleep", "<= 0.8", 0.8, sleeping("echo"), Variant.OURS);
        roundTrip("Netty echo, 64 B, both sleep, spin 0", "", Double.NaN, sleeping("echo"), Variant.OURS_SLEEPING);
        roundTrip("Netty echo, 64 B, both sleep, spin 1000", "", Double.NaN, sleeping("echo"), Variant.OURS_SPINNING);
        rate("Netty stream, 64 KiB, both sleep", ">= 1.5", 1.5, sleeping("stream"), Variant.OURS);
        rate("Netty stream, 64 KiB, both poll", ">= 1.5", 1.5, polling("stream"), Variant.OURS);
        roundTrip("channel, 64 B, both poll", "", Double.NaN, polling("channel"), Variant.OURS);
        roundTrip("selector and channel, 64 B, both poll", "", Double.NaN, polling("selector"), Variant.OURS);
        overhead();
        rate("Netty stream, 64 KiB, iWARP over TCP", ">= 0.6", 0.6, sleeping("stream"), Variant.OURS_BY_TCP);
        roundTrip("Netty echo, 64 B, both poll, iWARP over TCP", "", Double.NaN, polling("echo"), Variant.OURS_BY_TCP);
        roundTrip(
                "Netty echo, 64 B, both sleep, iWARP over TCP", "", Double.NaN, sleeping("echo"), Variant.OURS_BY_TCP);
    }

    private static Subject polling(String kind) {
        return new Subject(Variant.JDK, kind, true);
    }

    private static Subject sleeping(String kind) {
        return new Subject(Variant.JDK, kind, false);
    }

    private void roundTrip(String what, String target, double limit, Subject other, Variant variant)
            throws IOException {
        if (!what.contains(only)) {
            return;
        }
        List<Round> all = ask(other, new Subject(variant, other.kind, other.polls));
        Spread ratios = spread(all, Round::ratio);
        String verdict = Double.isNaN(limit) ? "" : ratios.atMost(limit).text();
        print(what, all, "us", NANOS_PER_MICRO, ratios.ratioText(), target, verdict);
        if (other.kind.equals("selector")) {
            garbage(all);
        }
    }

    private void rate(String what, String target, double limit, Subject other, Variant variant) throws IOException {
        if (!what.contains(only)) {
            return;
        }
        List<Round> all = ask(other, new Subject(variant, other.kind, other.polls));
        Spread ratios = spread(all, Round::ratio);
        print(
                what,
                all,
                "GB/s",
                BYTES_PER_GIGABYTE,
                ratios.ratioText(),
                target,
                ratios.atLeast(limit).text());
    }

    private void overhead() throws IOException {
        String what = "channel beside Sends of verbs, 64 B, both poll";
        if (!what.contains(only)) {
            return;
        }
        List<Round> all = ask(new Subject(Variant.OURS, "verbs", true), new Subject(Variant.OURS, "channel", true));
        Spread more = spread(all, round -> (round.ours().value() - round.middle()) / NANOS_PER_MICRO);
        String verdict = more.atMost(0.5).text();
        print(what, all, "us", NANOS_PER_MICRO, "+ " + more.ratioText() + " us", "<= + 0.5 us", verdict);
    }

    private static void garbage(List<Round> all) {
        double theirs = Median.of(all, round -> round.before().garbageBytes());
        double ours = Median.of(all, round -> round.ours().garbageBytes());
        System.out.printf(
                Locale.ROOT,
                "| the same, garbage of a write, select and read | %.0f B | %.0f B | | 0 B more | %s |%n",
                theirs,
                ours,
                Math.round(ours) <= Math.round(theirs) ? "met" : "MISSED");
    }

    private static void print(
            String what, List<Round> all, String unit, double scale, String compared, String target, String verdict) {
        long unsteady = all.stream().filter(round -> !round.isSteady()).count();
        System.out.printf(
                Locale.ROOT,
                "| %s | %.2f %s | %.2f %s | %s | %s | %s%s |%n",
                what,
                Median.of(all, round -> round.middle() / scale),
                unit,
                Median.of(all, round -> round.ours().value() / scale),
                unit,
                compared,
                target,
                verdict,
                unsteady == 0 ? "" : (verdict.isEmpty() ? "" : "; ") + unsteady + " of " + all.size() + " unsteady");
    }

    private static Spread spread(List<Round> all, ToDoubleFunction<Round> what) {
        return Spread.of(all.stream().mapToDouble(what).boxed().toList());
    }

    private List<Round> ask(Subject other, Subject ours) throws IOException {
        warmUp(other);
        warmUp(ours);
        List<Round> all = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            all.add(Round.of(() -> measure(other), () -> measure(ours)));
        }
        return all;
    }

    private void warmUp(Subject subject) throws IOException {
        if (warm.add(subject)) {
            pair(subject).warmUp(subject.polls);
        }
    }

    private End.Figure measure(Subject subject) throws IOException {
        return pair(subject).measure(subject.polls, millis);
    }

    private SidePair pair(Subject subject) throws IOException {
        SidePair there = pairs.get(subject.pair());
        if (there == null) {
            there = subject.variant.connect(processors, subject.kind, 1);
            pairs.put(subject.pair(), there);
        }
        return there;
    }

    @Override
    public void close() {
        pairs.values().forEach(SidePair::close);
    }
}

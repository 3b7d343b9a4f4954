package org.panamaverbs.bench.loopback.exchange;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.panamaverbs.bench.Median;
import org.panamaverbs.bench.result.Spread;
import org.panamaverbs.bench.result.Verdict;

/**
 * A table in Markdown whose rows have ours beside another: each question is asked of the other before and after it is
 * asked of ours, within seconds. Processes are started and warmed up when they are first asked. Used by one thread.
 */
public final class PairTable implements AutoCloseable {
    /** Nanoseconds of a round trip, as microseconds. */
    public static final Scale MICROSECONDS = new Scale("us", figure -> figure.value() / 1e3);

    private final int[] processors;
    private final int rounds;
    private final long millis;
    /** What the names of the rows have that are asked for. */
    private final String only;

    private final Map<Object, SidePair> pairs = new HashMap<>();
    private final Set<Subject> warm = new HashSet<>();

    /** What two processes do. Equal subjects are the same. */
    public interface Subject {
        /** Returns what names the processes: subjects with the same share them. */
        Object processes();

        /** Tells whether both sides poll; else they sleep while they wait. */
        boolean polls();

        /** Starts the processes, the server on the first of {@code processors} and the client on the second. */
        SidePair start(int[] processors) throws IOException;
    }

    /** What a row shows of each figure. */
    public record Scale(String unit, ToDoubleFunction<End.Figure> of) {}

    /** What is promised, in words, and how it is judged. */
    public record Target(String words, Function<Spread, Verdict.Outcome> judge) {
        /** Nothing is. */
        public static final Target NONE = new Target("", ratios -> Verdict.Outcome.UNKNOWN);

        String verdict(Spread compared) {
            return words.isEmpty() ? "" : judge.apply(compared).text();
        }
    }

    /**
     * Takes the processors of servers and of clients, how many rounds, the milliseconds of each measurement, and words
     * that the names of the wanted rows have in them, none for all.
     */
    public PairTable(String... arguments) {
        processors = new int[] {Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1])};
        rounds = Integer.parseInt(arguments[2]);
        millis = Long.parseLong(arguments[3]);
        only = arguments[4];
    }

    public int rounds() {
        return rounds;
    }

    public long millis() {
        return millis;
    }

    public boolean wanted(String what) {
        return what.contains(only);
    }

    /** Measures both in turns. */
    public List<Round> ask(Subject other, Subject ours) throws IOException {
        pair(other);
        pair(ours);
        List<Round> all = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            all.add(Round.of(() -> measure(other), () -> measure(ours)));
        }
        return all;
    }

    public End.Figure measure(Subject subject) throws IOException {
        return pair(subject).measure(subject.polls(), millis);
    }

    /** Returns the processes of {@code subject}, which are warm. */
    public SidePair pair(Subject subject) throws IOException {
        SidePair there = pairs.get(subject.processes());
        if (there == null) {
            there = subject.start(processors);
            pairs.put(subject.processes(), there);
        }
        if (warm.add(subject)) {
            there.warmUp(subject.polls());
        }
        return there;
    }

    /** Measures and prints how many times the other ours is. */
    public List<Round> ratio(String what, Subject other, Subject ours, Scale scale, Target target) throws IOException {
        List<Round> all = ask(other, ours);
        Spread ratios = spread(all, Round::ratio);
        print(what, all, scale, ratios.ratioText(), target.words, target.verdict(ratios));
        return all;
    }

    /** Measures and prints how many microseconds ours takes more than the other. */
    public void added(String what, Subject other, Subject ours, Target target) throws IOException {
        List<Round> all = ask(other, ours);
        Spread more = spread(all, round -> (round.ours().value() - round.middle()) / 1e3);
        print(what, all, MICROSECONDS, "+ " + more.ratioText() + " us", target.words, target.verdict(more));
    }

    /** Prints a row: medians, what they come to beside each other, the target, and whether it is met. */
    public static void print(
            String what, List<Round> all, Scale scale, String compared, String target, String verdict) {
        long unsteady = all.stream().filter(round -> !round.isSteady()).count();
        System.out.printf(
                Locale.ROOT,
                "| %s | %.2f %s | %.2f %s | %s | %s | %s%s |%n",
                what,
                Median.of(
                        all,
                        round -> (scale.of.applyAsDouble(round.before()) + scale.of.applyAsDouble(round.after())) / 2),
                scale.unit,
                Median.of(all, round -> scale.of.applyAsDouble(round.ours())),
                scale.unit,
                compared,
                target,
                verdict,
                unsteady == 0 ? "" : (verdict.isEmpty() ? "" : "; ") + unsteady + " of " + all.size() + " unsteady");
    }

    public static Spread spread(List<Round> all, ToDoubleFunction<Round> what) {
        return Spread.of(all.stream().mapToDouble(what).boxed().toList());
    }

    /** Ends the processes. */
    @Override
    public void close() {
        pairs.values().forEach(SidePair::close);
    }
}

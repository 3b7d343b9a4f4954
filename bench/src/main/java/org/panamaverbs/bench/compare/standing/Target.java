package org.panamaverbs.bench.compare.standing;

import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.bench.compare.contestant.JavaPeer;
import org.panamaverbs.bench.compare.contestant.Ours;
import org.panamaverbs.bench.compare.contestant.Question;
import org.panamaverbs.bench.compare.contestant.UcxPerftest;
import org.panamaverbs.bench.result.Result;
import org.panamaverbs.bench.result.Spread;
import org.panamaverbs.bench.result.Unit;
import org.panamaverbs.bench.result.Verdict;

/**
 * What was promised.
 *
 * @param question of which
 * @param line with or without the CRC
 * @param ratio to the floor: at most for round trips, at least for rates
 * @param absolute a rate to reach as well, or 0
 * @param ahead whose figures to be better than, by the beginnings of their lines
 */
public record Target(Question question, String line, double ratio, double absolute, List<String> ahead) {
    /** All of them. */
    public static final List<Target> ALL = List.of(
            new Target(
                    Question.WRITE_64,
                    Ours.CRC_ON,
                    1.25,
                    0,
                    List.of(UcxPerftest.PUT, UcxPerftest.TAG, JavaPeer.AERON_LINE)),
            of(Question.SEND_64, Ours.CRC_ON, 1.3),
            of(Question.FETCH_ADD, Ours.CRC_ON, 1.25),
            of(Question.CMP_SWAP, Ours.CRC_ON, 1.25),
            of(Question.READ_64, Ours.CRC_ON, 1.25),
            of(Question.WRITE_4K, Ours.CRC_OFF, 1.2),
            of(Question.WRITE_4K, Ours.CRC_ON, 1.3),
            of(Question.BLOCKING_64, Ours.CRC_ON, 1.3),
            new Target(Question.BATCH_64, Ours.CRC_ON, 0.3, 5e6, List.of()),
            of(Question.WRITE_1M, Ours.CRC_OFF, 0.95),
            of(Question.WRITE_1M, Ours.CRC_ON, 0.6),
            of(Question.READ_1M, Ours.CRC_OFF, 0.9),
            of(Question.READ_1M, Ours.CRC_ON, 0.55));

    private static Target of(Question question, String line, double ratio) {
        return new Target(question, line, ratio, 0, List.of());
    }

    /** Compares the target with what was measured: it is decided if all rounds that count are on one side. */
    public Verdict judge(Standings standings) {
        Unit unit = question.unit();
        List<String> words = new ArrayList<>();
        words.add((unit.lessIsBetter() ? "at most " : "at least ") + Spread.ratioText(ratio) + " x C");
        if (absolute > 0) {
            words.add("at least " + unit.textWithSymbol(absolute));
        }
        if (!ahead.isEmpty()) {
            words.add("ahead of " + String.join(", ", ahead));
        }
        List<String> reached = new ArrayList<>();
        List<Verdict.Outcome> outcomes = new ArrayList<>();
        standings
                .find(question, line)
                .filter(own -> !Double.isNaN(own.ratio().median()))
                .ifPresent(own -> judge(own, standings.of(question), reached, outcomes));
        return new Verdict(
                question.title(),
                line,
                String.join("; ", words),
                String.join("; ", reached),
                outcomes.isEmpty() ? Verdict.Outcome.UNKNOWN : Verdict.Outcome.all(outcomes));
    }

    private void judge(Result own, List<Result> all, List<String> reached, List<Verdict.Outcome> outcomes) {
        Spread ratios = own.ratio();
        outcomes.add(own.unit().lessIsBetter() ? ratios.atMost(ratio) : ratios.atLeast(ratio));
        reached.add(ratios.ratioText() + " x C");
        if (absolute > 0) {
            outcomes.add(own.spread().atLeast(absolute));
        }
        reached.add(own.unit().textWithSymbol(own.spread().median()));
        for (Result other : all) {
            if (ahead.contains(other.title())) {
                // Medians of different minutes tell less than what each was beside its own floor.
                outcomes.add(
                        own.unit().lessIsBetter()
                                ? ratios.below(other.ratio())
                                : other.ratio().below(ratios));
                reached.add(other.title() + " " + other.ratio().ratioText() + " x C");
            }
        }
    }
}

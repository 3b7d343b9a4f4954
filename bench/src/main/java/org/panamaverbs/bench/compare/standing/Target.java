package org.panamaverbs.bench.compare.standing;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.panamaverbs.bench.compare.contestant.JavaPeer;
import org.panamaverbs.bench.compare.contestant.Ours;
import org.panamaverbs.bench.compare.contestant.Question;
import org.panamaverbs.bench.compare.contestant.UcxPerftest;
import org.panamaverbs.bench.compare.contestant.Unit;

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

    /** Whether a target is reached. */
    public enum Result {
        MET("met"),
        MISSED("MISSED"),
        UNKNOWN("not measured");

        private final String text;

        Result(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /**
     * What became of a target.
     *
     * @param words the target in words
     * @param reached what was measured
     */
    public record Verdict(Target target, Result result, String words, String reached) {}

    private static Target of(Question question, String line, double ratio) {
        return new Target(question, line, ratio, 0, List.of());
    }

    /** Compares it with what was measured. */
    public Verdict judge(Standings standings) {
        Unit unit = question.unit();
        List<String> words = new ArrayList<>();
        words.add((unit.lessIsBetter() ? "at most " : "at least ") + factor(ratio) + " x C");
        if (absolute > 0) {
            words.add("at least " + unit.text(absolute) + " " + unit.symbol());
        }
        if (!ahead.isEmpty()) {
            words.add("ahead of " + String.join(", ", ahead));
        }
        Optional<Standings.Standing> own = standings.find(question, line);
        if (own.isEmpty() || Double.isNaN(own.get().ratio())) {
            return new Verdict(this, Result.UNKNOWN, String.join("; ", words), "");
        }
        double median = own.get().median();
        boolean met =
                unit.lessIsBetter() ? own.get().ratio() <= ratio : own.get().ratio() >= ratio && median >= absolute;
        List<String> reached = new ArrayList<>();
        reached.add(factor(own.get().ratio()) + " x C");
        reached.add(unit.text(median) + " " + unit.symbol());
        for (Standings.Standing other : standings.of(question)) {
            if (ahead.contains(other.line())) {
                // Medians of different minutes tell less than what each was beside its own floor.
                met &= own.get().ratio() < other.ratio();
                reached.add(other.line() + " " + factor(other.ratio()) + " x C");
            }
        }
        return new Verdict(
                this, met ? Result.MET : Result.MISSED, String.join("; ", words), String.join("; ", reached));
    }

    private static String factor(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}

package org.panamaverbs.bench.compare.standing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.panamaverbs.bench.compare.contestant.Place;
import org.panamaverbs.bench.compare.contestant.Question;
import org.panamaverbs.bench.result.Result;
import org.panamaverbs.bench.result.Spread;
import org.panamaverbs.bench.result.Unit;
import org.panamaverbs.bench.result.Verdict;

/** One thing that a target asks for. */
sealed interface Condition {
    /** Returns what is asked of answers to {@code question}, in words. */
    String words(Question question);

    /** Judges what was measured. */
    Judgement judge(Measured measured);

    /**
     * What was measured.
     *
     * @param question the question
     * @param own the answer that is judged
     * @param standings all answers
     */
    record Measured(Question question, Result own, Standings standings) {}

    /** What becomes of a condition, and in words what was reached; empty where the median says it all. */
    record Judgement(Verdict.Outcome outcome, List<String> reached) {}

    /** At most so many times the floor for what had better be small, at least for what had better be great. */
    record Ratio(double limit) implements Condition {
        @Override
        public String words(Question question) {
            return bound(question.unit()) + Spread.ratioText(limit) + " x " + floor(question);
        }

        @Override
        public Judgement judge(Measured measured) {
            Spread ratios = measured.own.ratio();
            return new Judgement(
                    measured.question.unit().lessIsBetter() ? ratios.atMost(limit) : ratios.atLeast(limit),
                    List.of(ratioText(measured.own, measured.question)));
        }
    }

    /**
     * So much at the median of the rounds whose floor was steady: a machine in another mood has another figure, but the
     * median of a quiet one is what was promised. Not decided where no floor was steady.
     */
    record SteadyMedian(double limit) implements Condition {
        @Override
        public String words(Question question) {
            return bound(question.unit()) + question.unit().textWithSymbol(limit) + " at the median of steady rounds";
        }

        @Override
        public Judgement judge(Measured measured) {
            double median = measured.standings.steadyMedian(measured.question, measured.own.title());
            if (Double.isNaN(median)) {
                return new Judgement(Verdict.Outcome.UNDECIDED, List.of("no round was steady"));
            }
            Spread point = new Spread(median, median, median);
            return new Judgement(
                    measured.question.unit().lessIsBetter() ? point.atMost(limit) : point.atLeast(limit),
                    List.of(measured.question.unit().textWithSymbol(median) + " in steady rounds"));
        }
    }

    /** At most so many times the floor at this percentile, and not at the median alone. */
    record Tail(double percent, double limit) implements Condition {
        @Override
        public String words(Question question) {
            return "p" + percent + " at most " + Spread.ratioText(limit) + " x that of " + floor(question);
        }

        @Override
        public Judgement judge(Measured measured) {
            Spread ratios = measured.standings.tail(measured.question, measured.own.title(), percent);
            return Double.isNaN(ratios.median())
                    ? new Judgement(Verdict.Outcome.UNDECIDED, List.of("p" + percent + " not measured"))
                    : new Judgement(
                            ratios.atMost(limit),
                            List.of("p" + percent + " " + ratios.ratioText() + " x that of "
                                    + floor(measured.question)));
        }
    }

    /** Better than each of these lines, by the ratios to the floor: medians of different minutes tell less. */
    record Ahead(List<String> lines) implements Condition {
        @Override
        public String words(Question question) {
            return "ahead of " + String.join(", ", lines);
        }

        @Override
        public Judgement judge(Measured measured) {
            Spread ratios = measured.own.ratio();
            List<String> reached = new ArrayList<>();
            List<Verdict.Outcome> outcomes = new ArrayList<>();
            for (String line : lines) {
                Optional<Result> found = measured.standings.of(measured.question).stream()
                        .filter(each -> each.title().equals(line)
                                && !Double.isNaN(each.ratio().median()))
                        .findFirst();
                if (found.isEmpty()) {
                    outcomes.add(Verdict.Outcome.UNDECIDED);
                    reached.add(line + " not measured");
                } else {
                    Spread other = found.get().ratio();
                    outcomes.add(measured.question.unit().lessIsBetter() ? ratios.below(other) : other.below(ratios));
                    reached.add(line + " " + ratioText(found.get(), measured.question));
                }
            }
            return new Judgement(Verdict.Outcome.all(outcomes), reached);
        }
    }

    private static String bound(Unit unit) {
        return unit.lessIsBetter() ? "at most " : "at least ";
    }

    private static String floor(Question question) {
        return question.place() == Place.NETWORK ? "C" : question.floorLine();
    }

    private static String ratioText(Result result, Question question) {
        return result.ratio().ratioText() + " x " + floor(question);
    }
}

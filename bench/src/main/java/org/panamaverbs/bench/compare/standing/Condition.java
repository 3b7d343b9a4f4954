package org.panamaverbs.bench.compare.standing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.panamaverbs.bench.compare.contestant.Place;
import org.panamaverbs.bench.compare.contestant.Question;
import org.panamaverbs.bench.result.Result;
import org.panamaverbs.bench.result.Spread;
import org.panamaverbs.bench.result.Unit;
import org.panamaverbs.bench.result.Verdict;

/**
 * One thing that a target asks for.
 *
 * @param words what is asked of answers to a question, in words
 * @param judge judges what was measured
 * @param ofRatio whether it is about the ratio to the floor alone, so that the median is to be said, too
 */
record Condition(Function<Question, String> words, Function<Measured, Judgement> judge, boolean ofRatio) {
    /**
     * What was measured.
     *
     * @param question the question
     * @param own the answer that is judged
     * @param standings all answers
     */
    record Measured(Question question, Result own, Standings standings) {}

    /** What becomes of a condition, and in words what was reached; empty where the median says it all. */
    record Judgement(Verdict.Outcome outcome, List<String> reached) {
        private static Judgement of(Verdict.Outcome outcome, String reached) {
            return new Judgement(outcome, List.of(reached));
        }
    }

    /** At most so many times the floor for what had better be small, at least for what had better be great. */
    static Condition ratio(double limit) {
        return new Condition(
                question -> bound(question.unit()) + Spread.ratioText(limit) + " x " + floor(question),
                measured -> Judgement.of(
                        within(measured.question, measured.own.ratio(), limit),
                        ratioText(measured.own, measured.question)),
                true);
    }

    /**
     * So much at the median of the rounds whose floor was steady: a machine in another mood has another figure, but the
     * median of a quiet one is what was promised. Not decided where no floor was steady.
     */
    static Condition steadyMedian(double limit) {
        return new Condition(
                question -> bound(question.unit()) + question.unit().textWithSymbol(limit)
                        + " at the median of steady rounds",
                measured -> {
                    double median = measured.standings.steadyMedian(measured.question, measured.own.title());
                    return Double.isNaN(median)
                            ? Judgement.of(Verdict.Outcome.UNDECIDED, "no round was steady")
                            : Judgement.of(
                                    within(measured.question, new Spread(median, median, median), limit),
                                    measured.question.unit().textWithSymbol(median) + " in steady rounds");
                },
                false);
    }

    /** At most so many times the floor at this percentile, and not at the median alone. */
    static Condition tail(double percent, double limit) {
        return new Condition(
                question -> "p" + percent + " at most " + Spread.ratioText(limit) + " x that of " + floor(question),
                measured -> {
                    Spread ratios = measured.standings.tail(measured.question, measured.own.title(), percent);
                    return Double.isNaN(ratios.median())
                            ? Judgement.of(Verdict.Outcome.UNDECIDED, "p" + percent + " not measured")
                            : Judgement.of(
                                    ratios.atMost(limit),
                                    "p" + percent + " " + ratios.ratioText() + " x that of "
                                            + floor(measured.question));
                },
                false);
    }

    /** Better than each of these lines, by the ratios to the floor: medians of different minutes tell less. */
    static Condition aheadOf(String... lines) {
        return new Condition(
                question -> "ahead of " + String.join(", ", lines),
                measured -> {
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
                            boolean less = measured.question.unit().lessIsBetter();
                            outcomes.add(less ? ratios.below(other) : other.below(ratios));
                            reached.add(line + " " + ratioText(found.get(), measured.question));
                        }
                    }
                    return new Judgement(Verdict.Outcome.all(outcomes), reached);
                },
                false);
    }

    private static Verdict.Outcome within(Question question, Spread figures, double limit) {
        return question.unit().lessIsBetter() ? figures.atMost(limit) : figures.atLeast(limit);
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

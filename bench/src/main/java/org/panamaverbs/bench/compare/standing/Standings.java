package org.panamaverbs.bench.compare.standing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.panamaverbs.bench.Median;
import org.panamaverbs.bench.compare.contestant.Question;
import org.panamaverbs.bench.result.Beside;
import org.panamaverbs.bench.result.Result;
import org.panamaverbs.bench.result.Spread;

/** What the rounds come to: figures, and ratios to the floor around each measurement. */
public final class Standings {
    private final List<Sample> samples;
    private final Map<Key, List<Sample>> byLine = new LinkedHashMap<>();

    private record Key(Question question, String line) {}

    /** Takes the samples in the order of the run. */
    public Standings(List<Sample> samples) {
        this.samples = List.copyOf(samples);
        samples.forEach(
                sample -> byLine.computeIfAbsent(new Key(sample.question(), sample.line()), key -> new ArrayList<>())
                        .add(sample));
    }

    /** Returns all answers to {@code question}: the floor, then those to it, then messages that stand beside it. */
    List<Result> of(Question question) {
        List<Result> all = new ArrayList<>();
        find(question.floor(), question.floorLine()).ifPresent(all::add);
        byLine.keySet().stream()
                .filter(key -> key.question == question && !isFloor(key))
                .forEach(key -> all.add(result(key)));
        List<String> there = all.stream().map(Result::title).toList();
        byLine.keySet().stream()
                .filter(key -> question.isBeside(key.question) && !isFloor(key))
                .filter(key -> !key.line.startsWith("Panama") && !there.contains(key.line))
                .forEach(key -> all.add(result(key)));
        boolean nobodyElse = all.size() == 1 && question.floor() != question;
        return nobodyElse ? List.of() : all;
    }

    /** Returns what {@code line} answered to {@code question} itself. */
    Optional<Result> find(Question question, String line) {
        Key key = new Key(question, line);
        return byLine.containsKey(key) ? Optional.of(result(key)) : Optional.empty();
    }

    private static boolean isFloor(Key key) {
        return key.line.equals(key.question.floorLine());
    }

    /**
     * Returns the median of what {@code line} answered in the rounds whose floor was steady; NaN if there is none, and
     * of all rounds where the question has no floor.
     */
    double steadyMedian(Question question, String line) {
        return Median.of(byLine.getOrDefault(new Key(question, line), List.of()).stream()
                .filter(sample -> question.floorLine().isEmpty() || isOnSteadyFloor(samples.indexOf(sample)))
                .map(Sample::value)
                .toList());
    }

    /**
     * Returns the ratios of percentile {@code percent} to the floor's own, of the rounds that count; none where one of
     * both did not say it.
     */
    Spread tail(Question question, String line, double percent) {
        return Spread.of(ratios(
                        byLine.getOrDefault(new Key(question, line), List.of()),
                        sample -> sample.percentiles().getOrDefault(percent, Double.NaN))
                .those());
    }

    private Result result(Key key) {
        List<Sample> own = byLine.getOrDefault(key, List.of());
        return new Result(
                key.line,
                "",
                key.question.unit(),
                own.stream().map(Sample::value).toList(),
                isFloor(key) || key.question.floorLine().isEmpty()
                        ? List.of()
                        : List.of(beside(key.question.floorLine(), own)),
                percentiles(own),
                Result.Octets.UNKNOWN);
    }

    private Beside beside(String floor, List<Sample> own) {
        Ratios ratios = ratios(own, Sample::value);
        return new Beside(floor, ratios.those(), ratios.steady());
    }

    /** Ratios to the floor, and how many of the rounds had a steady one. */
    private record Ratios(List<Double> those, int steady) {}

    /** Of the rounds in which the floor was steady, if there are some; else of all that have a floor. */
    private Ratios ratios(List<Sample> own, ToDoubleFunction<Sample> figure) {
        List<Double> all = new ArrayList<>();
        List<Double> steady = new ArrayList<>();
        for (Sample sample : own) {
            int index = samples.indexOf(sample);
            double floor =
                    Floors.around(samples, index, figure).map(Floors::middle).orElse(Double.NaN);
            double ratio = figure.applyAsDouble(sample) / floor;
            if (!Double.isNaN(ratio)) {
                all.add(ratio);
                if (isOnSteadyFloor(index)) {
                    steady.add(ratio);
                }
            }
        }
        return new Ratios(steady.isEmpty() ? all : steady, steady.size());
    }

    private boolean isOnSteadyFloor(int index) {
        return Floors.around(samples, index).filter(Floors::areSteady).isPresent();
    }

    private static Map<Double, Double> percentiles(List<Sample> own) {
        Map<Double, List<Double>> all = new TreeMap<>();
        own.forEach(sample -> sample.percentiles()
                .forEach((at, value) ->
                        all.computeIfAbsent(at, each -> new ArrayList<>()).add(value)));
        Map<Double, Double> medians = new TreeMap<>();
        all.forEach((at, values) -> medians.put(at, Median.of(values)));
        return medians;
    }
}

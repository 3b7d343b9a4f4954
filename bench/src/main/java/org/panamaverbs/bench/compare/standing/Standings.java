package org.panamaverbs.bench.compare.standing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.panamaverbs.bench.Median;
import org.panamaverbs.bench.compare.contestant.CFloor;
import org.panamaverbs.bench.compare.contestant.Question;

/** What the rounds come to: medians, and ratios to the floor around each measurement. */
public final class Standings {
    private final List<Sample> samples;
    private final Map<Key, List<Sample>> byLine = new LinkedHashMap<>();

    private record Key(Question question, String line) {}

    /**
     * One contestant's answer to a question.
     *
     * @param line who, and how
     * @param measured the question that was measured; another one for messages beside a Write
     * @param median of the rounds
     * @param least of the rounds
     * @param most of the rounds
     * @param ratio the median of the rounds' ratios to the floor, of those in which it was steady if there are some;
     *     NaN without a floor
     * @param rounds how many there were
     * @param steady in how many of them the floor was steady
     * @param percentiles of round trips, the median of the rounds each
     */
    public record Standing(
            String line,
            Question measured,
            double median,
            double least,
            double most,
            double ratio,
            int rounds,
            int steady,
            Map<Double, Double> percentiles) {}

    public Standings(List<Sample> samples) {
        this.samples = List.copyOf(samples);
        samples.forEach(
                sample -> byLine.computeIfAbsent(new Key(sample.question(), sample.line()), key -> new ArrayList<>())
                        .add(sample));
    }

    public boolean isEmpty() {
        return samples.isEmpty();
    }

    /** Returns all answers to {@code question}: the floor, then those to it, then messages that stand beside it. */
    public List<Standing> of(Question question) {
        List<Standing> all = new ArrayList<>();
        find(question.floor(), CFloor.LINE).ifPresent(all::add);
        byLine.keySet().stream()
                .filter(key -> key.question == question && !key.line.equals(CFloor.LINE))
                .forEach(key -> all.add(standing(key)));
        List<String> there = all.stream().map(Standing::line).toList();
        byLine.keySet().stream()
                .filter(key -> question.isBeside(key.question) && !key.line.equals(CFloor.LINE))
                .filter(key -> !key.line.startsWith("Panama") && !there.contains(key.line))
                .forEach(key -> all.add(standing(key)));
        boolean nobodyElse = all.size() == 1 && question.floor() != question;
        return nobodyElse ? List.of() : all;
    }

    /** Returns what {@code line} answered to {@code question} itself. */
    public Optional<Standing> find(Question question, String line) {
        Key key = new Key(question, line);
        return byLine.containsKey(key) ? Optional.of(standing(key)) : Optional.empty();
    }

    private Standing standing(Key key) {
        List<Sample> own = byLine.getOrDefault(key, List.of());
        List<Double> ratios = new ArrayList<>();
        List<Double> steady = new ArrayList<>();
        for (Sample sample : own) {
            Floors.around(samples, samples.indexOf(sample)).ifPresent(floors -> {
                double ratio = sample.value() / floors.middle();
                ratios.add(ratio);
                if (floors.areSteady()) {
                    steady.add(ratio);
                }
            });
        }
        double[] values = own.stream().mapToDouble(Sample::value).sorted().toArray();
        Map<Double, List<Double>> percentiles = new TreeMap<>();
        own.forEach(sample -> sample.percentiles()
                .forEach((at, value) -> percentiles
                        .computeIfAbsent(at, each -> new ArrayList<>())
                        .add(value)));
        Map<Double, Double> medians = new TreeMap<>();
        percentiles.forEach((at, list) -> medians.put(at, median(list)));
        return new Standing(
                key.line,
                key.question,
                median(DoubleStream.of(values).boxed().toList()),
                values[0],
                values[values.length - 1],
                median(steady.isEmpty() ? ratios : steady),
                own.size(),
                steady.size(),
                medians);
    }

    /** Returns the median of {@code values}; NaN of none. */
    public static double median(List<Double> values) {
        return Median.of(values.stream().mapToDouble(Double::doubleValue));
    }
}

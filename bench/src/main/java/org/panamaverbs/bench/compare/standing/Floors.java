package org.panamaverbs.bench.compare.standing;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The floor just before and just after a measurement. A virtual machine has moods that last for seconds, as its host
 * has other guests: where the two floors differ, nobody knows which one the measurement stood on.
 *
 * @param before as the floor's question has it; as {@code after} where none was measured before
 * @param after as {@code before} where none was measured after
 */
public record Floors(double before, double after) {
    /** Floors are steady if the greater is at most so much more than the smaller. */
    static final double TOLERANCE = 0.15;

    /**
     * Returns the floors around sample {@code index}, within its round; itself if it is one, nothing if there is none.
     */
    public static Optional<Floors> around(List<Sample> samples, int index) {
        return around(samples, index, Sample::value);
    }

    /** The same by another figure of the samples than their value. */
    static Optional<Floors> around(List<Sample> samples, int index, ToDoubleFunction<Sample> figure) {
        Sample sample = samples.get(index);
        if (sample.line().equals(sample.question().floorLine())
                && sample.question() == sample.question().floor()) {
            return Optional.of(new Floors(figure.applyAsDouble(sample), figure.applyAsDouble(sample)));
        }
        Optional<Sample> before = first(samples.subList(0, index).reversed().stream(), sample);
        Optional<Sample> after = first(samples.subList(index, samples.size()).stream(), sample);
        return before.or(() -> after)
                .map(floor -> new Floors(figure.applyAsDouble(floor), figure.applyAsDouble(after.orElse(floor))));
    }

    private static Optional<Sample> first(Stream<Sample> those, Sample sample) {
        return those.filter(each -> each.line().equals(sample.question().floorLine()))
                .filter(each -> each.round() == sample.round()
                        && each.question() == sample.question().floor())
                .findFirst();
    }

    public boolean areSteady() {
        return Math.max(before, after) <= (1 + TOLERANCE) * Math.min(before, after);
    }

    public double middle() {
        return (before + after) / 2;
    }
}

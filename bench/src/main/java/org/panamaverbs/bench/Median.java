package org.panamaverbs.bench;

import java.util.Collection;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** The median. */
public final class Median {
    private Median() {}

    /** Returns the median of {@code values}, NaN of none. */
    public static double of(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        if (sorted.length == 0) {
            return Double.NaN;
        }
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Returns the median of {@code values}, NaN of none. */
    public static double of(Collection<Double> values) {
        return of(values, Double::doubleValue);
    }

    /** Returns the median of what {@code figure} says of each, NaN of none. */
    public static <T> double of(Collection<T> all, ToDoubleFunction<T> figure) {
        return of(all.stream().mapToDouble(figure));
    }
}

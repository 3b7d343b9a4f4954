package org.panamaverbs.bench;

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
}

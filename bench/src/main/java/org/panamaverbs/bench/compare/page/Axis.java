package org.panamaverbs.bench.compare.page;

import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * One axis of a plot.
 *
 * @param title with the unit
 * @param scale what is linear on paper, of what is shown
 * @param ticks where the marks are, ascending; the first and the last are the ends
 */
record Axis(String title, DoubleUnaryOperator scale, List<Tick> ticks) {

    /** A mark and its text. */
    record Tick(double at, String text) {}

    /** Returns where {@code value} is on an axis from 0 to 1. */
    double position(double value) {
        double first = scale.applyAsDouble(ticks.getFirst().at);
        double last = scale.applyAsDouble(ticks.getLast().at);
        return (scale.applyAsDouble(value) - first) / (last - first);
    }
}

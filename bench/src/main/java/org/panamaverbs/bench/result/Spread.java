package org.panamaverbs.bench.result;

import java.util.List;
import java.util.Locale;
import org.panamaverbs.bench.Median;

/**
 * Figures of several rounds as three.
 *
 * @param least of them; NaN of none
 * @param median of them; NaN of none
 * @param most of them; NaN of none
 */
public record Spread(double least, double median, double most) {
    /** Returns the spread of {@code values}. */
    public static Spread of(List<Double> values) {
        double[] all = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return all.length == 0
                ? new Spread(Double.NaN, Double.NaN, Double.NaN)
                : new Spread(all[0], Median.of(values), all[all.length - 1]);
    }

    /** Returns {@code value} as a ratio is shown. */
    public static String ratioText(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /** Returns the median of ratios as it is shown, and the range where there is one; nothing without ratios. */
    public String ratioText() {
        if (Double.isNaN(median)) {
            return "";
        }
        return least == most
                ? ratioText(median)
                : ratioText(median) + " (" + ratioText(least) + " to " + ratioText(most) + ")";
    }

    /** Returns whether all figures are at most {@code limit}, none is, or some are. */
    public Verdict.Outcome atMost(double limit) {
        return most <= limit ? Verdict.Outcome.MET : least > limit ? Verdict.Outcome.MISSED : Verdict.Outcome.UNDECIDED;
    }

    /** Returns whether all figures are at least {@code limit}, none is, or some are. */
    public Verdict.Outcome atLeast(double limit) {
        return least >= limit ? Verdict.Outcome.MET : most < limit ? Verdict.Outcome.MISSED : Verdict.Outcome.UNDECIDED;
    }

    /** Returns whether all figures are below all of {@code other}, none is below any, or neither. */
    public Verdict.Outcome below(Spread other) {
        return most < other.least
                ? Verdict.Outcome.MET
                : least >= other.most ? Verdict.Outcome.MISSED : Verdict.Outcome.UNDECIDED;
    }
}

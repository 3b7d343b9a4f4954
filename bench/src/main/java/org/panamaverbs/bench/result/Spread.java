package org.panamaverbs.bench.result;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.panamaverbs.bench.Median;

/**
 * Figures of several rounds as three: their range, or that of their median.
 *
 * @param least of them; NaN of none
 * @param median of them; NaN of none
 * @param most of them; NaN of none
 */
public record Spread(double least, double median, double most) {
    // The normal distribution's quantile for 95 %.
    private static final double Z = 1.96;

    public static Spread of(List<Double> values) {
        double[] all = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return all.length == 0
                ? new Spread(Double.NaN, Double.NaN, Double.NaN)
                : new Spread(all[0], Median.of(values), all[all.length - 1]);
    }

    /** Returns the median of {@code values}, and between what it is with a certainty of 95 %, however they spread. */
    public static Spread ofMedian(double... values) {
        double[] sorted = Arrays.stream(values).sorted().toArray();
        int count = sorted.length;
        // The median is between two ranks as a coin shows between two numbers of heads.
        int rank = Math.max(0, (int) Math.floor((count - Z * Math.sqrt(count)) / 2));
        return new Spread(sorted[rank], Median.of(Arrays.stream(sorted)), sorted[count - 1 - rank]);
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

    /** Returns how many percent more ratios come to: the median, and the range. */
    public String percentText() {
        return String.format(
                Locale.ROOT, "%+.2f %% (%+.2f to %+.2f)", 100 * (median - 1), 100 * (least - 1), 100 * (most - 1));
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

package org.panamaverbs.bench.loopback.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.panamaverbs.bench.Median;

/**
 * The ratios of a cost with to that without, a ratio for each turn, whose parts were measured within seconds.
 *
 * @param ratios one for each turn, sorted
 */
record Turns(List<Double> ratios) {
    // The normal distribution's quantile for 95 %.
    private static final double Z = 1.96;

    /** Takes ratios in any order. */
    static Turns of(double... ratios) {
        double[] sorted = ratios.clone();
        Arrays.sort(sorted);
        List<Double> all = new ArrayList<>();
        for (double each : sorted) {
            all.add(each);
        }
        return new Turns(List.copyOf(all));
    }

    double median() {
        return Median.of(ratios);
    }

    /** Returns the lower end of what the median is with a certainty of 95 %, whatever the distribution. */
    double least() {
        return ratios.get(rank());
    }

    /** Returns the upper end of that. */
    double most() {
        return ratios.get(ratios.size() - 1 - rank());
    }

    // The median is between two ranks as a coin shows between two numbers of heads.
    private int rank() {
        int count = ratios.size();
        return Math.max(0, (int) Math.floor((count - Z * Math.sqrt(count)) / 2));
    }

    /** Says whether the cost grew by at most {@code percent}: the whole range of the median must say so, or deny it. */
    String verdict(double percent) {
        double limit = 1 + percent / 100;
        if (most() <= limit) {
            return "met";
        }
        return least() > limit ? "MISSED" : "not decided";
    }

    /** Returns median and range as percent that it cost more. */
    String text() {
        return String.format(
                Locale.ROOT, "%+.2f %% (%+.2f to %+.2f)", percent(median()), percent(least()), percent(most()));
    }

    private static double percent(double ratio) {
        return 100 * (ratio - 1);
    }
}

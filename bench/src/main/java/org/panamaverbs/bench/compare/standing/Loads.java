package org.panamaverbs.bench.compare.standing;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.panamaverbs.bench.Median;
import org.panamaverbs.bench.machine.Load;

/** What the machine did beside the measurements of a run. */
final class Loads {
    // More of a processor than this, and a figure says little.
    private static final double DISTURBING_PERCENT = 5;

    private Loads() {}

    static String summary(List<Sample> samples) {
        if (samples.isEmpty()) {
            return "nothing was measured";
        }
        long disturbed = samples.stream()
                .filter(sample -> sample.load().others() > DISTURBING_PERCENT
                        || sample.load().steal() > DISTURBING_PERCENT)
                .count();
        String names = samples.stream()
                .map(sample -> sample.load().busiest())
                .filter(name -> !name.isEmpty())
                .collect(Collectors.groupingBy(name -> name, Collectors.counting()))
                .entrySet()
                .stream()
                .sorted((a, b) -> Long.compare(b.getValue(), a.getValue()))
                .limit(5)
                .map(entry -> entry.getKey())
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "load average %.2f at the median of all measurements, its own two processes included; other processes "
                        + "%.1f %% of one processor at the median, %.0f %% at most%s; steal %.1f %% at the median, %.0f %% at most;"
                        + " %d of %d measurements had more than %.0f %% of either",
                median(samples, Load::average),
                median(samples, Load::others),
                most(samples, Load::others),
                names.isEmpty() ? "" : " (most often " + names + ")",
                median(samples, Load::steal),
                most(samples, Load::steal),
                disturbed,
                samples.size(),
                DISTURBING_PERCENT);
    }

    /** Returns what other processes used at the median, in percent of one processor. */
    static double others(List<Sample> samples) {
        return median(samples, Load::others);
    }

    private static double median(List<Sample> samples, ToDoubleFunction<Load> of) {
        return Median.of(samples, sample -> of.applyAsDouble(sample.load()));
    }

    private static double most(List<Sample> samples, ToDoubleFunction<Load> of) {
        return samples.stream()
                .mapToDouble(sample -> of.applyAsDouble(sample.load()))
                .max()
                .orElse(0);
    }
}

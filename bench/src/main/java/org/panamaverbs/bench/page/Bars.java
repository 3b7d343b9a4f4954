package org.panamaverbs.bench.page;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.panamaverbs.bench.Median;
import org.panamaverbs.bench.result.Result;

/**
 * The bars of a chart: as long as the medians. Where one is far longer than most the axis is clipped, since the others
 * could not be told apart.
 *
 * @param results whose
 * @param end the median at which a bar has its full length
 */
record Bars(List<Result> results, double end) {
    private static final double FAR = 10;
    private static final double ROOM = 1.25;

    /** Returns the bars of {@code results}, which have the same dimension. */
    static Bars of(List<Result> results) {
        List<Double> medians = results.stream().map(Bars::median).toList();
        double far = medians.isEmpty() ? 0 : FAR * Median.of(medians);
        double most = medians.stream().mapToDouble(each -> each).max().orElse(0);
        double mostNear = medians.stream()
                .mapToDouble(each -> each)
                .filter(each -> each <= far)
                .max()
                .orElse(most);
        return new Bars(results, far > 0 && most > far ? ROOM * mostNear : most);
    }

    private static double median(Result result) {
        return result.spread().median();
    }

    /** Returns the bar of {@code result} as HTML. */
    String bar(Result result) {
        double percent = end > 0 ? Math.min(100, 100 * median(result) / end) : 0;
        return String.format(
                Locale.ROOT,
                "<span class=\"bar%s\" style=\"width:%.1f%%;--c:%s\"></span>",
                isClipped(result) ? " clipped" : "",
                percent,
                Html.colour(result.title()));
    }

    private boolean isClipped(Result result) {
        return median(result) > end;
    }

    /** Says where the axis is clipped, and what goes beyond; empty if nothing does. */
    String clipping() {
        String beyond =
                results.stream().filter(this::isClipped).map(Result::title).collect(Collectors.joining(", "));
        return beyond.isEmpty()
                ? ""
                : "Axis clipped at " + results.getFirst().unit().textWithSymbol(end) + "; beyond it: " + beyond + ".";
    }
}

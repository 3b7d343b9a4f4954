package org.panamaverbs.bench.compare.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import org.panamaverbs.bench.compare.contestant.CFloor;
import org.panamaverbs.bench.compare.contestant.Ours;
import org.panamaverbs.bench.compare.contestant.Point;
import org.panamaverbs.bench.compare.contestant.Question;
import org.panamaverbs.bench.compare.standing.Comparison;
import org.panamaverbs.bench.compare.standing.Standings;

/** The plots of lines: over percentiles and sizes. */
final class Curves {
    // The last percentile that is shown: beyond, a round of this length has a handful of figures.
    private static final double LAST_PERCENTILE = 99.99;

    private final Comparison comparison;
    private final Standings standings;

    Curves(Comparison comparison, Standings standings) {
        this.comparison = comparison;
        this.standings = standings;
    }

    /** Returns round trips of 64 B by percentile. */
    String percentiles() {
        List<Series> all = new ArrayList<>();
        add(all, Question.WRITE_64, CFloor.LINE, CFloor.LINE);
        add(all, Question.WRITE_64, Ours.CRC_ON, Ours.CRC_ON + ", Write");
        add(all, Question.SEND_64, Ours.CRC_ON, Ours.CRC_ON + ": Send/Recv");
        for (Standings.Standing standing : standings.of(Question.SEND_64)) {
            if (!standing.line().equals(CFloor.LINE) && !standing.line().equals(Ours.CRC_ON)) {
                add(all, Question.SEND_64, standing.line(), standing.line());
            }
        }
        all.addAll(series(Point.Curve.LATENCY_BY_PERCENTILE, 1e-3));
        return plot(
                "Round trips of 64 B by percentile",
                all,
                Axes.percentiles(LAST_PERCENTILE),
                "round trip, µs",
                at -> Axes.number(at) + " %");
    }

    private void add(List<Series> all, Question question, String line, String name) {
        standings.find(question, line).ifPresent(standing -> {
            List<Series.XY> points = new ArrayList<>();
            standing.percentiles().forEach((at, value) -> {
                if (at <= LAST_PERCENTILE) {
                    points.add(new Series.XY(at, value / 1e3));
                }
            });
            if (!points.isEmpty()) {
                int style = name.endsWith("Send/Recv") ? Styles.of(name) : Styles.of(line);
                all.add(new Series(name, style, points));
            }
        });
    }

    /** Returns bandwidth and latency by size. */
    String sizes() {
        List<Series> bandwidth = series(Point.Curve.BANDWIDTH_BY_SIZE, 1e-9);
        List<Series> latency = series(Point.Curve.LATENCY_BY_SIZE, 1e-3);
        return "<h3>Bandwidth</h3>\n<p class=\"hint\">Ours are Writes, one posted at a time; C is a stream of sends.</p>\n"
                + plot("Bandwidth by size", bandwidth, sizes(bandwidth), "GB/s", Axes::size)
                + "<h3>Round trips</h3>\n<p class=\"hint\">Ours are Writes.</p>\n"
                + plot("Round trips by size", latency, sizes(latency), "round trip, µs", Axes::size);
    }

    private static Axis sizes(List<Series> all) {
        double[] sizes = all.stream()
                .flatMapToDouble(series -> series.points().stream().mapToDouble(Series.XY::x))
                .sorted()
                .toArray();
        return sizes.length < 2 || sizes[0] == sizes[sizes.length - 1]
                ? Axes.sizes(8, 1 << 20)
                : Axes.sizes(sizes[0], sizes[sizes.length - 1]);
    }

    /** Where a point was measured more than once, it is the median. */
    private List<Series> series(Point.Curve curve, double factor) {
        Map<String, Map<Double, List<Double>>> byLine = new LinkedHashMap<>();
        for (Point point : comparison.points()) {
            if (point.curve() == curve) {
                byLine.computeIfAbsent(point.line(), key -> new TreeMap<>())
                        .computeIfAbsent(point.x(), key -> new ArrayList<>())
                        .add(point.value() * factor);
            }
        }
        List<Series> all = new ArrayList<>();
        byLine.forEach((line, values) -> {
            List<Series.XY> points = new ArrayList<>();
            values.forEach((x, list) -> points.add(new Series.XY(x, Standings.median(list))));
            all.add(new Series(line, Styles.of(line), points));
        });
        return all;
    }

    private static String plot(String title, List<Series> all, Axis x, String unit, DoubleFunction<String> rowName) {
        if (all.isEmpty()) {
            return "<p>Nothing was measured.</p>\n";
        }
        Axis y = Axes.logarithmic(
                unit,
                all.stream().flatMapToDouble(series -> series.points().stream().mapToDouble(Series.XY::y)));
        List<String> headings = new ArrayList<>(List.of(""));
        Map<Double, List<String>> rows = new TreeMap<>();
        for (int i = 0; i < all.size(); i++) {
            headings.add(all.get(i).name());
            for (Series.XY point : all.get(i).points()) {
                List<String> row =
                        rows.computeIfAbsent(point.x(), at -> new ArrayList<>(List.of(Html.escape(rowName.apply(at)))));
                while (row.size() <= i) {
                    row.add("");
                }
                row.add(String.format(java.util.Locale.ROOT, point.y() >= 100 ? "%.0f" : "%.3g", point.y()));
            }
        }
        rows.values().forEach(row -> {
            while (row.size() <= all.size()) {
                row.add("");
            }
        });
        return new LinePlot(title, x, y).html(all)
                + Html.details("Figures", Html.table(title + ", " + unit, headings, List.copyOf(rows.values())));
    }
}

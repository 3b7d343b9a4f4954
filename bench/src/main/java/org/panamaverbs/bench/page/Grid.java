package org.panamaverbs.bench.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bench.result.Beside;
import org.panamaverbs.bench.result.Plot;
import org.panamaverbs.bench.result.Result;
import org.panamaverbs.bench.result.Spread;
import org.panamaverbs.bench.result.Table;
import org.panamaverbs.bench.result.Unit;
import org.panamaverbs.bench.result.Verdict;

/**
 * A table as text: what both kinds of pages show. A column in which nothing stands is left out.
 *
 * @param headings of the columns
 * @param rows as many cells each
 */
record Grid(List<String> headings, List<List<String>> rows) {
    private static final List<Double> TAIL = List.of(99.0, 99.9);

    static Grid ofVerdicts(List<Verdict> verdicts) {
        Columns<Verdict> columns = new Columns<>(verdicts);
        columns.add("what", Verdict::what);
        columns.add("who", Verdict::who);
        columns.add("target", Verdict::target);
        columns.add("reached", Verdict::reached);
        columns.add("outcome", verdict -> verdict.outcome().text());
        return columns.grid();
    }

    /** Returns the answers to a question: figures, ratios to each floor with their range, and what else is known. */
    static Grid of(Table table) {
        Columns<Result> columns = new Columns<>(table.results());
        columns.add("what", Result::title);
        columns.add("with", Result::with);
        columns.add(
                "median", result -> result.unit().textWithSymbol(result.spread().median()));
        columns.add("least to most", Grid::range);
        columns.add("GB/s", Grid::bandwidth);
        for (String floor : floors(table)) {
            columns.add("x " + floor, result -> beside(result, floor).spread().ratioText());
        }
        columns.add("steady", Grid::steady);
        for (double percent : TAIL) {
            columns.add(Axes.number(percent) + " %", result -> percentile(result, percent));
        }
        columns.add("B/op", result -> allocated(result.octets().allocated()));
        return columns.grid();
    }

    /** Returns the points of a plot, a line a column. */
    static Grid of(Plot plot) {
        Set<Double> all = new TreeSet<>();
        plot.lines().forEach(line -> line.points().forEach(point -> all.add(point.x())));
        Columns<Double> columns = new Columns<>(List.copyOf(all));
        columns.add(
                plot.axis() == Plot.Axis.SIZE ? "bytes" : "percentile",
                plot.axis() == Plot.Axis.SIZE ? Axes::size : x -> Axes.number(x) + " %");
        for (Plot.Line line : plot.lines()) {
            Map<Double, Double> points = new TreeMap<>();
            line.points().forEach(point -> points.put(point.x(), point.y()));
            columns.add(line.title(), x -> figure(plot.unit(), points.get(x)));
        }
        return columns.grid();
    }

    private static List<String> floors(Table table) {
        return table.results().stream()
                .flatMap(result -> result.floors().stream())
                .map(Beside::floor)
                .distinct()
                .toList();
    }

    private static Beside beside(Result result, String floor) {
        return result.floors().stream()
                .filter(beside -> beside.floor().equals(floor))
                .findFirst()
                .orElse(new Beside(floor, List.of(), null));
    }

    private static String range(Result result) {
        Spread spread = result.spread();
        return result.unit().text(spread.least()) + " to " + result.unit().text(spread.most());
    }

    private static String bandwidth(Result result) {
        Double moved = result.octets().moved();
        return moved == null
                ? ""
                : Unit.OCTETS.text(moved * 1e9 / result.spread().median());
    }

    private static String steady(Result result) {
        return result.floors().stream()
                .filter(beside -> beside.steady() != null)
                .map(beside -> beside.steady() + " of " + result.rounds().size())
                .collect(Collectors.joining(", "));
    }

    private static String percentile(Result result, double percent) {
        Double value = result.percentiles().get(percent);
        return value == null ? "" : Unit.MICROSECONDS.textWithSymbol(value);
    }

    private static String allocated(@Nullable Double bytes) {
        return bytes == null ? "" : bytes == 0 ? "0" : String.format(Locale.ROOT, "%.1f", bytes);
    }

    private static String figure(Unit unit, @Nullable Double value) {
        if (value == null) {
            return "";
        }
        double shown = unit.shown(value);
        return String.format(Locale.ROOT, shown >= 100 ? "%.0f" : "%.3g", shown);
    }

    /** Columns over the same rows. */
    private static final class Columns<T> {
        private final List<T> of;
        private final List<String> headings = new ArrayList<>();
        private final List<List<String>> columns = new ArrayList<>();

        Columns(List<T> of) {
            this.of = of;
        }

        void add(String heading, Function<T, String> cell) {
            List<String> cells = of.stream().map(cell).toList();
            if (cells.stream().anyMatch(text -> !text.isEmpty())) {
                headings.add(heading);
                columns.add(cells);
            }
        }

        Grid grid() {
            List<List<String>> rows = new ArrayList<>();
            for (int i = 0; i < of.size(); i++) {
                int row = i;
                rows.add(columns.stream().map(column -> column.get(row)).toList());
            }
            return new Grid(headings, rows);
        }
    }
}

package org.panamaverbs.bench.page;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.panamaverbs.bench.result.Report;
import org.panamaverbs.bench.result.Result;
import org.panamaverbs.bench.result.Table;

/** A report as a page of Markdown: all but the plots. */
public final class MarkdownWriter {
    private static final int TEXT_COLUMNS = 2;
    private static final String TARGETS =
            "A target is decided if all rounds that count are on one side of it, and \"ahead of\" another contestant if no"
                    + " round of either is beyond any of the other's. Targets in microseconds or messages use the median of the"
                    + " steady rounds. A contestant that was not measured leaves a target undecided.";
    private static final String WITH = "with";
    private static final String RANGE = "least to most";

    private MarkdownWriter() {}

    /** Returns the page. */
    public static String text(Report report) {
        StringBuilder text = new StringBuilder("# " + report.title() + "\n\n" + report.about() + "\n\n");
        if (report.setting().busy()) {
            text.append("**").append(Html.BUSY).append("**\n\n");
        }
        report.setting().facts().forEach((name, value) -> text.append("- " + name + ": " + value + "\n"));
        report.setting()
                .notRun()
                .forEach(reason -> text.append("- **not run: ").append(reason).append("**\n"));
        text.append("\n## How to read this\n\n");
        report.notes().forEach(note -> text.append("- ").append(note).append('\n'));
        if (!report.verdicts().isEmpty()) {
            text.append("\n## Targets\n\n").append(TARGETS).append("\n\n");
            Grid grid = Grid.ofVerdicts(report.verdicts());
            grid(text, grid, grid.headings().size());
        }
        for (Table table : report.tables()) {
            text.append("\n## ").append(table.title()).append("\n\n");
            Grid grid = grid(table);
            grid(text, grid, grid.headings().contains(WITH) ? TEXT_COLUMNS : 1);
        }
        return text.toString();
    }

    /** Returns the answers with the hint as the heading of their names; where parameters vary, they are the columns. */
    private static Grid grid(Table table) {
        Grid grid = Grid.of(table);
        if (table.results().stream().allMatch(result -> result.rounds().size() == 1)) {
            grid = without(grid, grid.headings().indexOf(RANGE));
        }
        if (table.results().stream().map(Result::with).distinct().count() > 1) {
            grid = byParameters(grid);
        }
        List<String> headings = new ArrayList<>(grid.headings());
        if (!headings.isEmpty() && !table.hint().isEmpty()) {
            headings.set(0, table.hint());
        }
        return new Grid(headings, grid.rows());
    }

    private static Grid without(Grid grid, int column) {
        return new Grid(
                without(grid.headings(), column),
                grid.rows().stream().map(row -> without(row, column)).toList());
    }

    private static List<String> without(List<String> cells, int column) {
        List<String> others = new ArrayList<>(cells);
        others.remove(column);
        return others;
    }

    private static Grid byParameters(Grid grid) {
        int with = grid.headings().indexOf(WITH);
        List<String> parameters =
                grid.rows().stream().map(row -> row.get(with)).distinct().toList();
        Map<String, List<String>> rows = new LinkedHashMap<>();
        for (List<String> row : grid.rows()) {
            List<String> cells = rows.computeIfAbsent(
                    row.getFirst(), name -> new ArrayList<>(Collections.nCopies(parameters.size(), "")));
            cells.set(parameters.indexOf(row.get(with)), figures(grid.headings(), row, with));
        }
        List<String> headings = new ArrayList<>(List.of(grid.headings().getFirst()));
        headings.addAll(parameters);
        return new Grid(
                headings,
                rows.entrySet().stream()
                        .map(row -> Stream.concat(Stream.of(row.getKey()), row.getValue().stream())
                                .toList())
                        .toList());
    }

    private static String figures(List<String> headings, List<String> row, int with) {
        List<String> figures = new ArrayList<>();
        for (int i = 1; i < row.size(); i++) {
            String figure = row.get(i);
            String heading = headings.get(i);
            if (i != with && !figure.isEmpty() && !(heading.equals("B/op") && figure.equals("0"))) {
                figures.add(
                        switch (heading) {
                            case "median" -> figure;
                            case "GB/s", "B/op" -> figure + " " + heading;
                            default -> heading.startsWith("x ") ? figure + " " + heading : heading + " " + figure;
                        });
            }
        }
        return String.join(", ", figures);
    }

    /** Appends a table whose first {@code left} columns, as far as they are text, are aligned so. */
    private static void grid(StringBuilder text, Grid grid, int left) {
        row(text, grid.headings());
        for (int i = 0; i < grid.headings().size(); i++) {
            boolean isText = i == 0 || (i < left && !grid.headings().get(i).equals("median"));
            text.append(isText ? "|---" : "|--:");
        }
        text.append("|\n");
        grid.rows().forEach(cells -> row(text, cells));
    }

    private static void row(StringBuilder text, List<String> cells) {
        cells.forEach(cell -> text.append("| ").append(cell).append(' '));
        text.append("|\n");
    }
}

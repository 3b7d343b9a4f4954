package org.panamaverbs.bench.page;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.panamaverbs.bench.result.Beside;
import org.panamaverbs.bench.result.Report;
import org.panamaverbs.bench.result.Result;
import org.panamaverbs.bench.result.Table;

/** A report as a page of Markdown: all but the plots. */
public final class MarkdownWriter {
    private static final String TARGETS =
            "A target is decided if all rounds that count are on one side of it, and \"ahead of\" another contestant if no"
                    + " round of either is beyond any of the other's. Targets in microseconds or messages use the median of the"
                    + " steady rounds. A contestant that was not measured leaves a target undecided.";
    private static final String TIMES = "x ";
    private static final String QUESTION = "question";
    private static final int FACTS_WIDTH = 150;

    private MarkdownWriter() {}

    /** Returns the page. */
    public static String text(Report report) {
        StringBuilder text = new StringBuilder("# " + report.title() + "\n\n" + report.about() + "\n\n");
        if (report.setting().busy()) {
            text.append("**").append(Html.BUSY).append("**\n\n");
        }
        facts(text, report.setting().facts());
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
        List<Table> compared =
                report.tables().stream().filter(MarkdownWriter::isCompared).toList();
        List<Table> others =
                report.tables().stream().filter(table -> !isCompared(table)).toList();
        if (!compared.isEmpty()) {
            text.append("\n## Comparisons\n\n");
            grid(text, comparisons(compared), 2);
        }
        if (!others.isEmpty()) {
            text.append("\n## Figures\n\n| " + QUESTION + " | what | figures |\n|---|---|---|\n");
            others.forEach(table -> figures(text, table));
        }
        return text.toString();
    }

    /** Appends what was measured on what, with short facts, such as versions, on one line. */
    private static void facts(StringBuilder text, Map<String, String> facts) {
        String line = "";
        for (Map.Entry<String, String> each : facts.entrySet()) {
            String fact = each.getKey() + ": " + each.getValue();
            if (!line.isEmpty() && line.length() + fact.length() > FACTS_WIDTH) {
                text.append("- ").append(line).append('\n');
                line = "";
            }
            line = line.isEmpty() ? fact : line + "; " + fact;
        }
        if (!line.isEmpty()) {
            text.append("- ").append(line).append('\n');
        }
    }

    /** Returns whether the floor of {@code table} ran before and after each contestant. */
    private static boolean isCompared(Table table) {
        return table.results().stream()
                .flatMap(result -> result.floors().stream())
                .anyMatch(floor -> floor.steady() != null);
    }

    /**
     * Returns one grid of all comparisons, each beside its title; a row that an earlier one has is named, not repeated.
     */
    private static Grid comparisons(List<Table> tables) {
        List<Grid> grids = tables.stream().map(MarkdownWriter::withOneFloor).toList();
        List<String> headings = grids.stream()
                .flatMap(grid -> grid.headings().stream())
                .distinct()
                .toList();
        Set<List<String>> known = new HashSet<>();
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < tables.size(); i++) {
            Grid grid = grids.get(i);
            List<List<String>> its = new ArrayList<>();
            List<String> repeated = new ArrayList<>();
            for (int j = 0; j < grid.rows().size(); j++) {
                List<String> cells =
                        cells(headings, grid.headings(), grid.rows().get(j));
                if (known.add(cells)) {
                    its.add(cells);
                } else if (j > 0) { // the floor needs no name
                    repeated.add(cells.getFirst());
                }
            }
            if (its.isEmpty()) {
                its.add(cells(headings, List.of(), List.of()));
            }
            String title = title(tables.get(i));
            if (!repeated.isEmpty()) {
                title += " As above: " + String.join("; ", repeated);
            }
            for (List<String> cells : its) {
                rows.add(besides(title, cells));
                title = "";
            }
        }
        return new Grid(besides(QUESTION, headings), rows);
    }

    private static String title(Table table) {
        return ("**" + table.title() + "** " + table.hint()).strip();
    }

    private static List<String> besides(String first, List<String> cells) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(cells);
        return all;
    }

    private static Grid withOneFloor(Table table) {
        Grid grid = Grid.of(table);
        long floors = grid.headings().stream()
                .filter(heading -> heading.startsWith(TIMES))
                .count();
        return new Grid(
                grid.headings().stream()
                        .map(heading -> floors == 1 && heading.startsWith(TIMES) ? "x floor" : heading)
                        .toList(),
                grid.rows());
    }

    /** Returns {@code row}, whose columns are {@code its}, under {@code headings}. */
    private static List<String> cells(List<String> headings, List<String> its, List<String> row) {
        return headings.stream()
                .map(heading -> its.contains(heading) ? row.get(its.indexOf(heading)) : "")
                .toList();
    }

    /** Appends the answers to a question, a line each, with the floors of each in parentheses. */
    private static void figures(StringBuilder text, Table table) {
        Set<String> floors = table.results().stream()
                .flatMap(result -> result.floors().stream())
                .map(Beside::floor)
                .collect(Collectors.toSet());
        Map<String, List<String>> lines = new LinkedHashMap<>();
        for (Result result : table.results()) {
            if (!result.floors().isEmpty() || !floors.contains(result.title())) {
                List<String> figures = new ArrayList<>(figures(result, true));
                for (Beside beside : result.floors()) {
                    String floor = table.results().stream()
                            .filter(each -> each.title().equals(beside.floor())
                                    && each.with().equals(result.with()))
                            .filter(each -> each.floors().isEmpty())
                            .map(each -> " (" + String.join(", ", figures(each, false)) + ")")
                            .findFirst()
                            .orElse("");
                    figures.add(beside.spread().ratioText() + " " + TIMES + beside.floor() + floor);
                }
                String with = result.with().isEmpty() ? "" : result.with() + ": ";
                lines.computeIfAbsent(result.title(), title -> new ArrayList<>())
                        .add(with + String.join(", ", figures));
            }
        }
        String question = title(table);
        for (Map.Entry<String, List<String>> line : lines.entrySet()) {
            row(text, List.of(question, line.getKey(), String.join("; ", line.getValue())));
            question = "";
        }
    }

    private static List<String> figures(Result result, boolean ranges) {
        Grid grid = Grid.of(new Table("", "", List.of(result)));
        List<String> row = grid.rows().getFirst();
        List<String> figures = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            String figure = row.get(i);
            switch (grid.headings().get(i)) {
                case "median" -> figures.add(figure);
                case "least to most" -> {
                    if (ranges && result.rounds().size() > 1) {
                        figures.set(0, figures.getFirst() + " (" + figure + ")");
                    }
                }
                case "GB/s" -> figures.add(figure + " GB/s");
                case "B/op" -> {
                    if (!figure.equals("0")) {
                        figures.add(figure + " B/op");
                    }
                }
                default -> {
                    // Its name, its parameters, and the ratios, which stand with their floors.
                }
            }
        }
        return figures;
    }

    /** Appends a table whose first {@code left} columns are text. */
    private static void grid(StringBuilder text, Grid grid, int left) {
        row(text, grid.headings());
        for (int i = 0; i < grid.headings().size(); i++) {
            text.append(i < left ? "|---" : "|--:");
        }
        text.append("|\n");
        grid.rows().forEach(cells -> row(text, cells));
    }

    private static void row(StringBuilder text, List<String> cells) {
        cells.forEach(cell -> text.append("| ").append(cell).append(' '));
        text.append("|\n");
    }
}

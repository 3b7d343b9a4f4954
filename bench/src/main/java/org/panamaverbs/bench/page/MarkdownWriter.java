package org.panamaverbs.bench.page;

import java.util.List;
import org.panamaverbs.bench.result.Report;
import org.panamaverbs.bench.result.Table;

/** A report as a page of Markdown: all but the plots. */
public final class MarkdownWriter {
    private static final int TEXT_COLUMNS = 2;
    private static final String TARGETS =
            "A target is decided if all rounds that count are on one side of it, and \"ahead of\" another contestant if no"
                    + " round of either is beyond any of the other's. Targets in microseconds or messages use the median of the"
                    + " steady rounds. A contestant that was not measured leaves a target undecided.";

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
            if (!table.hint().isEmpty()) {
                text.append(table.hint()).append("\n\n");
            }
            grid(text, Grid.of(table), TEXT_COLUMNS);
        }
        return text.toString();
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

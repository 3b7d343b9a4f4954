package org.panamaverbs.bench.page;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.panamaverbs.bench.result.Plot;
import org.panamaverbs.bench.result.Report;
import org.panamaverbs.bench.result.Result;
import org.panamaverbs.bench.result.Setting;
import org.panamaverbs.bench.result.Table;
import org.panamaverbs.bench.result.Verdict;

/** Reports as one page of HTML: everything in one file, bars in the tables, plots as SVG with their figures beneath. */
public final class HtmlWriter {
    private static final double LEAST_BAR_PERCENT = 0.5;

    private final String title;
    private final List<Report> reports;
    private final Styles styles;

    private HtmlWriter(String title, List<Report> reports) {
        this.title = title;
        this.reports = reports;
        styles = new Styles(reports);
    }

    /** Returns a page with {@code title} of {@code reports}, one below the other. */
    public static String text(String title, List<Report> reports) throws IOException {
        return new HtmlWriter(title, reports).text();
    }

    private String text() throws IOException {
        StringBuilder body =
                new StringBuilder("<h1>").append(Html.escape(title)).append("</h1>\n<nav>");
        for (int i = 0; i < reports.size(); i++) {
            body.append(link("report-" + i, reports.get(i).title()));
        }
        body.append("</nav>\n");
        for (int i = 0; i < reports.size(); i++) {
            report(body, reports.get(i), "report-" + i);
        }
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <title>%s</title>
                <style>
                """.formatted(Html.escape(title)) + style() + "</style>\n</head>\n<body>\n<main>\n" + body
                + "</main>\n</body>\n</html>\n";
    }

    private static String style() throws IOException {
        try (InputStream in = HtmlWriter.class.getResourceAsStream("page.css")) {
            if (in == null) {
                throw new IOException("page.css is not among the classes");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void report(StringBuilder body, Report report, String id) throws IOException {
        String questions = id + "-questions";
        String plots = id + "-plots";
        String setting = id + "-setting";
        body.append("<section id=\"" + id + "\">\n<h2>" + Html.escape(report.title()) + "</h2>\n<p>"
                + Html.markdown(report.about()) + "</p>\n<nav>" + link(questions, "Questions")
                + (report.plots().isEmpty() ? "" : link(plots, "Plots"))
                + link(setting, "Setting, and how to read this") + "</nav>\n");
        if (report.setting().busy()) {
            body.append("<p class=\"missed\">").append(Html.BUSY).append("</p>\n");
        }
        if (!report.verdicts().isEmpty()) {
            body.append("<h3>Targets</h3>\n").append(targets(report.verdicts()));
        }
        body.append("<div id=\"" + questions + "\">\n");
        if (report.isEmpty()) {
            body.append("<p>Nothing was measured.</p>\n");
        }
        report.tables().forEach(table -> table(body, table));
        body.append("</div>\n<div id=\"" + plots + "\">\n");
        for (Plot plot : report.plots()) {
            plot(body, plot);
        }
        body.append("</div>\n<div id=\"" + setting + "\">\n");
        setting(body, report.setting(), report.notes());
        body.append("</div>\n</section>\n");
    }

    private static String link(String id, String text) {
        return "<a href=\"#" + id + "\">" + Html.escape(text) + "</a> ";
    }

    private static String targets(List<Verdict> verdicts) {
        Grid grid = Grid.ofVerdicts(verdicts);
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < verdicts.size(); i++) {
            List<String> cells = new ArrayList<>(escaped(grid.rows().get(i)));
            Verdict.Outcome outcome = verdicts.get(i).outcome();
            cells.set(
                    cells.size() - 1,
                    "<span class=\"" + outcome.name().toLowerCase(Locale.ROOT) + "\">" + outcome.text() + "</span>");
            rows.add(cells);
        }
        return "<div class=\"words\">"
                + Html.table("What was promised, and what this run reached", grid.headings(), rows) + "</div>\n";
    }

    private static List<String> escaped(List<String> cells) {
        return cells.stream().map(Html::escape).toList();
    }

    private void table(StringBuilder body, Table table) {
        body.append("<h3>").append(Html.escape(table.title())).append("</h3>\n");
        if (!table.hint().isEmpty()) {
            body.append("<p class=\"hint\">" + Html.markdown(table.hint()) + "</p>\n");
        }
        Grid grid = Grid.of(table);
        Bars bars = Bars.of(table);
        int at = grid.headings().indexOf("median");
        List<String> headings = new ArrayList<>(grid.headings());
        headings.add(at, "");
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < table.results().size(); i++) {
            Result result = table.results().get(i);
            List<String> cells = new ArrayList<>(escaped(grid.rows().get(i)));
            cells.add(at, bar(bars, result));
            rows.add(cells);
        }
        body.append(Html.table(bars.meaning(), headings, rows));
    }

    private String bar(Bars bars, Result result) {
        double percent = Math.max(LEAST_BAR_PERCENT, 100 * bars.share(result));
        String floor = bars.floorShare().isPresent()
                ? String.format(
                        Locale.ROOT,
                        " style=\"--floor:%.1f%%\"",
                        100 * bars.floorShare().getAsDouble())
                : "";
        return String.format(
                Locale.ROOT,
                "<td class=\"bars\"%s><span class=\"bar s%d\" style=\"width:%.1f%%\"></span></td>",
                floor,
                styles.of(result.title()),
                percent);
    }

    private void plot(StringBuilder body, Plot plot) throws IOException {
        body.append("<h3>").append(Html.escape(plot.title())).append("</h3>\n");
        String axes = plot.unit().symbol()
                + (plot.axis() == Plot.Axis.SIZE ? " by bytes of a message. " : " by percentile. ");
        body.append("<p class=\"hint\">" + Html.markdown((axes + plot.hint()).strip()) + "</p>\n");
        Grid grid = Grid.of(plot);
        body.append(new LinePlot(plot, styles).svg())
                .append(Html.details(
                        "Figures",
                        Html.table(
                                plot.title() + ", " + plot.unit().symbol(),
                                grid.headings(),
                                grid.rows().stream().map(HtmlWriter::escaped).toList())));
    }

    private static void setting(StringBuilder body, Setting setting, List<String> notes) {
        body.append("<h3>Setting, and how to read this</h3>\n<dl>\n");
        setting.facts()
                .forEach((name, value) ->
                        body.append("<dt>" + Html.escape(name) + "</dt><dd>" + Html.markdown(value) + "</dd>\n"));
        setting.notRun().forEach(reason -> body.append("<dt>not run</dt><dd>" + Html.escape(reason) + "</dd>\n"));
        body.append("</dl>\n<ul>\n");
        notes.forEach(note -> body.append("<li>").append(Html.markdown(note)).append("</li>\n"));
        body.append("</ul>\n");
    }
}

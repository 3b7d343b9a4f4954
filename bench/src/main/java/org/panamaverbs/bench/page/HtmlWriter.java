package org.panamaverbs.bench.page;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.bench.result.Plot;
import org.panamaverbs.bench.result.Report;
import org.panamaverbs.bench.result.Result;
import org.panamaverbs.bench.result.Setting;
import org.panamaverbs.bench.result.Table;

/**
 * Reports as one page of HTML in one file: charts of some questions first, then all tables, with bars, and the plots as
 * SVG with their figures beneath. The targets are not there, they are in the Markdown of a report.
 */
public final class HtmlWriter {
    private static final String MACHINE = "machine";

    private final StringBuilder body = new StringBuilder();

    private HtmlWriter() {}

    /**
     * Returns a page with {@code title}.
     *
     * @param questions the titles of the tables that the page begins with, as charts
     * @param reports one below the other
     */
    public static String text(String title, List<String> questions, List<Report> reports) throws IOException {
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <title>%s</title>
                <style>
                """.formatted(Html.escape(title)) + style() + "</style>\n</head>\n<body>\n<main>\n<h1>"
                + Html.escape(title) + "</h1>\n" + new HtmlWriter().body(questions, reports)
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

    private String body(List<String> questions, List<Report> reports) throws IOException {
        body.append("<div class=\"charts\">\n");
        for (String question : questions) {
            for (int i = 0; i < reports.size(); i++) {
                for (Table table : reports.get(i).tables()) {
                    if (table.title().equals(question)) {
                        chart(table, reports.get(i), "report-" + i);
                    }
                }
            }
        }
        body.append("</div>\n");
        for (int i = 0; i < reports.size(); i++) {
            report(reports.get(i), "report-" + i);
        }
        return body.toString();
    }

    private void chart(Table table, Report report, String id) {
        List<Result> results = Html.oursFirst(table.results(), Result::title);
        Bars bars = Bars.of(results);
        body.append("<figure><figcaption><h2>" + Html.escape(table.title()) + "</h2>\n<p class=\"hint\">"
                + Html.markdown(hint(table, bars)) + " <a href=\"#" + id + "\">" + Html.escape(report.title())
                + "</a>: " + Html.escape(report.setting().facts().getOrDefault(MACHINE, ""))
                + "</p></figcaption>\n<ul>\n");
        results.forEach(result -> body.append("<li><span>" + Html.escape(result.title()) + "</span> <span>"
                + bars.bar(result) + "</span> <span>"
                + result.unit().textWithSymbol(result.spread().median()) + "</span></li>\n"));
        body.append("</ul></figure>\n");
    }

    private static String hint(Table table, Bars bars) {
        return (table.hint() + " " + bars.clipping()).strip();
    }

    private void report(Report report, String id) throws IOException {
        body.append("<section id=\"" + id + "\">\n<h2>" + Html.escape(report.title()) + "</h2>\n<p>"
                + Html.markdown(report.about()) + "</p>\n");
        if (report.setting().busy()) {
            body.append("<p class=\"warning\">").append(Html.BUSY).append("</p>\n");
        }
        if (report.isEmpty()) {
            body.append("<p>Nothing was measured.</p>\n");
        }
        report.tables().forEach(this::table);
        for (Plot plot : report.plots()) {
            plot(new Plot(
                    plot.title(),
                    plot.hint(),
                    plot.axis(),
                    plot.unit(),
                    Html.oursFirst(plot.lines(), Plot.Line::title)));
        }
        setting(report.setting(), report.notes());
        body.append("</section>\n");
    }

    private static List<String> escaped(List<String> cells) {
        return cells.stream().map(Html::escape).toList();
    }

    private void table(Table table) {
        List<Result> results = Html.oursFirst(table.results(), Result::title);
        Bars bars = Bars.of(results);
        Grid grid = Grid.of(new Table(table.title(), table.hint(), results));
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            List<String> cells = new ArrayList<>(escaped(grid.rows().get(i)));
            cells.set(0, cells.getFirst() + bars.bar(results.get(i)));
            rows.add(cells);
        }
        body.append("<h3>" + Html.escape(table.title()) + "</h3>\n<p class=\"hint\">" + Html.markdown(hint(table, bars))
                + "</p>\n" + Html.table(table.title(), grid.headings(), rows));
    }

    private void plot(Plot plot) throws IOException {
        String axes = plot.unit().symbol()
                + (plot.axis() == Plot.Axis.SIZE
                        ? " by bytes of a message, both axes logarithmic. "
                        : " by percentile, logarithmic; each nine takes the same room. ");
        Grid grid = Grid.of(plot);
        body.append("<h3>" + Html.escape(plot.title()) + "</h3>\n<p class=\"hint\">"
                + Html.markdown((axes + plot.hint()).strip())
                + "</p>\n<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-label=\"" + Html.escape(plot.title())
                + "\">" + new LinePlot(plot).svg() + "</div>\n<details><summary>Figures</summary>\n"
                + Html.table(
                        plot.title() + ", " + plot.unit().symbol(),
                        grid.headings(),
                        grid.rows().stream().map(HtmlWriter::escaped).toList())
                + "</details>\n");
    }

    private void setting(Setting setting, List<String> notes) {
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

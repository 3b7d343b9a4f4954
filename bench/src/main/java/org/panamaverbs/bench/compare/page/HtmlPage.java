package org.panamaverbs.bench.compare.page;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.panamaverbs.bench.compare.contestant.Question;
import org.panamaverbs.bench.compare.standing.Comparison;
import org.panamaverbs.bench.compare.standing.Loads;
import org.panamaverbs.bench.compare.standing.Standings;
import org.panamaverbs.bench.compare.standing.Target;

/** The page: everything in one file, plots as SVG, every plot's figures as a table beneath. */
public final class HtmlPage {
    private final Comparison comparison;
    private final Standings standings;
    private final Map<String, List<JmhResults.Row>> jmh;

    public HtmlPage(Comparison comparison, Standings standings, Map<String, List<JmhResults.Row>> jmh) {
        this.comparison = comparison;
        this.standings = standings;
        this.jmh = jmh;
    }

    /** Returns the page. */
    public String text() throws IOException {
        StringBuilder body = new StringBuilder();
        body.append(
                        "<h1>Panama Verbs: speed</h1>\n<p>Over the loopback, beside a floor in C and what others offer, by <code>")
                .append(Html.escape(comparison.setting().getOrDefault("command", "bench/compare")))
                .append("</code>. Less is better for round trips, more for rates.</p>\n");
        body.append("""
                <nav><a href="#targets">Targets</a> <a href="#questions">Questions</a> <a href="#percentiles">Percentiles</a>
                <a href="#sizes">Sizes</a> <a href="#jmh">JMH</a> <a href="#setting">Setting</a></nav>
                """);
        section(body, "targets", "Targets", targets());
        section(body, "questions", "Question by question", questions());
        Curves curves = new Curves(comparison, standings);
        section(body, "percentiles", "Round trips of 64 B by percentile", curves.percentiles());
        section(body, "sizes", "By size of the message", curves.sizes());
        section(body, "jmh", "JMH", new JmhSection(jmh).html());
        section(body, "setting", "Setting, load, and how to read this", setting());
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <title>Panama Verbs: speed</title>
                <style>
                """ + style() + "</style>\n</head>\n<body>\n<main>\n" + body + "</main>\n</body>\n</html>\n";
    }

    private static void section(StringBuilder body, String id, String title, String content) {
        body.append("<section id=\"")
                .append(id)
                .append("\">\n<h2>")
                .append(Html.escape(title))
                .append("</h2>\n")
                .append(content)
                .append("</section>\n");
    }

    private static String style() throws IOException {
        try (InputStream in = HtmlPage.class.getResourceAsStream("speed.css")) {
            if (in == null) {
                throw new IOException("speed.css is not among the classes");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String targets() {
        List<List<String>> rows = new ArrayList<>();
        for (Target target : Target.ALL) {
            Target.Verdict verdict = target.judge(standings);
            rows.add(List.of(
                    Html.escape(target.question().title()),
                    Html.escape(target.line()),
                    Html.escape(verdict.words()),
                    Html.escape(verdict.reached()),
                    "<span class=\"" + verdict.result().name().toLowerCase(Locale.ROOT) + "\">"
                            + verdict.result().text() + "</span>"));
        }
        return Html.table(
                "What was promised, and what this run reached", List.of("what", "who", "target", "reached", ""), rows);
    }

    private String questions() {
        StringBuilder text = new StringBuilder();
        for (Question question : Question.values()) {
            List<Standings.Standing> all = standings.of(question);
            if (all.isEmpty()) {
                continue;
            }
            text.append("<h3>").append(Html.escape(question.title())).append("</h3>\n");
            text.append("<p class=\"hint\">")
                    .append(question.unit().lessIsBetter() ? "Less is better" : "More is better")
                    .append("; the line across is C of the same seconds, bars are so many times as long.</p>\n");
            text.append(new Bars(question, all).svg());
            List<List<String>> rows = new ArrayList<>();
            for (Standings.Standing each : all) {
                rows.add(List.of(
                        Html.escape(each.line()),
                        question.unit().text(each.median()),
                        question.unit().text(each.least()) + " to "
                                + question.unit().text(each.most()),
                        MarkdownReport.ratio(each),
                        MarkdownReport.steady(each),
                        MarkdownReport.percentile(each, 99),
                        MarkdownReport.percentile(each, 99.9)));
            }
            text.append(Html.details(
                    "Figures",
                    Html.table(
                            question.title() + ", in " + question.unit().symbol(),
                            List.of("by", "median", "least to most", "x C", "steady", "99 %", "99.9 %"),
                            rows)));
        }
        return text.isEmpty() ? "<p>Nothing was measured.</p>\n" : text.toString();
    }

    private String setting() {
        StringBuilder text = new StringBuilder("<dl>\n");
        comparison.setting().forEach((name, value) -> item(text, name, value));
        item(text, "load", Loads.summary(comparison.samples()));
        comparison.versions().forEach((name, value) -> item(text, name, value));
        comparison.absent().forEach((name, reason) -> item(text, "not run: " + name, reason));
        text.append("</dl>\n<ul>\n");
        for (String note : Notes.TEXT.strip().replaceAll("\n {2}", " ").split("\n", -1)) {
            text.append("<li>")
                    .append(Html.escape(note.substring(2)).replace("`", ""))
                    .append("</li>\n");
        }
        text.append("</ul>\n");
        if (!comparison.failures().isEmpty()) {
            text.append("<h3>What failed</h3>\n<ul>\n");
            comparison
                    .failures()
                    .forEach(failure ->
                            text.append("<li>").append(Html.escape(failure)).append("</li>\n"));
            text.append("</ul>\n");
        }
        return text.toString();
    }

    private static void item(StringBuilder text, String name, String value) {
        text.append("<dt>")
                .append(Html.escape(name))
                .append("</dt><dd>")
                .append(Html.escape(value))
                .append("</dd>\n");
    }
}

package org.panamaverbs.bench.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.bench.result.Beside;
import org.panamaverbs.bench.result.Report;
import org.panamaverbs.bench.result.Result;
import org.panamaverbs.bench.result.Setting;
import org.panamaverbs.bench.result.Table;
import org.panamaverbs.bench.result.Unit;

/** A report as Markdown, HTML and JSON; what is expected stands beside this class as files. */
class WritersTest {
    private final Report report = Reports.everything();

    private static String expected(String name) throws IOException {
        try (InputStream in = WritersTest.class.getResourceAsStream(name)) {
            assertThat(in).as(name).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Fails at the first place where {@code page} is not HTML. */
    private static Document parsed(String page) {
        Parser parser = Parser.htmlParser().setTrackErrors(10);
        Document document = parser.parseInput(page, "");
        assertThat(parser.getErrors()).isEmpty();
        return document;
    }

    @Test
    void markdownIsAsExpected() throws IOException {
        assertThat(MarkdownWriter.text(report)).isEqualTo(expected("report.md"));
    }

    @Test
    void markdownHasALineForAllParametersOfAName() {
        Result small = write("size 64", 2.0, 0.0);
        Result large = write("size 4096", 8.0, 16.0);
        Report report = reportOf(new Table("How long?", "`SizeBenchmark`", List.of(small, large)));
        assertThat(MarkdownWriter.text(report)).endsWith("""
                        ## Figures

                        | question | what | figures |
                        |---|---|---|
                        | **How long?** `SizeBenchmark` | write | size 64: 2.00 ns (2.00 to 2.00), 32.00 GB/s; size 4096: 8.00 ns (8.00 to 8.00), 512.0 GB/s, 16.0 B/op |
                        """);
    }

    @Test
    void markdownHasOneTableOfAllComparisonsAndRepeatsNoRow() {
        Result floor = result("C", 2);
        Table sends =
                new Table("Sends", "Less is better.", List.of(floor, compared("Panama Verbs", 3), compared("UCX", 5)));
        Table writes =
                new Table("Writes", "Less is better.", List.of(floor, compared("Panama Verbs", 4), compared("UCX", 5)));
        assertThat(MarkdownWriter.text(reportOf(sends, writes))).endsWith("""
                        ## Comparisons

                        | question | what | median | least to most | x floor | steady |
                        |---|---|--:|--:|--:|--:|
                        | **Sends** Less is better. | C | 0.00 µs | 0.00 to 0.00 |  |  |
                        |  | Panama Verbs | 0.00 µs | 0.00 to 0.00 | 1.50 | 1 of 1 |
                        |  | UCX | 0.01 µs | 0.01 to 0.01 | 2.50 | 1 of 1 |
                        | **Writes** Less is better. As above: UCX | Panama Verbs | 0.00 µs | 0.00 to 0.00 | 2.00 | 1 of 1 |
                        """);
    }

    private static Report reportOf(Table... tables) {
        return new Report(
                "A report",
                "",
                new Setting(Map.of(), List.of(), false),
                List.of(),
                List.of(),
                List.of(tables),
                List.of());
    }

    private static Result compared(String title, double figure) {
        Beside floor = new Beside("C", List.of(figure / 2), 1);
        return new Result(
                title, "", Unit.MICROSECONDS, List.of(figure), List.of(floor), Map.of(), Result.Octets.UNKNOWN);
    }

    private static Result write(String with, double nanos, double allocated) {
        double moved = Double.parseDouble(with.substring("size ".length()));
        return new Result(
                "write",
                with,
                Unit.NANOSECONDS,
                List.of(nanos, nanos),
                List.of(),
                Map.of(),
                new Result.Octets(allocated, moved));
    }

    @Test
    void htmlIsAsExpectedButForThePlots() throws IOException {
        Document document = parsed(HtmlWriter.text("A page", List.of("Round trips"), List.of(report)));
        document.select("style").forEach(Element::empty);
        document.select("svg").forEach(plot -> plot.empty().clearAttributes());
        document.outputSettings().prettyPrint(true);
        assertThat(document.select("main").outerHtml() + "\n").isEqualTo(expected("report.html"));
    }

    @Test
    void jsonKeepsEverything(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("report.json");
        JsonFile.write(file, report);
        assertThat(JsonFile.read(file, Report.class)).isEqualTo(report);
    }

    @Test
    void pageNeedsNothingElse() throws IOException {
        Document document = parsed(HtmlWriter.text("A page", List.of("Round trips"), List.of(report, Reports.NOTHING)));
        assertThat(document.select("script, link, img, iframe, object, [src], image"))
                .isEmpty();
        assertThat(document.select("[href]").eachAttr("href")).allMatch(target -> target.startsWith("#"));
        assertThat(document.select("style").html()).doesNotContain("url(", "@import");
        document.select("[href]")
                .eachAttr("href")
                .forEach(target -> assertThat(document.getElementById(target.substring(1)))
                        .as(target)
                        .isNotNull());
    }

    @Test
    void everyPlotHasItsTextAndItsFigures() throws IOException {
        Document document = parsed(HtmlWriter.text("A page", List.of("Round trips"), List.of(report)));
        assertThat(document.select("svg[role=img]"))
                .hasSize(report.plots().size())
                .allSatisfy(plot -> {
                    assertThat(plot.attr("aria-label")).isNotEmpty();
                    assertThat(plot.outerHtml()).doesNotContain("NaN", "Infinity");
                });
        assertThat(document.select("details table")).hasSize(report.plots().size());
    }

    @Test
    void pageWithoutAnythingSaysSo() throws IOException {
        assertThat(parsed(HtmlWriter.text("A page", List.of(), List.of(Reports.NOTHING)))
                        .text())
                .contains("Nothing was measured.");
    }

    private static Result result(String title, double figure) {
        return new Result(title, "", Unit.MICROSECONDS, List.of(figure), List.of(), Map.of(), Result.Octets.UNKNOWN);
    }

    private static Document pageOf(Result... results) throws IOException {
        Report report = reportOf(new Table("How long?", "", List.of(results)));
        return parsed(HtmlWriter.text("A page", List.of("How long?"), List.of(report)));
    }

    @Test
    void figuresOfNothingHaveBarsOfNothing() throws IOException {
        assertThat(pageOf(result("C", 0)).select(".bar").eachAttr("style"))
                .hasSize(2)
                .allMatch(style -> style.startsWith("width:0.0%"));
    }

    @Test
    void ownResultsComeFirst() throws IOException {
        Document page = pageOf(result("C", 1000), result("UCX put", 2000), result("Panama Verbs, CRC on", 3000));
        assertThat(page.select("li > :first-child").eachText()).containsExactly("Panama Verbs, CRC on", "C", "UCX put");
        assertThat(page.select("tbody th").eachText()).containsExactly("Panama Verbs, CRC on", "C", "UCX put");
    }

    @Test
    void axisThatOneResultWouldFlattenIsClippedAndSaysSo() throws IOException {
        Document page = pageOf(result("C", 6000), result("Panama Verbs", 7000), result("UCX get", 1_100_000));
        String clipped = "Axis clipped at 8.75 µs; beyond it: UCX get.";
        assertThat(page.select("figcaption").text()).contains(clipped);
        assertThat(page.select("section .hint").text()).contains(clipped);
        assertThat(page.select("li .bar").eachAttr("style"))
                .satisfiesExactly(
                        ours -> assertThat(ours).startsWith("width:80.0%"),
                        floor -> assertThat(floor).startsWith("width:68.6%"),
                        far -> assertThat(far).startsWith("width:100.0%"));
        assertThat(page.select("li:has(.clipped)").eachText()).containsExactly("UCX get 1100 µs");
    }

    @Test
    void axisThatHoldsAllResultsIsNotClipped() throws IOException {
        Document page = pageOf(result("Panama Verbs", 860), result("UCX put", 110), result("Open MPI put", 1292));
        assertThat(page.text()).doesNotContain("clipped");
        assertThat(page.select(".clipped")).isEmpty();
        assertThat(page.select("li .bar").eachAttr("style"))
                .element(2)
                .asString()
                .startsWith("width:100.0%");
    }
}

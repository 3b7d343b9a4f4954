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
    void htmlIsAsExpectedButForThePlots() throws IOException {
        Document document = parsed(HtmlWriter.text("A page", List.of(report)));
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
        Document document = parsed(HtmlWriter.text("A page", List.of(report, Reports.NOTHING)));
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
        Document document = parsed(HtmlWriter.text("A page", List.of(report)));
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
        assertThat(parsed(HtmlWriter.text("A page", List.of(Reports.NOTHING))).text())
                .contains("Nothing was measured.");
    }

    @Test
    void figuresOfNothingHaveBarsOfNothing() throws IOException {
        Result none = new Result("C", "", Unit.OCTETS, List.of(0.0), List.of(), Map.of(), Result.Octets.UNKNOWN);
        Report report = new Report(
                "None",
                "",
                new Setting(Map.of(), List.of(), false),
                List.of(),
                List.of(),
                List.of(new Table("How many?", "", List.of(none))),
                List.of());
        assertThat(HtmlWriter.text("A page", List.of(report))).doesNotContain("NaN");
    }
}

package org.panamaverbs.bench.page;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.bench.compare.standing.ComparisonReport;
import org.panamaverbs.bench.result.Report;

/**
 * The pages in the documentation are what the writers make of the reports beside them. With {@code -Dpages.update=true}
 * the pages in Markdown are written anew.
 */
class PublishedPagesTest {
    private static final Path RESULTS = Path.of("../docs/results");
    private static final String ONE_HOST = "one-host.json";

    private static boolean isPublished(String name) {
        return Files.exists(RESULTS.resolve(name));
    }

    private static Report report(String name) throws IOException {
        return JsonFile.read(RESULTS.resolve(name), Report.class);
    }

    @ParameterizedTest
    @CsvSource({"benchmarks.json, jmh.md", "comparison.json, comparison.md", "one-host.json, one-host.md"})
    void markdownIsOfItsReport(String json, String page) throws IOException {
        assumeTrue(!json.equals(ONE_HOST) || isPublished(ONE_HOST), "no run on one host is published yet");
        if (Boolean.getBoolean("pages.update")) {
            Files.writeString(RESULTS.resolve(page), MarkdownWriter.text(report(json)));
        }
        assertThat(Files.readString(RESULTS.resolve(page))).isEqualTo(MarkdownWriter.text(report(json)));
    }

    private static Document published() throws IOException {
        return Jsoup.parse(Files.readString(RESULTS.resolve("speed.html")));
    }

    @Test
    void pageIsOfTheReports() throws IOException {
        List<Report> reports = new ArrayList<>();
        reports.add(report("comparison.json"));
        if (isPublished(ONE_HOST)) {
            reports.add(report(ONE_HOST));
        }
        String made = HtmlWriter.text("Panama Verbs: speed", ComparisonReport.CHARTS, reports);
        assertThat(published().select("main").eachText())
                .isEqualTo(Jsoup.parse(made).select("main").eachText());
        assertThat(published().select("style").html())
                .isEqualTo(Jsoup.parse(made).select("style").html());
    }

    @Test
    void pageBeginsWithFourChartsInWhichOursAreFirst() throws IOException {
        Document page = published();
        assertThat(page.select("main > *").eachAttr("class").getFirst()).isEqualTo("charts");
        assertThat(page.select("main > h1 + .charts > figure h2").eachText())
                .hasSize(4)
                .isEqualTo(ComparisonReport.CHARTS);
        assertThat(page.select("figure li:first-child, tbody:contains(Panama Verbs) tr:first-child")
                        .eachText())
                .hasSizeGreaterThan(4)
                .allMatch(text -> text.startsWith("Panama Verbs"));
    }

    @Test
    void targetsAreNotOnThePage() throws IOException {
        assertThat(published().text()).doesNotContainIgnoringCase("missed", "target", "promised");
    }

    @Test
    void contestantHasOneColourAndNoOtherHasIt() throws IOException {
        Map<String, Set<String>> colours = new TreeMap<>();
        for (Element bar : published().select(".bar")) {
            String title = requireNonNull(bar.closest("li, th")).text();
            String contestant = title.startsWith("Open MPI") ? "Open MPI" : title.split("[ ,]", 2)[0];
            colours.computeIfAbsent(contestant, name -> new TreeSet<>())
                    .add(bar.attr("style").split("--c:", 2)[1]);
        }
        assertThat(colours)
                .hasSizeGreaterThan(6)
                .allSatisfy((contestant, its) -> assertThat(its).hasSize(1));
        Set<String> all = new TreeSet<>();
        colours.values().forEach(all::addAll);
        assertThat(all).hasSameSizeAs(colours.keySet());
        // Those of the lines have names of the same contestants.
        assertThat(published().select("svg [stroke^=var(--of]").eachAttr("stroke"))
                .isNotEmpty()
                .allMatch(all::contains);
        for (Map<String, String> scheme : PageColours.schemes()) {
            assertThat(scheme.keySet())
                    .containsAll(all.stream()
                            .map(colour -> colour.substring("var(".length(), colour.indexOf(',')))
                            .toList());
        }
    }
}

package org.panamaverbs.bench.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.bench.result.Report;

/** The pages in the documentation are what the writers make of the reports beside them. */
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
        assertThat(Files.readString(RESULTS.resolve(page))).isEqualTo(MarkdownWriter.text(report(json)));
    }

    @Test
    void tablesOfThePageAreOfTheReports() throws IOException {
        List<Report> reports = new ArrayList<>();
        reports.add(report("comparison.json"));
        if (isPublished(ONE_HOST)) {
            reports.add(report(ONE_HOST));
        }
        reports.add(report("benchmarks.json"));
        String made = HtmlWriter.text("Panama Verbs: speed", reports);
        assertThat(Jsoup.parse(Files.readString(RESULTS.resolve("speed.html")))
                        .select("table")
                        .eachText())
                .isNotEmpty()
                .isEqualTo(Jsoup.parse(made).select("table").eachText());
    }
}

package org.panamaverbs.bench.compare.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.bench.compare.contestant.CFloor;
import org.panamaverbs.bench.compare.contestant.Ours;
import org.panamaverbs.bench.compare.contestant.Question;
import org.panamaverbs.bench.compare.standing.Comparison;
import org.panamaverbs.bench.compare.standing.Loads;
import org.panamaverbs.bench.compare.standing.Runs;
import org.panamaverbs.bench.compare.standing.Sample;
import org.panamaverbs.bench.compare.standing.Standings;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The JSON, the table and the page of a run. */
class ReportTest {
    private static final String JMH = """
            [{"benchmark": "org.panamaverbs.bench.crc.Crc32cBenchmark.ours", "mode": "avgt", "params": {"size": "64"},
              "primaryMetric": {"score": 12.5, "scoreError": "NaN", "scoreUnit": "ns/op"},
              "secondaryMetrics": {"gc.alloc.rate.norm": {"score": 1.0E-4, "scoreError": "NaN"}}},
             {"benchmark": "org.panamaverbs.bench.crc.Crc32cBenchmark.floor", "mode": "avgt", "params": {"size": "64"},
              "primaryMetric": {"score": 25.0, "scoreError": 0.5, "scoreUnit": "ns/op"}}]
            """;

    @TempDir
    Path directory;

    private final Comparison comparison = Runs.comparison();
    private final Standings standings = new Standings(comparison.samples());

    @Test
    void readsTheJsonItWrote() throws IOException {
        Path file = directory.resolve("compare.json");
        comparison.save(file);
        assertThat(Comparison.load(file)).isEqualTo(comparison);
        assertThat(Files.readString(file)).contains("\"question\": \"WRITE_64\"", "\"99.9\": ");
    }

    @Test
    void tabulatesMediansRatiosAndVerdicts() {
        String text = new MarkdownReport(comparison, standings).text();
        assertThat(text)
                .contains("- command: `bench/compare --full`", "- not run: libfabric: no fi_pingpong: apt-get install")
                .contains(
                        "| 64 B RDMA Write, round trip | Panama Verbs, CRC on | 6.60 µs | 6.60 to 6.60 | 1.10 | 3 of 3 | 13.20 µs | 52.82 µs |")
                .contains("| 64 B RDMA Write, round trip | UCX put | 17.00 µs | 17.00 to 17.00 | 2.83 | 3 of 3 |  |  |")
                .contains(
                        "| 1 MiB RDMA Write, bandwidth | Panama Verbs, CRC on | 2.65 GB/s | 2.65 to 2.65 | 0.50 | 3 of 3 |  |  |")
                .contains("| at least 0.60 x C | 0.50 x C; 2.65 GB/s | MISSED |")
                .contains("| not measured |", "did not end in 40 s");
    }

    @Test
    void tellsOfTheLoad() {
        Sample quiet = Runs.sample(Question.WRITE_64, CFloor.LINE, 1, 1);
        Sample disturbed = new Sample(Question.WRITE_64, Ours.CRC_ON, 1, 1, Map.of(), Runs.DISTURBED);
        assertThat(Loads.summary(List.of(quiet, quiet, disturbed)))
                .contains("0.5 % of one processor at the median, 80 % at most (most often javac)")
                .contains("1 of 3 measurements had more than 5 %");
    }

    @Test
    void pageIsWellFormedAndNeedsNoNetwork() throws Exception {
        Path jmh = Files.writeString(directory.resolve("jmh.json"), JMH);
        String page = new HtmlPage(comparison, standings, JmhResults.load(jmh)).text();
        assertThat(page).doesNotContain("http:", "https:", "<script", "url(", "@import", "NaN");
        Document document = document(page);
        NodeList plots = document.getElementsByTagName("svg");
        assertThat(plots.getLength()).isGreaterThan(6);
        for (int i = 0; i < plots.getLength(); i++) {
            Element plot = (Element) plots.item(i);
            assertThat(plot.getAttribute("aria-label").isEmpty())
                    .as("a plot has a text, or is hidden as an ornament")
                    .isEqualTo(plot.hasAttribute("aria-hidden"));
        }
        assertThat(document.getElementsByTagName("table").getLength())
                .as("targets, three questions, three plots of lines, JMH")
                .isEqualTo(8);
    }

    @Test
    void pageShowsWhatIsInTheRun() throws IOException {
        Path jmh = Files.writeString(directory.resolve("jmh.json"), JMH);
        String page = new HtmlPage(comparison, standings, JmhResults.load(jmh)).text();
        assertThat(page)
                .contains(
                        "a &lt;test&gt; &amp; more",
                        "<span class=\"met\">met</span>",
                        "<span class=\"missed\">MISSED</span>")
                .contains(
                        "<h3>Crc32c</h3>", "width:50.0%", "<td>12.5</td>", "<td>25.0 ± 0.500</td>", "<td>size 64</td>")
                .contains("<th scope=\"row\">99.9 %</th>", "<th scope=\"row\">4 KiB</th>");
    }

    @Test
    void pageWithoutAnythingSaysSo() throws Exception {
        Comparison nothing = new Comparison(Map.of(), Map.of(), Map.of(), List.of(), List.of(), List.of());
        String page =
                new HtmlPage(nothing, new Standings(List.of()), JmhResults.load(directory.resolve("jmh.json"))).text();
        document(page);
        assertThat(page).contains("Nothing was measured.", "No results of JMH were there", "not measured");
    }

    private static Document document(String page) throws Exception {
        // What we write of HTML is XML, too, but for elements that have no end.
        String xml = page.replace("<!DOCTYPE html>", "").replaceAll("<meta ([^>]*)>", "<meta $1/>");
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    }
}

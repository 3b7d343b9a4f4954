package org.panamaverbs.bench.compare.standing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.bench.compare.contestant.CFloor;
import org.panamaverbs.bench.compare.contestant.Ours;
import org.panamaverbs.bench.compare.contestant.Place;
import org.panamaverbs.bench.compare.contestant.Question;
import org.panamaverbs.bench.page.JsonFile;
import org.panamaverbs.bench.page.MarkdownWriter;
import org.panamaverbs.bench.result.Plot;
import org.panamaverbs.bench.result.Report;
import org.panamaverbs.bench.result.Table;
import org.panamaverbs.bench.result.Verdict;

/** The JSON and the report of a comparison. */
class ComparisonReportTest {
    private final Comparison comparison = Runs.comparison();
    private final Report report = ComparisonReport.of(Place.NETWORK, comparison);

    @Test
    void readsTheJsonItWrote(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("compare.json");
        JsonFile.write(file, comparison);
        assertThat(JsonFile.read(file, Comparison.class)).isEqualTo(comparison);
        assertThat(Files.readString(file)).contains("\"question\": \"WRITE_64\"", "\"99.9\": ");
        Path reported = directory.resolve("comparison.json");
        JsonFile.write(reported, report);
        assertThat(JsonFile.read(reported, Report.class)).isEqualTo(report);
    }

    @Test
    void tabulatesMediansRatiosAndVerdicts() {
        assertThat(MarkdownWriter.text(report))
                .contains(
                        "- command: `bench/compare --full`",
                        "- **not run: libfabric: no fi_pingpong: apt-get install",
                        "- **not run: FAILED: 64 B, round 2: did not end in 40 s**")
                .contains("""
                        | question | what | median | least to most | x floor | steady | 99 % | 99.9 % |
                        |---|---|--:|--:|--:|--:|--:|--:|
                        | **64 B RDMA Write, round trip** Less is better. | C TCP | 6.00 µs | 6.00 to 6.00 |  |  | 12.00 µs | 48.02 µs |
                        """)
                .contains("| Panama Verbs, CRC on | 6.60 µs | 6.60 to 6.60 | 1.10 | 3 of 3 | 13.20 µs | 52.82 µs |")
                .contains("| UCX put | 17.00 µs | 17.00 to 17.00 | 2.83 (2.83 to 2.83) | 3 of 3 |  |  |")
                .contains("| Panama Verbs, CRC on | 2.65 GB/s | 2.65 to 2.65 | 0.50 | 3 of 3 |")
                .contains("| at least 0.70 x C | 0.50 x C; 2.65 GB/s | MISSED |", "| not measured |");
    }

    @Test
    void drawsPercentilesAndWhatCurvesThereAre() {
        assertThat(report.plots())
                .extracting(Plot::title)
                .containsExactly("Round trips of 64 B by percentile", "Bandwidth by size", "Round trips by size");
        assertThat(report.plots().getFirst().lines())
                .extracting(Plot.Line::title)
                .containsExactly(CFloor.LINE, Ours.CRC_ON, Ours.CRC_ON + ": Send/Recv", "Aeron UDP", "UCX tag");
        Comparison withoutCurves =
                new Comparison(Map.of(), Map.of(), Map.of(), List.of(), comparison.samples(), List.of());
        assertThat(ComparisonReport.of(Place.NETWORK, withoutCurves).plots()).hasSize(1);
    }

    @Test
    void tellsOfTheLoad() {
        Sample quiet = Runs.sample(Question.WRITE_64, CFloor.LINE, 1, 1);
        Sample disturbed = new Sample(Question.WRITE_64, Ours.CRC_ON, 1, 1, Map.of(), Runs.DISTURBED);
        assertThat(Loads.summary(List.of(quiet, quiet, disturbed)))
                .contains("0.5 % of one processor at the median, 80 % at most (most often javac)")
                .contains("1 of 3 measurements had more than 5 %");
        assertThat(report.setting().busy()).isFalse();
        assertThat(ComparisonReport.of(
                                Place.NETWORK,
                                new Comparison(Map.of(), Map.of(), Map.of(), List.of(), List.of(disturbed), List.of()))
                        .setting()
                        .busy())
                .isTrue();
    }

    @Test
    void isEmptyIfNothingWasMeasured() {
        Report nothing = ComparisonReport.of(
                Place.NETWORK, new Comparison(Map.of(), Map.of(), Map.of(), List.of(), List.of(), List.of()));
        assertThat(nothing.isEmpty()).isTrue();
        assertThat(MarkdownWriter.text(nothing)).contains("nothing was measured", "not measured");
    }

    @Test
    void putsOneHostIntoAReportOfItsOwn() {
        Report oneHost = ComparisonReport.of(Place.ONE_HOST, Runs.oneHost());
        assertThat(MarkdownWriter.text(oneHost))
                .contains("# One-host comparison")
                .contains("| **One host: 64 B RDMA Write, round trip** Less is better. | C hand-over | 0.25 µs |")
                .contains(
                        "| Panama Verbs, shared memory | 0.90 µs | 0.90 to 0.90 | 3.60 | 3 of 3 | 1.80 µs | 7.20 µs |")
                .contains("| Panama Verbs, shared memory | 0.00 B/op (0.00 to 0.00) |")
                .contains("0.90 µs in steady rounds; JUCX posix tag 8.00 x C hand-over")
                .contains("- **not run: Open MPI: no mpirun: apt-get install openmpi-bin");
        assertThat(oneHost.verdicts())
                .extracting(Verdict::outcome)
                .startsWith(Verdict.Outcome.UNDECIDED, Verdict.Outcome.UNKNOWN)
                .contains(Verdict.Outcome.MET);
        assertThat(oneHost.plots())
                .singleElement()
                .satisfies(plot -> assertThat(plot.lines())
                        .extracting(Plot.Line::title)
                        .containsExactly("C hand-over", "Panama Verbs, shared memory: Write"));
        assertThat(report.tables())
                .extracting(Table::title)
                .doesNotContainAnyElementsOf(
                        oneHost.tables().stream().map(Table::title).toList());
    }
}

package org.panamaverbs.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.bench.binding.CompletionBenchmark;
import org.panamaverbs.bench.binding.PostSendBenchmark;
import org.panamaverbs.bench.binding.WriteBenchmark;
import org.panamaverbs.bench.loopback.ConnectionSetupBenchmark;
import org.panamaverbs.bench.loopback.WriteBandwidthBenchmark;
import org.panamaverbs.bench.page.MarkdownWriter;
import org.panamaverbs.bench.result.Report;
import org.panamaverbs.bench.result.Setting;
import org.panamaverbs.bench.result.Unit;

/** What the report makes of a run's figures. */
class SuiteReportTest {
    private static final Line C = post("c", 0, 1.0, 2.0, 1.5);
    private static final Line JNI = post("jni", 0.001, 8.0, 16.0, 12.0);
    private static final int MUCH = 1 << 20;

    private static Line post(String method, double bytes, Double... times) {
        return new Line(
                PostSendBenchmark.class.getName(), method, Map.of(), Unit.NANOSECONDS, List.of(times), bytes, MUCH);
    }

    private static Line line(Class<?> type, String method, Map<String, String> parameters, double nanos) {
        return new Line(type.getName(), method, parameters, Unit.MICROSECONDS, List.of(nanos), 0, 0);
    }

    private static Report report(Line... lines) {
        return SuiteReport.of(new Setting(Map.of(), List.of(), false), List.of(lines));
    }

    private static String page(Line... lines) {
        return MarkdownWriter.text(report(lines));
    }

    @Test
    void comparesEachRoundWithItself() {
        assertThat(post("opsCritical", 0, 2.0, 5.0, 3.0).over(C)).containsExactly(2.0, 2.5, 2.0);
        assertThat(post("opsCritical", 0, 2.0, 5.0, 3.0).over(JNI)).containsExactly(0.25, 0.3125, 0.25);
        assertThat(post("opsCritical", 0, 3.0).over(C)).containsExactly(2.0);
    }

    @Test
    void meetsTargetsUpToThem() {
        Line ours = post("opsCritical", 0, 3.0, 6.0, 4.5);
        assertThat(report(C, JNI, ours).meetsTargets()).isTrue();
        assertThat(page(C, JNI, ours))
                .contains("**What does a call of post_send cost, whose shape post_recv shares?** `PostSendBenchmark` |")
                .contains("| opsCritical | 4.50 ns (3.00 to 6.00), 3.00 x c (1.50 ns), 0.38 x jni |")
                .contains("| PostSend.opsCritical | at most 3.0 x c | 3.00 x c | met |")
                .contains("| allocation on the data path | 0 B/op | 0 B/op | met |");
    }

    @Test
    void missesTargetsBeyondThem() {
        Line ours = post("opsCritical", 0, 5.0, 10.0, 7.5);
        assertThat(report(C, JNI, ours).meetsTargets()).isFalse();
        assertThat(page(C, JNI, ours))
                .contains("| at most 3.0 x c | 5.00 x c | MISSED |")
                .contains("| at most 0.5 x jni | 0.63 x jni | MISSED |");
    }

    @Test
    void doesNotDecideWhereRoundsDiffer() {
        Line ours = post("opsCritical", 0, 2.0, 8.0, 3.0);
        assertThat(report(C, ours).meetsTargets()).isFalse();
        assertThat(page(C, ours)).contains("| 2.00 (2.00 to 4.00) x c | not decided |");
    }

    @Test
    void reportsWhatAllocatesOnTheDataPath() {
        Line ours = post("opsCritical", 24, 2.0, 4.0, 3.0);
        assertThat(report(C, JNI, ours).meetsTargets()).isFalse();
        assertThat(page(C, JNI, ours)).contains("| 0 B/op | PostSend.opsCritical: 24.0 B/op | MISSED |");
    }

    @Test
    void letsFloorsAndSetUpAllocate() {
        String setup = ConnectionSetupBenchmark.class.getName();
        Line tcp = new Line(setup, "tcp", Map.of(), Unit.MICROSECONDS, List.of(50e3), 2000, MUCH);
        Line connect = new Line(setup, "connect", Map.of(), Unit.MICROSECONDS, List.of(100e3), 9000, MUCH);
        assertThat(report(post("c", 24, 1.0), tcp, connect).meetsTargets()).isTrue();
        assertThat(page(tcp, connect))
                .contains("| connect | 100.0 µs, 9000.0 B/op, 2.00 x tcp (50.00 µs, 2000.0 B/op) |");
    }

    @Test
    void takesLittleInAnIterationForTheHarness() {
        assertThat(new Line("type", "method", Map.of(), Unit.NANOSECONDS, List.of(2.0), 20, 7000).allocated())
                .isZero();
        assertThat(new Line("type", "method", Map.of(), Unit.NANOSECONDS, List.of(2.0), 0.01, 70_000).allocated())
                .isZero();
        assertThat(new Line("type", "method", Map.of(), Unit.NANOSECONDS, List.of(2.0), 20, 70_000).allocated())
                .isEqualTo(20);
    }

    @Test
    void addsUpWhatPostingAndPollingCost() {
        Map<String, String> one = Map.of("completions", "1");
        Map<String, String> many = Map.of("completions", "16");
        Line[] lines = {
            line(WriteBenchmark.class, "c", Map.of(), 2),
            line(WriteBenchmark.class, "postCritical", Map.of(), 14),
            line(CompletionBenchmark.class, "c", one, 3),
            line(CompletionBenchmark.class, "pollCritical", one, 17.5),
            line(CompletionBenchmark.class, "c", many, 20),
            line(CompletionBenchmark.class, "pollCritical", many, 100)
        };
        assertThat(page(lines)).contains("| at most 25 ns more than in C | 26.5 ns more | MISSED |");
        assertThat(report(lines).meetsTargets()).isFalse();
    }

    @Test
    void tellsBandwidthBySize() {
        Map<String, String> parameters = Map.of("size", "65536", "crc", "on");
        assertThat(page(
                        line(WriteBandwidthBenchmark.class, "tcp", parameters, 16_384),
                        line(WriteBandwidthBenchmark.class, "write", parameters, 32_768)))
                .contains("| write | crc on, size 65536: 32.77 µs, 2.00 GB/s, 2.00 x tcp (16.38 µs, 4.00 GB/s) |");
    }

    @Test
    void comparesOnlyWithTheSameParameters() {
        Report report = report(
                line(WriteBandwidthBenchmark.class, "tcp", Map.of("size", "64"), 1),
                line(WriteBandwidthBenchmark.class, "write", Map.of("size", "4096"), 2));
        assertThat(report.tables().getFirst().results())
                .allMatch(result -> result.floors().isEmpty());
    }

    @Test
    void readsJmhsJson(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("jmh.json");
        Files.writeString(file, """
                [{"benchmark": "org.example.PollBenchmark.poll", "params": {"size": "64"}, "measurementTime": "200 ms",
                  "primaryMetric": {"scoreUnit": "us/op", "rawData": [[3.0, 1.0, 2.0], [5.0, 4.0, 9.0, 6.0]]},
                  "secondaryMetrics": {
                    "gc.alloc.rate": {"rawData": [[0.5, 0.5, 0.5], [1.0, 1.0, 1.0, 1.0]]},
                    "gc.alloc.rate.norm": {"rawData": [[7.0, 8.0, 9.0], [1.0, 1.0, 1.0, 1.0]]}}}]
                """);
        assertThat(ResultFile.read(file))
                .containsExactly(new Line(
                        "org.example.PollBenchmark",
                        "poll",
                        Map.of("size", "64"),
                        Unit.MICROSECONDS,
                        List.of(2000.0, 5500.0),
                        8.0,
                        0.2 * (1 << 20)));
    }
}

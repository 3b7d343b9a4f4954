package org.panamaverbs.bench.report;

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

/** What the page makes of a run's figures. */
class PageTest {
    private static final Line C = post("c", 0, 1.0, 2.0, 1.5);
    private static final Line JNI = post("jni", 0.001, 8.0, 16.0, 12.0);
    private static final int MUCH = 1 << 20;

    private static Line post(String method, double bytes, Double... times) {
        return new Line(PostSendBenchmark.class.getName(), method, Map.of(), "ns", List.of(times), bytes, MUCH);
    }

    private static Line line(Class<?> type, String method, Map<String, String> parameters, double time) {
        return new Line(type.getName(), method, parameters, "us", List.of(time), 0, 0);
    }

    private static Setting setting(int othersPercent, String... notRun) {
        return new Setting(
                "bench/run --quick",
                "1234567",
                "quick",
                "2026-11-21T12:00:00Z",
                5,
                "a processor, 2 processors",
                "Linux 6",
                "a JDK 25",
                "0.01 0.02 0.03",
                "1.50 1.00 0.50",
                othersPercent,
                List.of(notRun));
    }

    private static Page page(Line... lines) {
        return new Page(setting(0), List.of(lines));
    }

    @Test
    void comparesEachRoundWithItself() {
        assertThat(post("opsCritical", 0, 2.0, 5.0, 3.0).over(C)).isEqualTo(2.0);
        assertThat(post("opsCritical", 0, 2.0, 5.0, 3.0).over(JNI)).isEqualTo(0.25);
    }

    @Test
    void meetsTargetsUpToThem() {
        Page page = page(C, JNI, post("opsCritical", 0, 3.0, 6.0, 4.5));
        assertThat(page.meetsTargets()).isTrue();
        assertThat(page.text())
                .contains("## What does a call of post_send cost")
                .contains("| opsCritical |  | 4.50 ns | 3.00 to 6.00 | c | 1.50 ns | 3.00 | 0 |")
                .contains("| opsCritical |  | 4.50 ns | 3.00 to 6.00 | jni | 12.00 ns | 0.38 | 0 |")
                .contains("PostSend.opsCritical: 3.00 x c, at most 3.0: met")
                .contains("0 B/op on the data path: met");
    }

    @Test
    void missesTargetsBeyondThem() {
        Page page = page(C, JNI, post("opsCritical", 0, 5.0, 10.0, 7.5));
        assertThat(page.meetsTargets()).isFalse();
        assertThat(page.text())
                .contains("5.00 x c, at most 3.0: **MISSED**")
                .contains("0.63 x jni, at most 0.5: **MISSED**");
    }

    @Test
    void reportsWhatAllocatesOnTheDataPath() {
        Page page = page(C, JNI, post("opsCritical", 24, 2.0, 4.0, 3.0));
        assertThat(page.meetsTargets()).isFalse();
        assertThat(page.text()).contains("0 B/op on the data path, not: PostSend.opsCritical (24.0): **MISSED**");
    }

    @Test
    void letsFloorsAndSetUpAllocate() {
        String setup = ConnectionSetupBenchmark.class.getName();
        Line tcp = new Line(setup, "tcp", Map.of(), "us", List.of(50.0), 2000, MUCH);
        Line connect = new Line(setup, "connect", Map.of(), "us", List.of(100.0), 9000, MUCH);
        assertThat(page(post("c", 24, 1.0), tcp, connect).meetsTargets()).isTrue();
        assertThat(page(tcp, connect).text())
                .contains("| connect |  | 100.00 us | 100.00 to 100.00 | tcp | 50.00 us | 2.00 | 9000.0 |");
    }

    @Test
    void takesLittleInAnIterationForTheHarness() {
        Line few = new Line(PostSendBenchmark.class.getName(), "opsCritical", Map.of(), "ns", List.of(2.0), 20, 7000);
        assertThat(Targets.bytes(few)).isEqualTo("0");
    }

    @Test
    void addsUpWhatPostingAndPollingCost() {
        Map<String, String> one = Map.of("completions", "1");
        Map<String, String> many = Map.of("completions", "16");
        Page page = page(
                line(WriteBenchmark.class, "c", Map.of(), 2),
                line(WriteBenchmark.class, "postCritical", Map.of(), 14),
                line(CompletionBenchmark.class, "c", one, 3),
                line(CompletionBenchmark.class, "pollCritical", one, 17.5),
                line(CompletionBenchmark.class, "c", many, 20),
                line(CompletionBenchmark.class, "pollCritical", many, 100));
        assertThat(page.text()).contains("26.5 ns more than in C, at most 25: **MISSED**");
        assertThat(page.meetsTargets()).isFalse();
    }

    @Test
    void tellsBandwidthBySize() {
        Map<String, String> parameters = Map.of("size", "65536", "crc", "on");
        assertThat(page(
                                line(WriteBandwidthBenchmark.class, "tcp", parameters, 16.384),
                                line(WriteBandwidthBenchmark.class, "write", parameters, 32.768))
                        .text())
                .contains(
                        "| write | crc on, size 65536 | 32.77 us | 32.77 to 32.77 | 2.00 | tcp | 16.38 us | 2.00 | 0 |");
    }

    @Test
    void comparesOnlyWithTheSameParameters() {
        assertThat(page(
                                line(WriteBandwidthBenchmark.class, "tcp", Map.of("size", "64"), 1),
                                line(WriteBandwidthBenchmark.class, "write", Map.of("size", "4096"), 2))
                        .text())
                .doesNotContain("| write |");
    }

    @Test
    void saysFirstThatTheMachineWasBusyAndWhatDidNotRun() {
        String busy = new Page(setting(73, "FAILED: this one"), List.of(C)).text();
        assertThat(busy)
                .contains("**The machine was busy")
                .contains("other processes used 73 % of one processor")
                .contains("**not run: FAILED: this one**");
        assertThat(page(C).text())
                .doesNotContain("busy")
                .contains(
                        "command: `bench/run --quick`", "a processor, 2 processors; Linux 6", "0.01 0.02 0.03 before");
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
                        "us",
                        List.of(2.0, 5.5),
                        8.0,
                        0.2 * (1 << 20)));
    }
}

package org.panamaverbs.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.Carrier;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.cli.perf.measure.BandwidthResult;
import org.panamaverbs.cli.perf.measure.LatencyResult;
import org.panamaverbs.cli.perf.measure.PerfOptions;
import org.panamaverbs.cli.perf.measure.PerfTest;
import org.panamaverbs.cli.perf.measure.Preparation;
import org.panamaverbs.cli.perf.measure.WarmUp;

class PerfReportTest {
    private static final PerfReport.Subject SUBJECT = new PerfReport.Subject(
            "iwarp",
            "iwarp0",
            Carrier.TCP,
            "MPA rev 2, CRC32C, no markers, RTR Write",
            220,
            16,
            QueuePairType.RC,
            true);

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private PerfReport report(PerfTest test, int iterations, PerfReport.Style style) {
        return report(test, iterations, new WarmUp.Messages(20_000), style);
    }

    private PerfReport report(PerfTest test, int iterations, WarmUp warmUp, PerfReport.Style style) {
        PerfOptions options = new PerfOptions(
                test,
                List.of(64),
                new PerfOptions.Span(iterations, iterations == 0 ? 5 : 0, warmUp),
                new PerfOptions.Queues(1, 128, 512, 64, 100, -1, 0),
                new PerfOptions.Mode(false, false, false, Duration.ZERO),
                0,
                Duration.ofSeconds(30));
        return new PerfReport(options, style, new PrintWriter(out, true), new PrintWriter(err, true));
    }

    private static Histogram times() {
        Histogram times = LatencyResult.histogram();
        for (int i = 1; i <= 1000; i++) {
            times.recordValue(i * 20L);
        }
        return times;
    }

    @Test
    void latencyHasTheColumnsOfPerftest() {
        PerfReport report = report(PerfTest.WRITE_LAT, 1000, new PerfReport.Style(false, true, false));
        report.begin(SUBJECT);
        report.latency(new LatencyResult(64, times(), true));
        report.end();

        assertThat(out).hasToString("""
                -------------------------------------------------------------------------------------------------------
                                    RDMA_Write Latency Test
                 Provider        : iwarp            Device          : iwarp0
                 Number of qps   : 1                Transport type  : MPA rev 2, CRC32C, no markers, RTR Write
                 Connection type : RC               Completions by  : polling
                 TX depth        : 128              RX depth        : 512
                 Post List       : 64               CQ Moderation   : 100
                 Max inline data : 220              Outstand reads  : 16
                 Warm-up         : 20000            rdma_cm QPs     : ON
                -------------------------------------------------------------------------------------------------------
                 #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]
                 64      1000          0.01           10.01        5.00               5.01           2.89            9.90                   9.99
                -------------------------------------------------------------------------------------------------------
                """);
    }

    /** As perftest's: name, colon, value, once or twice in a line, each pair of a width that programs rely on. */
    @ParameterizedTest
    @EnumSource(Carrier.class)
    void eachLineOfTheHeaderIsNamesAndValues(Carrier carrier) {
        PerfReport report = report(PerfTest.WRITE_LAT, 1000, new PerfReport.Style(false, true, false));
        report.begin(new PerfReport.Subject(
                "iwarp", "iwarp0", carrier, "MPA rev 2, shared memory", 220, 16, QueuePairType.RC, true));
        List<String> lines = out.toString().lines().toList();

        assertThat(lines.subList(2, lines.lastIndexOf(lines.getFirst())))
                .hasSizeGreaterThanOrEqualTo(7)
                .allSatisfy(
                        line -> assertThat(line)
                                .matches(
                                        " [A-Z][\\w -]{15}: [^:]{1,16}( [A-Za-z][\\w -]{15}: [^:]+)?| [A-Z][\\w -]{15}: [^:]+"));
    }

    @Test
    void percentilesComeOnRequest() {
        PerfReport report = report(PerfTest.READ_LAT, 0, new PerfReport.Style(false, true, true));
        report.begin(SUBJECT);
        report.latency(new LatencyResult(64, times(), false));

        assertThat(out.toString().lines().skip(10))
                .containsExactly(
                        " #bytes        #iterations       t_avg[usec]    tps average",
                        " 64            1000             10.01          99883.14",
                        "     0.000%         0.02 usec",
                        "    50.000%        10.01 usec",
                        "    90.000%        18.02 usec",
                        "    99.000%        19.81 usec",
                        "    99.900%        19.98 usec",
                        "    99.990%        20.02 usec",
                        "    99.999%        20.02 usec",
                        "   100.000%        20.02 usec");
    }

    @Test
    void bandwidthHasTheColumnsOfPerftest() {
        PerfReport report = report(PerfTest.SEND_BW, 5000, new PerfReport.Style(false, true, false));
        report.begin(SUBJECT);
        report.bandwidth(new BandwidthResult(65_536, 5000, 20_000, 16_000));

        assertThat(out.toString().lines().skip(10))
                .containsExactly(
                        " #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]",
                        " 65536      5000           1250.00             1000.00               0.016000");
    }

    @Test
    void bandwidthInGigabitsWithoutPeak() {
        PerfReport report = report(PerfTest.SEND_BW, 5000, new PerfReport.Style(true, false, false));
        report.begin(SUBJECT);
        report.bandwidth(new BandwidthResult(125_000, 5000, 20_000, 16_000));

        assertThat(out.toString().lines().skip(10))
                .containsExactly(
                        " #bytes     #iterations    BW average[Gb/sec]   MsgRate[Mpps]",
                        " 125000     5000           16.00                 0.016000");
    }

    @Test
    void jsonHasThePartsOfPerftestAndAllSizes() {
        PerfReport report = report(PerfTest.WRITE_LAT, 1000, new PerfReport.Style(false, true, false));
        report.begin(SUBJECT);
        report.latency(new LatencyResult(2, times(), true));
        report.latency(new LatencyResult(64, times(), true));

        String result = """
                {
                    "MsgSize": %d,
                    "n_iterations": 1000,
                    "t_min": 0.010,
                    "t_max": 10.008,
                    "t_typical": 5.004,
                    "t_avg": 5.006,
                    "t_stdev": 2.887,
                    "percentile_90": 9.008,
                    "percentile_99": 9.904,
                    "percentile_99.9": 9.992,
                    "percentile_99.99": 10.008,
                    "tps_average": 99883.137
                }""";
        assertThat(report.json().replace(" ", ""))
                .contains("\"results\":" + result.formatted(64).replace(" ", ""));
        assertThat(report.json().replace(" ", ""))
                .contains("\"all_results\":[\n" + (result.formatted(2) + ",\n" + result.formatted(64)).replace(" ", "")
                        + "\n]");
        assertThat(report.json()).contains("\"test\": \"RDMA_Write_Latency_Test\"", "\"Provider\": \"iwarp\"");
    }

    private PerfReport warmedUp(Duration took, Preparation.Busy busy) {
        PerfReport report =
                report(PerfTest.WRITE_LAT, 0, new WarmUp.Compiled(), new PerfReport.Style(false, true, false));
        report.begin(SUBJECT);
        report.warmedUp(new Preparation.Outcome(took, busy));
        report.latency(new LatencyResult(64, times(), true));
        report.end();
        return report;
    }

    @Test
    void saysHowLongItTookUntilAllWasCompiled() {
        PerfReport report = warmedUp(Duration.ofMillis(6_260), Preparation.Busy.NOBODY);

        assertThat(err.toString()).isEmpty();
        assertThat(out.toString()).contains(" Warm-up         : compiled ");
        assertThat(out.toString().stripTrailing())
                .endsWith("-\n Warm-up of 6.3 s, until the compilers of both sides were idle");
        assertThat(report.json())
                .contains(
                        "\"Warm_up\": 0,",
                        "\"Warm_up_seconds\": 0,",
                        "\"Warm_up_until_compiled\": true",
                        "\"Warm_up_still_compiling\": \"nobody\"",
                        "\"Warm_up_took_seconds\": 6.260");
    }

    @ParameterizedTest
    @CsvSource({"CLIENT, the client", "SERVER, the server", "BOTH, both sides"})
    void saysWhoseCompilersWereBusyAtTheLimit(Preparation.Busy busy, String whose) {
        PerfReport report = warmedUp(Duration.ofMillis(30_120), busy);

        assertThat(err.toString())
                .startsWith("verbs perf: the compilers of " + whose
                        + " were still busy after the longest warm-up, 30.1 s: ")
                .contains("too slow", "--warm-up 60s");
        assertThat(out.toString())
                .contains(" Warm-up of 30.1 s, its limit: the compilers of " + whose + " were still busy");
        assertThat(report.json())
                .contains("\"Warm_up_still_compiling\": \"" + busy.name().toLowerCase(Locale.ROOT) + "\"");
    }

    @Test
    void addsUpTheWarmUpsOfAllSizes() {
        PerfReport report = report(PerfTest.WRITE_LAT, 1000, new PerfReport.Style(false, true, false));
        report.begin(SUBJECT);
        report.warmedUp(new Preparation.Outcome(Duration.ofMillis(250), Preparation.Busy.NOBODY));
        report.warmedUp(new Preparation.Outcome(Duration.ofMillis(500), Preparation.Busy.NOBODY));
        report.end();

        assertThat(out.toString()).doesNotContain("Warm-up of");
        assertThat(report.json())
                .contains("\"Warm_up\": 20000,", "\"Warm_up_until_compiled\": false", "\"Warm_up_took_seconds\": 0.750")
                .doesNotContain("still");
    }

    @Test
    void progressGoesToTheStandardError() {
        PerfReport report = report(PerfTest.WRITE_LAT, 1000, new PerfReport.Style(false, true, false));

        report.progress(64, 500, 1000, 5);
        report.progress(64, 500, 0, 10);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines())
                .containsExactly(
                        "verbs perf: 64 bytes: 500 of 1000 messages after 5 s",
                        "verbs perf: 64 bytes: 500 messages after 10 s");
    }
}

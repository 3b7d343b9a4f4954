package org.panamaverbs.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.Carrier;
import org.panamaverbs.cli.demo.DemoResult.Outcome;

class DemoReportTest {
    private static final DemoResult OK = new DemoResult("Send", 64, Outcome.OK, "", 20, 12_340);
    private static final DemoResult LACKING =
            new DemoResult("Send with Immediate", 64, Outcome.NOT_ON_THIS_DEVICE, "", 0, 0);
    private static final DemoResult FAILED = new DemoResult("RDMA Read", 64, Outcome.FAILED, "byte 1 differs", 0, 0);
    private static final DemoResult NOT_RUN = new DemoResult("Swap", 8, Outcome.NOT_RUN, "no connection", 0, 0);

    private static DemoReport report(DemoResult... results) {
        return new DemoReport(
                "iwarp", "requested by name", "iwarp0", "1 and 2", Carrier.TCP, "MPA", List.of(results), "");
    }

    @Test
    void passesWithOperationsThatTheDeviceLacks() {
        DemoReport report = report(OK, LACKING);

        assertThat(report.passed()).isTrue();
        assertThat(report.table())
                .contains("provider   iwarp: requested by name", "12.3\n")
                .endsWith("1 operation ok in 20 rounds each; not on this device: Send with Immediate\n");
    }

    @Test
    void countsASingleRoundInTheSingular() {
        assertThat(report(new DemoResult("Send", 64, Outcome.OK, "", 1, 12_340)).table())
                .endsWith("1 operation ok in 1 round each\n");
    }

    @Test
    void failsWithOneFailure() {
        DemoReport report = report(OK, FAILED, NOT_RUN);

        assertThat(report.passed()).isFalse();
        assertThat(report.table())
                .contains("FAILED: byte 1 differs", "not run: no connection", "; 1 FAILED; 1 not run");
    }

    @Test
    void noteEndsTheSummary() {
        assertThat(report(FAILED)
                        .withNote("the second process was killed by signal 9")
                        .table())
                .endsWith("1 FAILED; the second process was killed by signal 9\n");
    }

    @Test
    void failsWithoutAnySuccess() {
        assertThat(report(LACKING).passed()).isFalse();
    }

    @Test
    void jsonCarriesEachOperation() {
        assertThat(report(OK, FAILED).json())
                .contains("\"passed\": false", "\"medianMicros\": 12.340", "\"detail\": \"byte 1 differs\"");
    }
}

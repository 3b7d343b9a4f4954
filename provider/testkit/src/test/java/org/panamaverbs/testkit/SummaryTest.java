package org.panamaverbs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SummaryTest {
    @Test
    void countsByProviderWithTheReasonsOfWhatWasSkipped() {
        Summary summary = new Summary();
        summary.ranOn("b", "dev1");
        summary.passed("b");
        summary.passed("b");
        summary.skipped("b", "device dev1 lacks ATOMICS");
        summary.skipped("b", "device dev1 lacks ATOMICS");
        summary.leftOut("b", Map.of("device dev1 lacks FLUSH", 3, "device dev1 lacks MULTICAST", 4));
        summary.failed("a");
        summary.leftOut("a", Map.of());
        summary.notRun("c", "no device dev2");

        assertThat(summary.text().lines())
                .containsExactly(
                        "conformance suite",
                        "  a on : 0 passed, 1 failed, 0 skipped",
                        "  b on dev1: 2 passed, 0 failed, 2 skipped",
                        "    left out 7 (3: device dev1 lacks FLUSH; 4: device dev1 lacks MULTICAST)",
                        "    skipped 2: device dev1 lacks ATOMICS",
                        "  c: not run: no device dev2");
    }
}

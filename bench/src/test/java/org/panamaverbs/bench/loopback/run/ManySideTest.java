package org.panamaverbs.bench.loopback.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.panamaverbs.bench.loopback.exchange.End;
import org.panamaverbs.bench.loopback.exchange.SidePair;

/** Two processes with many connections between them. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "taskset is Linux's")
class ManySideTest {
    @Test
    void measuresAgainAndAgain() throws IOException {
        try (SidePair pair = ManyConnectionsRun.connect(5, 3)) {
            for (int i = 0; i < 2; i++) {
                End.Figure latency = pair.measure(true, 100);
                assertThat(latency.value()).isPositive();
                assertThat(latency.p99()).isGreaterThanOrEqualTo(latency.value());
            }
        }
    }

    @Test
    void saysWhichSideFailed() {
        assertThatThrownBy(() -> ManyConnectionsRun.connect(0, -1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the server said null");
    }
}

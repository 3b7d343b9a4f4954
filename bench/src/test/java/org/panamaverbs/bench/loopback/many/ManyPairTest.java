package org.panamaverbs.bench.loopback.many;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Two processes with many connections between them. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "taskset is Linux's")
class ManyPairTest {
    @Test
    void measuresAgainAndAgain() throws IOException {
        try (ManyPair pair = new ManyPair(5, 3)) {
            for (int i = 0; i < 2; i++) {
                ManyPair.Latency latency = pair.measure(100);
                assertThat(latency.count()).isPositive();
                assertThat(latency.median()).isPositive();
                assertThat(latency.p99()).isGreaterThanOrEqualTo(latency.median());
            }
        }
    }

    @Test
    void saysWhichSideFailed() {
        assertThatThrownBy(() -> new ManyPair(0, -1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the server said null");
    }
}

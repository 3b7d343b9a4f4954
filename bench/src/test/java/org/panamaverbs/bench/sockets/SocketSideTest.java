package org.panamaverbs.bench.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.bench.loopback.exchange.SidePair;

/** Two processes that are connected by sockets. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "taskset is Linux's")
class SocketSideTest {
    private static final int[] PROCESSORS = {0, Runtime.getRuntime().availableProcessors() > 1 ? 1 : 0};

    @ParameterizedTest
    @CsvSource({"JDK, selector, 1", "OURS, selector, 3", "OURS, echo, 1", "OURS_BY_TCP, stream, 1"})
    void measuresAgainAndAgain(Variant variant, String kind, int connections) throws IOException {
        try (SidePair pair = variant.connect(PROCESSORS, kind, connections)) {
            for (int i = 0; i < 2; i++) {
                assertThat(pair.measure(false, 100).value()).isPositive();
            }
            assertThat(pair.used().bytes()).isPositive();
        }
    }

    @Test
    void saysWhichSideFailed() {
        assertThatThrownBy(() -> Variant.JDK.connect(PROCESSORS, "nothing", 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the server of nothing said null");
    }
}

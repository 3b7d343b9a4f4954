package org.panamaverbs.bench.channels;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.bench.loopback.exchange.SidePair;

/** Two processes that are connected by channels, by hand, and by plain TCP. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "taskset is Linux's")
class ChannelSideTest {
    private static final int[] PROCESSORS = {0, Runtime.getRuntime().availableProcessors() > 1 ? 1 : 0};

    @ParameterizedTest
    @CsvSource({
        "channel, SENDS, auto, 1, 1, 64",
        "channel, SENDS, off, 10, 1, 32768",
        "channel, RING, off, 100, 3, 4096",
        "hand, SENDS, off, 1000, 1, 64",
        "hand, RING, auto, 1000, 1, 64",
        "tcp, SENDS, off, 1000, 1, 64"
    })
    void measuresAgainAndAgain(String by, String way, String shm, int burst, int connections, int bytes)
            throws IOException {
        Task task = new Task(by, way, shm, burst, connections, 0, bytes);
        assertThat(Task.of(task.words().toArray(new String[0]))).isEqualTo(task);
        try (SidePair pair = new SidePair(by, PROCESSORS, List.of(), ChannelSide.class, task.words())) {
            for (int i = 0; i < 2; i++) {
                assertThat(pair.measure(true, 100).value()).isPositive();
            }
            assertThat(pair.processorNanos()).isPositive();
        }
    }
}

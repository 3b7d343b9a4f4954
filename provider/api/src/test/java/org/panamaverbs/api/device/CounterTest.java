package org.panamaverbs.api.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Holds docs/guide/watching.md against the counters. With {@code -Dguide.update=true} its table, which says what
 * {@link Counter} says, is written anew.
 */
class CounterTest {
    private static final Path GUIDE = Path.of("../../docs/guide/watching.md");
    private static final String HEAD = "| counter | of | meter | kind | what |";

    private static List<String> table() {
        List<String> rows = new ArrayList<>(List.of(HEAD, "|---|---|---|---|---|"));
        for (Counter each : Counter.values()) {
            rows.add("| `%s` | %s | %s | %s%s | %s |"
                    .formatted(
                            each.field(),
                            switch (each.of()) {
                                case QUEUE_PAIR -> "each";
                                case BOTH -> "each, sum";
                                case DEVICE -> "device";
                            },
                            each.meter().isEmpty() ? "" : "`" + each.meter() + "`",
                            each.kind() == Counter.Kind.COUNT ? "counter" : "gauge",
                            each.unit() == Counter.Unit.BYTES ? ", bytes" : "",
                            each.sentence()));
        }
        return rows;
    }

    @Test
    void theGuideHasEachCounter() throws IOException {
        List<String> lines = Files.readAllLines(GUIDE);
        int begin = lines.indexOf(HEAD);
        assertThat(begin).as("the line " + HEAD).isPositive();
        int end = begin;
        while (lines.get(end).startsWith("|")) {
            end++;
        }
        if (Boolean.getBoolean("guide.update")) {
            List<String> all = new ArrayList<>(lines.subList(0, begin));
            all.addAll(table());
            all.addAll(lines.subList(end, lines.size()));
            Files.write(GUIDE, all);
            return;
        }
        assertThat(lines.subList(begin, end))
                .as("docs/guide/watching.md is stale: run provider/quick api CounterTest -- -Dguide.update=true")
                .isEqualTo(table());
    }

    @Test
    void namesAreUniqueAndOnlyTheDeviceHasMeters() {
        assertThat(Counter.values()).extracting(Counter::field).doesNotHaveDuplicates();
        assertThat(Arrays.stream(Counter.values()).map(Counter::meter).filter(meter -> !meter.isEmpty()))
                .doesNotHaveDuplicates();
        assertThat(Counter.values())
                .allSatisfy(each -> assertThat(each.meter().isEmpty())
                        .as(each.name())
                        .isEqualTo(each.of() == Counter.Of.QUEUE_PAIR));
    }

    @Test
    void whatIsNotSetIsUnknown() {
        QueuePairStatistics statistics =
                QueuePairStatistics.builder(3).set(Counter.SENDS_POSTED, 7).build();

        assertThat(statistics.sendsPosted()).isEqualTo(7);
        assertThat(statistics.value(Counter.SENDS_POSTED)).isEqualTo(7);
        for (Counter each : Counter.values()) {
            if (each != Counter.SENDS_POSTED) {
                assertThat(statistics.value(each)).as(each.name()).isEqualTo(QueuePairStatistics.UNKNOWN);
            }
        }
    }

    @Test
    void queuePairsHaveNoCountersOfDevices() {
        assertThatThrownBy(() -> QueuePairStatistics.builder(3).set(Counter.STALLS, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("STALLS");
    }
}

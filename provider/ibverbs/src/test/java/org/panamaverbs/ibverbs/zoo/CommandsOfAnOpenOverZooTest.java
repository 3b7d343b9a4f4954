package org.panamaverbs.ibverbs.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;

/** How many commands an adapter gets by its first open in a process, and by later ones. */
class CommandsOfAnOpenOverZooTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "results", "adapters.md");

    static Stream<Zoo> devices() {
        return Stream.of(
                new Zoo.Roce(),
                new Zoo.Iwarp(),
                new Zoo.Mlx5(),
                new Zoo.Mlx5WithoutRoce(),
                new Zoo.BnxtRe(),
                new Zoo.Irdma(),
                new Zoo.Hns(),
                new Zoo.Efa(),
                new Zoo.Erdma(),
                new Zoo.Cxgb4(),
                new Zoo.Sick());
    }

    @BeforeEach
    void requireZoo() {
        String missing = new Zoo.Roce().missing().orElse("");
        assumeTrue(missing.isEmpty(), missing);
    }

    @ParameterizedTest
    @MethodSource("devices")
    void areThoseOfThePage(Zoo zoo) throws IOException {
        Zoo.replace();
        int before = Zoo.commands();
        OpenConfig config = OpenConfig.provider("ibverbs").withDevice(zoo.device());
        String device = open(config);
        int first = Zoo.commands() - before;
        open(config);
        int later = Zoo.commands() - before - first;
        List<String> rows = Files.readAllLines(PAGE);
        String row = "| " + device + " | " + first + " | " + later + " |";
        if (Boolean.getBoolean("adapters.update")) {
            String stale = "^\\| " + device + " \\| \\d+ \\| \\d+ \\|";
            Files.write(
                    PAGE,
                    rows.stream().map(line -> line.replaceFirst(stale, row)).toList());
            return;
        }
        assertThat(rows).as(PAGE + " has the row " + row).anyMatch(line -> line.startsWith(row));
    }

    /** As many as if it was named. */
    @Test
    void firstUsableDeviceIsOpenedOnce() throws IOException {
        Zoo.replace();
        int before = Zoo.commands();
        String device = open(OpenConfig.provider("ibverbs"));
        assertThat(Files.readAllLines(PAGE))
                .anyMatch(line -> line.startsWith("| " + device + " | " + (Zoo.commands() - before) + " |"));
    }

    private static String open(OpenConfig config) {
        try (Verbs verbs = Verbs.open(config)) {
            return verbs.device().name();
        }
    }
}

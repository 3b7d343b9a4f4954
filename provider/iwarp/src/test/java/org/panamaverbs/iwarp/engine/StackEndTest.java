package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What stays usable after the stack has ended in calls ({@link StackEnds}). How much of it a frame takes is the
 * compiler's affair: so with some of the ways in which methods become compiled.
 */
class StackEndTest {
    private static final int LIMIT_SECONDS = 150;
    private static final String ROUNDS = "-Dfaults.rounds=" + Integer.getInteger("faults.rounds", 1);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-XX:+TieredCompilation",
                "-XX:TieredStopAtLevel=1",
                "-XX:-TieredCompilation -XX:CompileThreshold=300",
                "-XX:-TieredCompilation -XX:CompileThreshold=1000",
                "-XX:-TieredCompilation -XX:CompileThreshold=2000"
            })
    void nothingStaysLocked(String options) throws Exception {
        List<String> printed = run(options.split(" "));
        for (StackEnds.Call call : StackEnds.Call.values()) {
            assertThat(printed).anySatisfy(line -> {
                String[] words = line.split(" ");
                assertThat(words[0]).isEqualTo(call.name());
                int overflows = Integer.parseInt(words[2]);
                assertThat(overflows).isPositive();
                assertThat(Integer.parseInt(words[1])).isGreaterThan(overflows);
            });
        }
    }

    private List<String> run(String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                ROUNDS,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                StackEnds.class.getName()));
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            List<String> printed = Files.readAllLines(output);
            assertThat(ended)
                    .as("ended in %d s; it printed: %s", LIMIT_SECONDS, String.join("\n", printed))
                    .isTrue();
            assertThat(process.exitValue()).as(String.join("\n", printed)).isZero();
            return printed;
        } finally {
            process.destroyForcibly();
        }
    }
}

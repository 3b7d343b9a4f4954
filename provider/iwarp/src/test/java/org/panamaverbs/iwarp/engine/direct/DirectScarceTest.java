package org.panamaverbs.iwarp.engine.direct;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A process that has no descriptor left for a moment. */
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class DirectScarceTest {
    private static final int LIMIT_SECONDS = 60;

    @TempDir
    private Path directory;

    @Test
    void aSlabThatWasLostIsAskedForAnew() throws Exception {
        assertThat(run(DirectScarce.class)).containsSubsequence("entered=true", "without=false", "entered=true");
    }

    private List<String> run(Class<?> program) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(
                        "/bin/sh",
                        "-c",
                        "ulimit -n 256 && exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as("in time")
                    .isTrue();
            List<String> printed = Files.readAllLines(output);
            assertThat(process.exitValue()).as(String.join("\n", printed)).isZero();
            return printed;
        } finally {
            process.destroyForcibly();
        }
    }
}

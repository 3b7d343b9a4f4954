package org.panamaverbs.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Java process that may have little of something, as few descriptors, so that it can use them up. */
public final class ScarceProcess {
    private static final int LIMIT_SECONDS = 60;

    private ScarceProcess() {}

    /** Runs {@code program} in a process of its own, and returns what it has printed; {@code directory} is for that. */
    public static List<String> run(Path directory, Class<?> program) throws IOException, InterruptedException {
        return run(directory, program, "-n 256");
    }

    /** Does so under the limits that {@code limits}, options of {@code ulimit} of the shell, say. */
    public static List<String> run(Path directory, Class<?> program, String limits)
            throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(
                        "/bin/sh",
                        "-c",
                        "ulimit " + limits + " && exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-XX:-UsePerfData",
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

package org.panamaverbs.disni;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program of an unmodified jar in a JVM of its own, with the drop-in first on its class path. */
final class Program implements AutoCloseable {
    private static final int LOOK_MILLIS = 20;
    private static final String CLASSES = "classes";

    private final String name;
    private final Process process;
    private final Path directory;
    private final Path output;

    private Program(String name, Process process, Path directory, Path output) {
        this.name = name;
        this.process = process;
        this.directory = directory;
        this.output = output;
    }

    /**
     * Starts class {@code main}.
     *
     * @param options of the JVM, space-separated
     */
    static Program start(List<Path> classPath, String options, String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dverbs.provider=iwarp"));
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
        command.add("-Xlog:class+load:file=" + CLASSES + ":none");
        command.addAll(options.isBlank() ? List.of() : List.of(options.split(" ")));
        command.addAll(List.of(
                "-cp", String.join(":", classPath.stream().map(Path::toString).toList()), main));
        command.addAll(Arrays.asList(arguments));
        Path directory = Files.createTempDirectory("program");
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new Program(main, process, directory, output);
    }

    /** Waits until it listens. */
    void awaitListening(Loopback address, int port, long deadlineNanos) throws IOException, InterruptedException {
        while (!address.isListening(port)) {
            assertThat(System.nanoTime() - deadlineNanos)
                    .as("%s listens before the deadline; it says:%n%s", name, output())
                    .isNegative();
            boolean ended = process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            assertThat(ended)
                    .as("%s ended without listening:%n%s", name, output())
                    .isFalse();
        }
    }

    /** Waits for its end by itself, which must be a success, and returns what it printed. */
    String end(long deadlineNanos) throws IOException, InterruptedException {
        boolean ended = process.waitFor(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        assertThat(ended).as("%s ends by itself; it says:%n%s", name, output()).isTrue();
        assertThat(process.exitValue())
                .as("exit status of %s:%n%s", name, output())
                .isZero();
        return output();
    }

    /** Waits for its end, which must be a failure, and returns what it printed. */
    String fail(long deadlineNanos) throws IOException, InterruptedException {
        boolean ended = process.waitFor(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        assertThat(ended).as("%s ends by itself; it says:%n%s", name, output()).isTrue();
        assertThat(process.exitValue())
                .as("exit status of %s:%n%s", name, output())
                .isNotZero();
        return output();
    }

    /** Waits until it has printed {@code text}; it may go on. */
    void awaitOutput(String text, long deadlineNanos) throws IOException, InterruptedException {
        while (!output().contains(text)) {
            assertThat(System.nanoTime() - deadlineNanos)
                    .as("%s prints '%s' before the deadline; it says:%n%s", name, text, output())
                    .isNegative();
            process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Returns which classes it has loaded whose names match {@code regex}. */
    List<String> loaded(String regex) throws IOException {
        try (Stream<String> lines = Files.lines(directory.resolve(CLASSES))) {
            return lines.map(line -> line.substring(0, line.indexOf(' ')))
                    .filter(loaded -> loaded.matches(regex))
                    .distinct()
                    .toList();
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String output() throws IOException {
        return Files.readString(output);
    }

    /** Ends the program if it has not ended. */
    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        try (Stream<Path> left = Files.list(directory)) {
            for (Path file : left.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}

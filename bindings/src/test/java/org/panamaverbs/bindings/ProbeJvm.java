package org.panamaverbs.bindings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Runs {@link LibraryProbe} in a JVM of its own, because a library is opened once per process, or {@link BoundHeader},
 * because layouts are chosen once per process.
 */
final class ProbeJvm {
    private static final long LIMIT_SECONDS = 60;

    /** All that the JVM printed, its warnings included, and the probe's values by key. */
    record Report(String output, Map<String, String> values) {
        String get(String key) {
            return Optional.ofNullable(values.get(key))
                    .orElseThrow(() -> new AssertionError("no " + key + " in:\n" + output));
        }
    }

    private ProbeJvm() {}

    static Report onModulePath(String... options) throws IOException, InterruptedException {
        String module = "org.panamaverbs.bindings";
        List<String> command = command(options);
        command.addAll(List.of(
                "--module-path",
                directoryOf(NativeLibrary.class).toString(),
                "--patch-module",
                module + "=" + directoryOf(LibraryProbe.class),
                "--module",
                module + "/" + LibraryProbe.class.getName()));
        return run(command);
    }

    static Report onClassPath(String... options) throws IOException, InterruptedException {
        List<String> command = command(options);
        command.addAll(List.of("--class-path", classPath(), LibraryProbe.class.getName()));
        return run(command);
    }

    /** What a JVM that takes this machine for one of {@code architecture} prints of the header. */
    static String facts(String header, Architecture architecture, Path jextract)
            throws IOException, InterruptedException {
        List<String> command = command(
                "--enable-native-access=ALL-UNNAMED",
                "-Dos.arch=" + architecture.name().toLowerCase(Locale.ROOT));
        command.addAll(List.of("--class-path", classPath(), BoundHeader.class.getName(), header, jextract.toString()));
        return run(command).output();
    }

    private static String classPath() {
        return directoryOf(NativeLibrary.class) + ":" + directoryOf(LibraryProbe.class);
    }

    private static List<String> command(String... options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(Arrays.asList(options));
        return command;
    }

    private static Report run(List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("probe", ".txt");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            if (!ended) {
                process.destroyForcibly();
            }
            String text = Files.readString(output, StandardCharsets.UTF_8);
            assertThat(ended).as("ends within %d s:%n%s", LIMIT_SECONDS, text).isTrue();
            assertThat(process.exitValue()).as("%s%n%s", command, text).isZero();
            return new Report(text, valuesIn(text));
        } finally {
            Files.delete(output);
        }
    }

    private static Map<String, String> valuesIn(String text) {
        return text.lines()
                .filter(line -> line.matches("[a-zA-Z.]+=.*"))
                .map(line -> line.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }

    /** The directory of class files that the type was loaded from. */
    private static Path directoryOf(Class<?> type) {
        String file = type.getName().replace('.', '/') + ".class";
        String address = type.getResource("/" + file).toString();
        return Path.of(URI.create(address.substring(0, address.length() - file.length())));
    }
}

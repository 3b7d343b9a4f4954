package org.panamaverbs.memory;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.bindings.Downcalls;

/** Runs a main class of the tests in a JVM of its own. */
final class ChildJvm {
    private static final int LIMIT_SECONDS = 60;

    private ChildJvm() {}

    record Result(int exitCode, String output) {}

    static Result run(Class<?> main, List<String> jvmOptions, String... arguments) throws InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(jvmOptions);
        command.add("-cp");
        command.add(String.join(
                File.pathSeparator,
                root(MemorySlab.class).toString(),
                root(main).toString(),
                place(Downcalls.class)));
        command.add(main.getName());
        command.addAll(List.of(arguments));
        try {
            Path output = Files.createTempFile("child", ".out");
            Process child = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                boolean exited = child.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
                String printed = Files.readString(output);
                if (!exited) {
                    throw new AssertionError("child still runs after " + LIMIT_SECONDS + " s: " + printed);
                }
                return new Result(child.exitValue(), printed);
            } finally {
                child.destroyForcibly();
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The directory or the jar of a class of another module. */
    private static String place(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The directory of a class file; the tests may be patched into the module, which then has two. */
    private static Path root(Class<?> type) {
        try {
            URI file = type.getResource(type.getSimpleName() + ".class").toURI();
            long packages = type.getPackageName().chars().filter(c -> c == '.').count() + 1;
            return Path.of(file).resolve("../".repeat((int) packages + 1)).normalize();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}

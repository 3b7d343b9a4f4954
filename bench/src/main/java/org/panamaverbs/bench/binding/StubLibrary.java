package org.panamaverbs.bench.binding;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The stub of libibverbs, compiled from the C sources of this module where gcc, {@code jni.h} and libibverbs' headers
 * are. A process takes it as its libibverbs by {@code -Dverbs.libibverbs}.
 */
public final class StubLibrary {
    private static final long LIMIT_SECONDS = 120;
    private static final List<String> SOURCES = List.of("stub.h", "stub.c", "floor.c", "jni.c");

    /** That the stub cannot be made on this machine; the message says what is missing. */
    public static final class UnavailableException extends Exception {
        private static final long serialVersionUID = 1;

        UnavailableException(String message) {
            super(message);
        }
    }

    private StubLibrary() {}

    /**
     * Compiles the stub.
     *
     * @param directory where the sources and the library are put; made if it is missing
     * @return the library
     * @throws UnavailableException if this machine has no gcc, or lacks {@code jni.h} or {@code infiniband/verbs.h}
     */
    public static Path compile(Path directory) throws IOException, InterruptedException, UnavailableException {
        Files.createDirectories(directory);
        for (String source : SOURCES) {
            copy(source, directory.resolve(source));
        }
        Path include = Path.of(System.getProperty("java.home"), "include");
        if (!Files.exists(include.resolve("jni.h"))) {
            throw new UnavailableException("no jni.h in " + include);
        }
        List<String> headers = List.of("-I" + include, "-I" + include.resolve("linux"));
        gcc(directory, headers, "-fsyntax-only", "-include", "infiniband/verbs.h", "-include", "jni.h", "stub.h");
        Path library = directory.resolve("libverbs-stub.so");
        List<String> options = new ArrayList<>(headers);
        options.addAll(List.of("-std=gnu11", "-O2", "-Wall", "-fPIC", "-shared", "-pthread"));
        gcc(directory, options, "-o", library.getFileName().toString(), "stub.c", "floor.c", "jni.c");
        return library;
    }

    private static void copy(String source, Path target) throws IOException {
        try (InputStream in = StubLibrary.class.getResourceAsStream("/c/" + source)) {
            if (in == null) {
                throw new IOException("no resource /c/" + source);
            }
            Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static void gcc(Path directory, List<String> options, String... more)
            throws IOException, InterruptedException, UnavailableException {
        List<String> command = new ArrayList<>(List.of("gcc"));
        command.addAll(options);
        command.addAll(List.of(more));
        Path output = directory.resolve("gcc.txt");
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException e) {
            throw new UnavailableException("no gcc: " + e.getMessage());
        }
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(command + " did not end within " + LIMIT_SECONDS + " s");
        }
        if (process.exitValue() == 0) {
            return;
        }
        String text = Files.readString(output, StandardCharsets.UTF_8);
        if (List.of(more).contains("-fsyntax-only")) {
            throw new UnavailableException("headers are missing (libibverbs-dev, libc6-dev): " + text);
        }
        throw new IOException(command + " failed: " + text);
    }
}

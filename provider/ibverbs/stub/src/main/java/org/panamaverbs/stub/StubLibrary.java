package org.panamaverbs.stub;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The libraries of the stub and of the zoo, compiled where gcc and the headers of libibverbs and librdmacm are. A
 * process takes one as its libibverbs by {@code -Dverbs.libibverbs}, and as its librdmacm by {@code -Dverbs.librdmacm}.
 */
public final class StubLibrary {
    /** The option of gcc for a device that does nothing: what calling it costs is all that there is to measure. */
    public static final String IDLE = "-DIDLE=1";

    private static final long LIMIT_SECONDS = 120;
    private static final String STUB = "stub";
    private static final String ZOO = "zoo";
    /** The sources of the zoo, and their header. */
    private static final List<String> ZOO_FILES = List.of("zoo.c", "fabric.c", "cm.c", "zoo.h");

    /** Tells that the stub cannot be made on this machine; the message says what is missing. */
    public static final class UnavailableException extends Exception {
        private static final long serialVersionUID = 1;

        /** Creates an exception that says {@code message}. */
        public UnavailableException(String message) {
            super(message);
        }
    }

    private StubLibrary() {}

    /**
     * Compiles the stub. Processes may do so in the same directory at the same time.
     *
     * @param directory where the sources and the library are put; made if it is missing
     * @param options what else gcc gets
     * @param beside sources that go into the library with the stub, and their headers
     * @return the library
     * @throws UnavailableException if this machine has no gcc, or lacks the headers of libibverbs or librdmacm
     * @throws IOException if the sources do not compile
     */
    public static Path compile(Path directory, List<String> options, URL... beside)
            throws IOException, InterruptedException, UnavailableException {
        List<URL> sources = new ArrayList<>(List.of(resource("stub.c")));
        sources.addAll(List.of(beside));
        return compile(STUB, directory, options, sources);
    }

    /**
     * Compiles the zoo: a libibverbs and a librdmacm whose devices do in one process what they are asked for, each as
     * an adapter's driver has it. Otherwise as {@link #compile}.
     */
    public static Path compileZoo(Path directory) throws IOException, InterruptedException, UnavailableException {
        List<URL> sources = new ArrayList<>();
        for (String file : ZOO_FILES) {
            sources.add(resource(file));
        }
        return compile(ZOO, directory, List.of(), sources);
    }

    private static Path compile(String name, Path directory, List<String> options, List<URL> sources)
            throws IOException, InterruptedException, UnavailableException {
        Files.createDirectories(directory);
        try (FileChannel lock = FileChannel.open(directory.resolve("lock"), CREATE, WRITE)) {
            lock.lock(); // until it is closed
            List<String> arguments = new ArrayList<>(options);
            for (URL source : sources) {
                String file = copy(source, directory);
                if (file.endsWith(".c")) {
                    arguments.add(file);
                }
            }
            return compileIn(directory, "libverbs-" + name + ".so", arguments);
        }
    }

    private static URL resource(String file) throws IOException {
        URL found = StubLibrary.class.getResource("/c/" + file);
        if (found == null) {
            throw new IOException("no resource /c/" + file);
        }
        return found;
    }

    private static String copy(URL source, Path directory) throws IOException {
        String name = source.getPath().substring(source.getPath().lastIndexOf('/') + 1);
        try (InputStream in = source.openStream()) {
            Files.copy(in, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
        return name;
    }

    private static Path compileIn(Path directory, String name, List<String> arguments)
            throws IOException, InterruptedException, UnavailableException {
        String missing = gcc(
                directory,
                List.of(
                        "-fsyntax-only",
                        "-include",
                        "infiniband/verbs.h",
                        "-include",
                        "rdma/rdma_cma.h",
                        "-x",
                        "c",
                        "/dev/null"));
        if (!missing.isEmpty()) {
            throw new UnavailableException(
                    "headers are missing (libibverbs-dev, librdmacm-dev, libc6-dev): " + missing);
        }
        Path library = directory.resolve(name).toAbsolutePath();
        // Another process may have loaded what is there: that stays as it is.
        Path fresh = directory.resolve("fresh.so").toAbsolutePath();
        List<String> options = new ArrayList<>(
                List.of("-std=gnu11", "-O2", "-Wall", "-fPIC", "-shared", "-pthread", "-o", fresh.toString()));
        options.addAll(arguments);
        String failure = gcc(directory, options);
        if (!failure.isEmpty()) {
            throw new IOException(failure);
        }
        return Files.move(fresh, library, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Runs gcc; returns what it said if it failed, and else nothing. */
    private static String gcc(Path directory, List<String> arguments)
            throws IOException, InterruptedException, UnavailableException {
        List<String> command = new ArrayList<>(List.of("gcc"));
        command.addAll(arguments);
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
        return process.exitValue() == 0 ? "" : command + ": " + Files.readString(output, StandardCharsets.UTF_8);
    }
}

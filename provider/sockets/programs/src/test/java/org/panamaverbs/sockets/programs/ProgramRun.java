package org.panamaverbs.sockets.programs;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A program in a process of its own, by the property that names a selector provider. */
final class ProgramRun implements AutoCloseable {
    private static final long LIMIT_SECONDS = 120;

    private final Process process;

    /** What it has said; guarded by itself. */
    private final List<String> lines = new ArrayList<>();

    private final CompletableFuture<Void> said;

    private ProgramRun(Process process) {
        this.process = process;
        said = CompletableFuture.runAsync(
                this::listen, each -> Thread.ofVirtual().start(each));
    }

    /**
     * Starts {@code program} over RDMA alone.
     *
     * @param options of the virtual machine
     */
    static ProgramRun start(Class<?> program, List<String> options, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx400m",
                "--enable-native-access=ALL-UNNAMED",
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                "-Djava.nio.channels.spi.SelectorProvider=org.panamaverbs.sockets.RdmaSelectorProvider",
                "-Dverbs.provider=iwarp",
                "-Dverbs.sockets.rules=require"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(List.of(arguments));
        return new ProgramRun(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    private void listen() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                add(line);
            }
        } catch (IOException e) {
            add("its output could not be read: " + e);
        } finally {
            synchronized (lines) {
                lines.notifyAll();
            }
        }
    }

    private void add(String line) {
        synchronized (lines) {
            lines.add(line);
            lines.notifyAll();
        }
    }

    /** Waits until it has said its port. */
    int port() throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        synchronized (lines) {
            while (true) {
                Optional<String> port =
                        lines.stream().filter(line -> line.startsWith("port ")).findFirst();
                if (port.isPresent()) {
                    return Integer.parseInt(port.get().substring("port ".length()));
                }
                long left = deadline - System.nanoTime();
                if (left <= 0 || said.isDone()) {
                    throw new AssertionError("it said no port: " + lines);
                }
                TimeUnit.NANOSECONDS.timedWait(lines, Math.min(left, TimeUnit.SECONDS.toNanos(1)));
            }
        }
    }

    /** Ends the input, with which a program ends, waits for its end, and returns what it said. */
    String end() throws Exception {
        process.getOutputStream().close();
        return ended();
    }

    /** Asks the process to terminate, as a user or the system does, waits for its end, and returns what it said. */
    String terminate() throws Exception {
        process.destroy();
        return ended();
    }

    private String ended() throws Exception {
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            synchronized (lines) {
                throw new AssertionError("it does not end; it said: " + lines);
            }
        }
        said.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        synchronized (lines) {
            lines.add("exit " + process.exitValue());
            return String.join("\n", lines);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

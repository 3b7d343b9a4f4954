package org.panamaverbs.bench.compare.contestant;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The processes that measure: each on a processor of its own, with a deadline, and none left behind. Used by one
 * thread.
 */
public final class Children implements AutoCloseable {
    // How long a process that is told to end may take.
    private static final int GRACE_SECONDS = 2;
    private static final long LOOK_MILLIS = 5;

    private final Path directory;
    private final Duration deadline;
    private final Set<Process> running = ConcurrentHashMap.newKeySet();
    private final Thread atExit = new Thread(this::endAll);
    private int started;

    /**
     * A process that runs.
     *
     * @param process it
     * @param output the file of its standard output and error
     * @param command what it was called with
     */
    record Child(Process process, Path output, List<String> command) {
        String text() throws IOException {
            return Files.readString(output, StandardCharsets.UTF_8);
        }
    }

    /** A measurement did not end well. */
    public static final class FailedException extends IOException {
        private static final long serialVersionUID = 1;

        public FailedException(String text) {
            super(text);
        }
    }

    /** Keeps outputs in {@code directory}, and ends every process after {@code deadline}. */
    public Children(Path directory, Duration deadline) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.deadline = deadline;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    Path directory() {
        return directory;
    }

    /**
     * Starts {@code command} on the processors {@code cpus}. It ends by its deadline also if this process is killed.
     *
     * @param cpus as taskset has them
     */
    Child start(String cpus, Map<String, String> environment, List<String> command) throws IOException {
        List<String> whole = new ArrayList<>(
                List.of("timeout", "-k", "" + GRACE_SECONDS, "" + deadline.toSeconds(), "taskset", "-c"));
        whole.add(cpus);
        whole.addAll(command);
        Path output = directory.resolve("child-" + ++started % 10 + ".txt");
        ProcessBuilder builder = new ProcessBuilder(whole)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        running.add(process);
        return new Child(process, output, command);
    }

    /** Waits for the end of {@code child} and returns what it wrote. */
    String finish(Child child) throws IOException, InterruptedException {
        boolean ended = child.process.waitFor(deadline.toSeconds() + GRACE_SECONDS + 1, TimeUnit.SECONDS);
        int status = ended ? child.process.exitValue() : -1;
        end(child);
        if (status != 0) {
            throw new FailedException(failure(child, status));
        }
        return child.text();
    }

    /** Waits until {@code child} has written a line that begins with {@code prefix}, and returns the rest of it. */
    String awaitLine(Child child, String prefix) throws IOException, InterruptedException {
        while (true) {
            boolean ended = !child.process.isAlive();
            Optional<String> line =
                    child.text().lines().filter(each -> each.startsWith(prefix)).findFirst();
            if (line.isPresent()) {
                return line.get().substring(prefix.length()).strip();
            }
            if (ended) {
                throw new FailedException(failure(child, child.process.exitValue()));
            }
            child.process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Waits until somebody listens on {@code port}: {@code child}, as far as anyone can tell. */
    void awaitListener(Child child, int port) throws IOException, InterruptedException {
        while (!Ports.isListening(port)) {
            if (child.process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new FailedException(failure(child, child.process.exitValue()));
            }
        }
    }

    private String failure(Child child, int status) throws IOException {
        String text = child.text().strip();
        String last = text.substring(Math.max(0, text.length() - 300)).replace('\n', ' ');
        return String.join(" ", child.command) + ": "
                + (status == 124 || status == 137 || status == -1
                        ? "did not end in " + deadline.toSeconds() + " s"
                        : "exit status " + status)
                + (last.isEmpty() ? "" : ": " + last);
    }

    /** Ends {@code child} if it still runs. */
    void end(Child child) {
        end(child.process);
        running.remove(child.process);
    }

    private static void end(Process process) {
        List<ProcessHandle> below = process.descendants().toList();
        process.destroy();
        try {
            if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(GRACE_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        below.forEach(ProcessHandle::destroyForcibly);
    }

    private void endAll() {
        running.forEach(Children::end);
    }

    @Override
    public void close() {
        endAll();
        Runtime.getRuntime().removeShutdownHook(atExit);
    }

    /** TCP ports of this machine, for programs that do not choose one themselves. */
    static final class Ports {
        private static final String LISTEN = "0A"; // include/net/tcp_states.h: TCP_LISTEN

        private Ports() {}

        /** Returns a port that was free a moment ago. */
        static int free() throws IOException {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            }
        }

        /** Asks the kernel whether somebody listens: a connection would be taken for the client. */
        static boolean isListening(int port) throws IOException {
            return listens(Path.of("/proc/net/tcp"), port) || listens(Path.of("/proc/net/tcp6"), port);
        }

        private static boolean listens(Path table, int port) throws IOException {
            if (!Files.exists(table)) {
                return false;
            }
            String end = String.format(Locale.ROOT, ":%04X", port);
            return Files.readAllLines(table).stream()
                    .map(line -> line.strip().split(" +", -1))
                    .anyMatch(fields -> fields.length > 3 && fields[1].endsWith(end) && fields[3].equals(LISTEN));
        }
    }
}

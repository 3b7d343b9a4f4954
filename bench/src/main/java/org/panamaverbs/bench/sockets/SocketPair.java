package org.panamaverbs.bench.sockets;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bench.compare.standing.Floors;

/** Two processes that are connected, each on a processor of its own; at rest unless they measure. */
final class SocketPair implements AutoCloseable {
    // Nothing takes longer than this in all; a process that is left alone ends with its input.
    private static final int LIMIT_SECONDS = 1800;
    private static final int END_SECONDS = 20;
    private static final long WARM_UP_MILLIS = 500;
    private static final int MOST_WARM_UPS = 20;
    private static final int ALIKE = 3;

    private final Child server;
    private final Child client;

    /**
     * What a process has used.
     *
     * @param processorNanos how long it had a processor
     * @param bytes of memory that it holds
     */
    record Use(double processorNanos, double bytes) {}

    /** A process, and its lines. */
    private static final class Child {
        private final String name;
        private final Process process;
        private final BufferedReader output;
        private final BufferedWriter input;

        Child(String name, int processor, Variant variant, List<String> arguments) throws IOException {
            this.name = name;
            List<String> command = new ArrayList<>(List.of("timeout", "-k", "2", "" + LIMIT_SECONDS, "taskset", "-c"));
            command.add("" + processor);
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(List.of(
                    "-XX:+UseSerialGC",
                    "-XX:-UsePerfData",
                    "--enable-native-access=ALL-UNNAMED",
                    "-Dio.netty.leakDetection.level=disabled"));
            if (Runtime.version().feature() >= UNSAFE_OPTION_SINCE) {
                command.add("--sun-misc-unsafe-memory-access=allow");
            }
            command.addAll(variant.options());
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), SocketSide.class.getName()));
            command.addAll(arguments);
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            input = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        }

        // Since this release Java says something about sun.misc.Unsafe unless told not to.
        private static final int UNSAFE_OPTION_SINCE = 23;

        /** Says {@code command}, if it is not null, and returns what follows {@code prefix} in the answer. */
        String ask(@Nullable String command, String prefix) throws IOException {
            if (command != null) {
                input.write(command + "\n");
                input.flush();
            }
            String line = output.readLine();
            if (line == null || !line.startsWith(prefix)) {
                throw new IOException(
                        "the " + name + " said " + line + " in place of '" + prefix + "'; its message stands above");
            }
            return line.substring(prefix.length()).strip();
        }

        void end() {
            try {
                input.close();
                if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                    process.descendants().forEach(ProcessHandle::destroyForcibly);
                }
            } catch (IOException e) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Starts both sides and connects them.
     *
     * @param processors of the server and of the client
     * @param kind as {@link SocketSide#main} has it
     */
    SocketPair(int[] processors, Variant variant, String kind, int connections) throws IOException {
        server = new Child("server of " + kind, processors[0], variant, List.of(kind, "" + connections));
        Child connecting = null;
        boolean connected = false;
        try {
            String port = server.ask(null, "port ");
            connecting = new Child("client of " + kind, processors[1], variant, List.of(kind, "" + connections, port));
            connecting.ask(null, "ready");
            server.ask(null, "ready");
            connected = true;
        } finally {
            if (!connected) {
                if (connecting != null) {
                    connecting.end();
                }
                server.end();
            }
        }
        client = connecting;
    }

    /** Measures for {@code millis}, both sides polling or else sleeping while they wait. */
    End.Figure measure(boolean polls, long millis) throws IOException {
        String how = polls ? "poll" : "sleep";
        server.ask("serve " + how, "serving");
        String[] words =
                client.ask("measure " + how + " " + millis, "measured ").split(" ", -1);
        server.ask("rest", "resting");
        return new End.Figure(Double.parseDouble(words[0]), Double.parseDouble(words[1]));
    }

    /**
     * Measures in vain until some figures in a row are alike, for a while at most: two virtual machines compile on the
     * processors that they run on.
     */
    void warmUp(boolean polls) throws IOException {
        double last = 0;
        int alike = 0;
        for (int i = 0; i < MOST_WARM_UPS && alike < ALIKE; i++) {
            double value = measure(polls, WARM_UP_MILLIS).value();
            alike = new Floors(last, value).areSteady() ? alike + 1 : 0;
            last = value;
        }
    }

    /** Returns how long the server had a processor, of {@code millis} in which it waited for what did not come. */
    double idleNanos(long millis) throws IOException {
        server.ask("serve sleep", "serving");
        double before = used().processorNanos();
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a process was idle", e);
        }
        double nanos = used().processorNanos() - before;
        server.ask("rest", "resting");
        return nanos;
    }

    /** Returns what the server has used so far. */
    Use used() throws IOException {
        String[] words = server.ask("used", "used ").split(" ", -1);
        return new Use(Double.parseDouble(words[0]), Double.parseDouble(words[1]));
    }

    @Override
    public void close() {
        client.end();
        server.end();
    }
}

package org.panamaverbs.bench.loopback.many;

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

/** Two processes with many connections between them, each on a processor of its own; at rest unless they measure. */
final class ManyPair implements AutoCloseable {
    // Nothing takes longer than this in all; a process that is left alone ends with its input.
    private static final int LIMIT_SECONDS = 3600;
    private static final int END_SECONDS = 20;

    private final Child server;
    private final Child client;

    /**
     * What was measured, of round trips.
     *
     * @param median in nanoseconds
     * @param p99 the 99th percentile in nanoseconds
     * @param count how many
     */
    record Latency(double median, double p99, long count) {}

    /** A process, and its lines. */
    private static final class Child {
        private final String name;
        private final Process process;
        private final BufferedReader output;
        private final BufferedWriter input;

        Child(String name, int cpu, List<Object> arguments) throws IOException {
            this.name = name;
            List<String> command = new ArrayList<>(List.of("timeout", "-k", "2", "" + LIMIT_SECONDS, "taskset", "-c"));
            command.add("" + cpu);
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(List.of("-XX:+UseSerialGC", "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED"));
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), ManySide.class.getName()));
            arguments.forEach(argument -> command.add(argument.toString()));
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            input = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        }

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

    /** Starts both sides and connects them {@code idle} and then {@code active} times. */
    ManyPair(int idle, int active) throws IOException {
        server = new Child("server", 0, List.of(idle, active));
        Child connecting = null;
        boolean connected = false;
        try {
            String port = server.ask(null, "port ");
            connecting = new Child(
                    "client", Runtime.getRuntime().availableProcessors() > 1 ? 1 : 0, List.of(idle, active, port));
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

    /** Measures for {@code millis}. */
    Latency measure(long millis) throws IOException {
        server.ask("serve", "serving");
        String[] words = client.ask("measure " + millis, "median ").split(" ", -1);
        server.ask("rest", "resting");
        return new Latency(Double.parseDouble(words[0]), Double.parseDouble(words[1]), Long.parseLong(words[2]));
    }

    @Override
    public void close() {
        client.end();
        server.end();
    }
}

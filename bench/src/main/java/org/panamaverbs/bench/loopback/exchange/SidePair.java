package org.panamaverbs.bench.loopback.exchange;

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

/**
 * Two processes that are connected, each with an {@link End} and on a processor of its own; at rest unless they
 * measure. The server says {@code port N} when it listens, and the client is told N by its last argument.
 */
public final class SidePair implements AutoCloseable {
    // Nothing takes longer than this in all; a process that is left alone ends with its input.
    private static final int LIMIT_SECONDS = 3600;
    private static final int END_SECONDS = 20;
    private static final long WARM_UP_MILLIS = 500;
    private static final int MOST_WARM_UPS = 20;
    private static final int ALIKE = 3;
    private final Peer server;
    private final Peer client;

    /**
     * What a process has used.
     *
     * @param processorNanos how long it had a processor
     * @param bytes of memory that it holds
     */
    public record Use(double processorNanos, double bytes) {}

    /**
     * Starts both sides, with the class path of this process, and waits until they are connected.
     *
     * @param what is measured, for people; may be empty
     * @param processors of the server and of the client
     * @param options of the virtual machines, beside those that all have
     * @param main whose method is run, with {@code arguments}
     */
    public SidePair(String what, int[] processors, List<String> options, Class<?> main, List<String> arguments)
            throws IOException {
        String of = what.isEmpty() ? "" : " of " + what;
        server = new Peer("server" + of, command(processors[0], options, main, arguments));
        @Nullable Peer connecting = null;
        boolean connected = false;
        try {
            List<String> more = new ArrayList<>(arguments);
            more.add(server.ask(null, "port "));
            connecting = new Peer("client" + of, command(processors[1], options, main, more));
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

    private static List<String> command(int processor, List<String> options, Class<?> main, List<String> arguments) {
        List<String> command =
                new ArrayList<>(List.of("timeout", "-k", "2", "" + LIMIT_SECONDS, "taskset", "-c", "" + processor));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return command;
    }

    /** Measures for {@code millis}, both sides polling or else sleeping while they wait. */
    public End.Figure measure(boolean polls, long millis) throws IOException {
        String how = polls ? "poll" : "sleep";
        server.ask("serve " + how, "serving");
        double[] numbers = numbers(client.ask("measure " + how + " " + millis, "measured "));
        server.ask("rest", "resting");
        return new End.Figure(numbers[0], numbers[1], numbers[2], numbers[3]);
    }

    private static double[] numbers(String text) {
        return List.of(text.split(" ", -1)).stream()
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    /**
     * Measures in vain until some figures in a row are alike, for a while at most: two virtual machines compile on the
     * processors that they run on.
     */
    public void warmUp(boolean polls) throws IOException {
        double last = 0;
        int alike = 0;
        for (int i = 0; i < MOST_WARM_UPS && alike < ALIKE; i++) {
            double value = measure(polls, WARM_UP_MILLIS).value();
            alike = new Floors(last, value).areSteady() ? alike + 1 : 0;
            last = value;
        }
    }

    /** Returns how long the server had a processor, of {@code millis} in which it waited for what did not come. */
    public double idleNanos(long millis) throws IOException {
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
    public Use used() throws IOException {
        return used(server);
    }

    /** Returns the processor time of both sides so far, in nanoseconds. */
    public double processorNanos() throws IOException {
        return used(server).processorNanos() + used(client).processorNanos();
    }

    private static Use used(Peer side) throws IOException {
        double[] numbers = numbers(side.ask("used", "used "));
        return new Use(numbers[0], numbers[1]);
    }

    @Override
    public void close() {
        client.end();
        server.end();
    }

    /** A process, and its lines: it is told what to do by one, and answers by another. */
    private static final class Peer {
        private final String name;
        private final Process process;
        private final BufferedReader output;
        private final BufferedWriter input;

        Peer(String name, List<String> command) throws IOException {
            this.name = name;
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            input = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        }

        /**
         * Says {@code command}, if it is not null, and returns what follows {@code prefix} in the answer.
         *
         * @throws IOException if the answer is another
         */
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

        /** Ends the process, by the end of its input first. */
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
}

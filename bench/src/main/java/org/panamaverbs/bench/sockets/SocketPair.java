package org.panamaverbs.bench.sockets;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.bench.compare.standing.Floors;
import org.panamaverbs.bench.loopback.process.SidePair;
import org.panamaverbs.bench.loopback.process.SidePlan;
import org.panamaverbs.bench.loopback.process.SideProcess;

/** Two processes that are connected, each on a processor of its own; at rest unless they measure. */
final class SocketPair implements AutoCloseable {
    // Nothing takes longer than this in all; a process that is left alone ends with its input.
    private static final int LIMIT_SECONDS = 1800;
    private static final long WARM_UP_MILLIS = 500;
    private static final int MOST_WARM_UPS = 20;
    private static final int ALIKE = 3;

    // Since this release Java says something about sun.misc.Unsafe unless told not to.
    private static final int UNSAFE_OPTION_SINCE = 23;

    private final SidePair pair;
    private final SideProcess server;
    private final SideProcess client;

    /**
     * What a process has used.
     *
     * @param processorNanos how long it had a processor
     * @param bytes of memory that it holds
     */
    record Use(double processorNanos, double bytes) {}

    /**
     * Starts both sides and connects them.
     *
     * @param processors of the server and of the client
     * @param kind as {@link SocketSide#main} has it
     */
    SocketPair(int[] processors, Variant variant, String kind, int connections) throws IOException {
        List<String> options = new ArrayList<>(variant.options());
        options.add("-Dio.netty.leakDetection.level=disabled");
        if (Runtime.version().feature() >= UNSAFE_OPTION_SINCE) {
            options.add("--sun-misc-unsafe-memory-access=allow");
        }
        List<String> arguments = List.of(kind, "" + connections);
        pair = new SidePair(
                new SidePlan("server of " + kind, processors[0], LIMIT_SECONDS, options, SocketSide.class, arguments),
                new SidePlan("client of " + kind, processors[1], LIMIT_SECONDS, options, SocketSide.class, arguments));
        server = pair.server();
        client = pair.client();
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
        pair.close();
    }
}

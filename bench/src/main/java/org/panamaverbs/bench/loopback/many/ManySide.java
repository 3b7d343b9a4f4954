package org.panamaverbs.bench.loopback.many;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Listener;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.bench.loopback.exchange.Patience;
import org.panamaverbs.bench.loopback.exchange.PeerThread;
import org.panamaverbs.bench.loopback.exchange.Side;

/**
 * A process with one side of many connections, most of them idle. It says {@code port N} if it listens and
 * {@code ready} when all are there, and then does what its input says, until that ends:
 *
 * <ul>
 *   <li>{@code serve}: polls and sends back what comes, until {@code rest}; says {@code serving} and {@code resting};
 *   <li>{@code measure MILLIS}: sends there and back on one active connection after the other, and says {@code median
 *       P50 P99 COUNT}, in nanoseconds of a round trip.
 * </ul>
 */
public final class ManySide {
    private static final int SECONDS = 30;
    private static final int MOST_SAMPLES = 1 << 20;

    private final Side side;
    private final int idle;
    private final int active;
    private final List<Connection> connections = new ArrayList<>();
    private final long[] samples = new long[MOST_SAMPLES];
    private @Nullable PeerThread peer;
    private int next;

    private ManySide(int idle, int active) {
        this.idle = idle;
        this.active = active;
        OpenConfig config = OpenConfig.provider("iwarp").with("shm", "off").with("progress", "spin");
        side = Side.open(config, ActiveEnds.completions(active), ActiveEnds.bytes(active));
    }

    /**
     * Runs one side.
     *
     * @param arguments how many connections are idle and how many active, and the peer's port if this is the side that
     *     connects
     */
    public static void main(String[] arguments) throws IOException {
        ManySide side = new ManySide(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        if (arguments.length > 2) {
            side.connect(Integer.parseInt(arguments[2]));
        } else {
            side.accept();
        }
        ActiveEnds ends = side.ends();
        say("ready");
        side.obey(ends);
    }

    private ActiveEnds ends() {
        return new ActiveEnds(
                side,
                connections.subList(idle, idle + active).stream()
                        .map(Connection::queuePair)
                        .toList());
    }

    private static void say(String text) {
        System.out.println(text);
    }

    private void accept() {
        try (Listener listener = side.verbs().listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            say("port " + listener.localAddress().getPort());
            for (int i = 0; i < idle + active; i++) {
                Deadline deadline = Deadline.in(SECONDS, TimeUnit.SECONDS);
                connections.add(listener.accept(deadline)
                        .accept(side.queuePairs(ActiveEnds.DEPTH), ConnectionConfig.defaults(), deadline));
            }
        }
    }

    private void connect(int port) {
        InetSocketAddress peerAddress = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        for (int i = 0; i < idle + active; i++) {
            Deadline deadline = Deadline.in(SECONDS, TimeUnit.SECONDS);
            connections.add(side.verbs().connect(peerAddress, side.queuePairs(ActiveEnds.DEPTH), deadline));
        }
    }

    private void obey(ActiveEnds ends) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "serve" -> {
                    peer = PeerThread.start(ends::answer);
                    say("serving");
                }
                case "rest" -> {
                    rest();
                    say("resting");
                }
                case "measure" -> say(measure(ends, Long.parseLong(words[1])));
                default -> throw new IllegalArgumentException("unknown command " + line);
            }
        }
        rest();
        connections.forEach(Connection::close);
        side.close();
    }

    private void rest() {
        if (peer != null) {
            peer.check();
            peer.close();
            peer = null;
        }
    }

    private String measure(ActiveEnds ends, long millis) {
        Patience patience = new Patience();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        int count = 0;
        for (long now = System.nanoTime(); now < end && count < MOST_SAMPLES; ) {
            ends.send(next);
            next = next + 1 == ends.count() ? 0 : next + 1;
            patience.renew();
            while (!ends.hasReceived()) {
                patience.await();
            }
            long then = System.nanoTime();
            samples[count++] = then - now;
            now = then;
        }
        Arrays.sort(samples, 0, count);
        return "median " + samples[count / 2] + " " + samples[(int) (count * 0.99)] + " " + count;
    }
}

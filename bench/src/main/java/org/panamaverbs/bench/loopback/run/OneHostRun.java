package org.panamaverbs.bench.loopback.run;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.bench.loopback.exchange.End;
import org.panamaverbs.bench.loopback.exchange.Exchange;
import org.panamaverbs.bench.loopback.exchange.MessagePingPong;
import org.panamaverbs.bench.loopback.exchange.RoundTrips;
import org.panamaverbs.bench.loopback.exchange.Setups;
import org.panamaverbs.bench.loopback.exchange.Setups.Route;
import org.panamaverbs.bench.loopback.exchange.WritePingPong;
import org.panamaverbs.cli.perf.compiler.Compilers;

/**
 * Measures what {@code verbs perf} does not: how long a connection of this process to itself takes, and what round
 * trips over shared memory allocate on all threads. Prints one JSON object; {@code bench/compare} starts it.
 */
public final class OneHostRun {
    private static final int NOT_HERE = 77;
    private static final int SMALL = 64;
    private static final int LARGE = 1 << 20;
    private static final int SMALL_TRIPS = 20_000;
    private static final int LARGE_TRIPS = 400;
    private static final int WINDOWS = 5;
    private static final String COMPILED = "compiled";
    private static final double SLICE_SECONDS = 0.25;
    // Each of six kinds of connections has as much: their code is compiled for longer than people wait.
    private static final Duration WARM_UP_LIMIT = Duration.ofSeconds(4);
    // There are four of them, and bench/compare waits a minute.
    private static final Duration LIMIT_OF_EACH_ALLOCATION = Duration.ofSeconds(10);

    private OneHostRun() {}

    /**
     * Measures.
     *
     * @param arguments {@code connect ROUTE SHM SECONDS WARM_UP}, where the listener has the same {@code shm} but for
     *     the route elsewhere, whose listeners always offer shared memory; or {@code allocation WARM_UP}. A warm-up is
     *     of seconds, or {@code compiled}
     */
    public static void main(String[] arguments) throws IOException {
        try {
            if (arguments[0].equals("connect")) {
                Route route = Route.valueOf(arguments[1].toUpperCase(Locale.ROOT));
                connect(route, arguments[2], Double.parseDouble(arguments[3]), arguments[4]);
            } else {
                allocation(arguments[1]);
            }
        } catch (Setups.NotHereException e) {
            System.err.println("not possible here: " + e.getMessage());
            System.exit(NOT_HERE);
        }
    }

    /** Sets one connection up after the other. */
    private static void connect(Route route, String shm, double seconds, String warmUp) throws IOException {
        RoundTrips trips = new RoundTrips();
        try (Setups setups = Setups.of(route, shm, route == Route.ELSEWHERE ? "auto" : shm)) {
            warmUp(setups, warmUp, WARM_UP_LIMIT);
            measure(setups, trips, seconds);
            End.Figure figure = trips.figure();
            System.out.printf(
                    Locale.ROOT,
                    "{\"median_ns\": %.0f, \"rounds\": %d, \"percentiles_ns\": {\"50\": %.0f, \"99\": %.0f}}%n",
                    figure.value(),
                    trips.count(),
                    figure.value(),
                    figure.p99());
        }
    }

    /** Does {@code exchange} for seconds, or until the compilers have been idle for one, at most {@code limit}. */
    private static void warmUp(Exchange exchange, String length, Duration limit) throws IOException {
        RoundTrips trips = new RoundTrips();
        if (!length.equals(COMPILED)) {
            measure(exchange, trips, Double.parseDouble(length));
            return;
        }
        Compilers compilers = Compilers.ofThisVirtualMachine();
        long begun = System.nanoTime();
        long count = 0;
        boolean idle;
        do {
            measure(exchange, trips, SLICE_SECONDS);
            count += trips.count();
            idle = compilers.idleForASecond();
        } while (!idle && System.nanoTime() - begun < limit.toNanos());
        System.err.printf(
                Locale.ROOT,
                "warm-up of %.1f s, %d times; then the compilers were %s%n",
                (System.nanoTime() - begun) / 1e9,
                count,
                idle ? "idle" : "still busy");
    }

    private static void measure(Exchange exchange, RoundTrips trips, double seconds) throws IOException {
        trips.begin((long) (seconds * TimeUnit.SECONDS.toNanos(1)));
        do {
            exchange.run();
        } while (trips.answered());
    }

    private static OpenConfig options(String shm) {
        return OpenConfig.provider("iwarp").with("shm", shm).with("shm.direct", "off");
    }

    /** Finds the bytes that one round trip allocates, of the kind and size that allocates most. */
    private static void allocation(String warmUp) throws IOException {
        OpenConfig config = options("require").with("progress", "spin");
        double most = 0;
        for (int size : new int[] {SMALL, LARGE}) {
            int trips = size == SMALL ? SMALL_TRIPS : LARGE_TRIPS;
            most = Math.max(most, allocated(each -> new WritePingPong(each, config), size, trips, warmUp));
            most = Math.max(most, allocated(each -> MessagePingPong.sends(each, config), size, trips, warmUp));
        }
        System.out.printf(Locale.ROOT, "{\"octets_per_round_trip\": %.4f}%n", most);
    }

    private static double allocated(IntFunction<Exchange> kind, int size, int trips, String warmUp) throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Exchange exchange = kind.apply(size)) {
            warmUp(exchange, warmUp, LIMIT_OF_EACH_ALLOCATION);
            // What a round trip allocates is in every window; what the virtual machine does now and then is not.
            double least = Double.MAX_VALUE;
            for (int window = 0; window < WINDOWS; window++) {
                long from = threads.getTotalThreadAllocatedBytes();
                for (int i = 0; i < trips; i++) {
                    exchange.run();
                }
                least = Math.min(least, (double) (threads.getTotalThreadAllocatedBytes() - from) / trips);
            }
            return least;
        }
    }
}

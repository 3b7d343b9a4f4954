package org.panamaverbs.bench.sockets;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.bench.Median;
import org.panamaverbs.bench.loopback.exchange.SidePair;

/**
 * Many connections in one selector, ours beside the JDK's, and one connection alone: how long a round trip takes on one
 * of them after the other, between two selectors that sleep until it comes, and what they cost while nothing comes.
 * {@code bench/sockets --selector} starts it.
 */
public final class SelectorRun {
    private static final long IDLE_MILLIS = 2_000;

    private SelectorRun() {}

    /** Two processes, and what was measured of them. */
    private record Crowd(Variant variant, int connections, double setUpNanos, SidePair pair, List<Double> nanos) {}

    /**
     * Measures.
     *
     * @param arguments the processors of servers and of clients, how many rounds, the milliseconds of each measurement,
     *     and how many connections
     */
    public static void main(String[] arguments) throws IOException {
        int[] processors = {Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1])};
        int rounds = Integer.parseInt(arguments[2]);
        long millis = Long.parseLong(arguments[3]);
        int many = Integer.parseInt(arguments[4]);
        List<Crowd> crowds = new ArrayList<>();
        try {
            for (Variant variant : new Variant[] {Variant.JDK, Variant.OURS, Variant.OURS_SLEEPING}) {
                for (int connections : new int[] {1, many}) {
                    crowds.add(connect(processors, variant, connections));
                }
            }
            for (Crowd crowd : crowds) {
                crowd.pair.warmUp(false);
            }
            for (int i = 0; i < rounds; i++) {
                for (Crowd crowd : crowds) {
                    crowd.nanos.add(crowd.pair.measure(false, millis).value());
                }
            }
            print(crowds);
        } finally {
            crowds.forEach(crowd -> crowd.pair.close());
        }
    }

    private static Crowd connect(int[] processors, Variant variant, int connections) throws IOException {
        System.err.println("bench/sockets: " + variant.title() + ", " + connections + " connections");
        long begun = System.nanoTime();
        SidePair pair = variant.connect(processors, "selector", connections);
        return new Crowd(variant, connections, System.nanoTime() - begun, pair, new ArrayList<>());
    }

    private static void print(List<Crowd> crowds) throws IOException {
        System.out.println(
                "| sockets | connections | round trip, us | x of one | x the JDK's | idle, percent of a processor"
                        + " | set-up of each, us | memory of each, KiB |\n|---|--:|--:|--:|--:|--:|--:|--:|");
        for (Crowd crowd : crowds) {
            Crowd one = same(crowds, crowd.variant, 1);
            double each = Math.max(1, crowd.connections - one.connections);
            boolean alone = crowd.connections == 1;
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %d | %.1f | %s | %.2f | %.2f | %s | %s |%n",
                    crowd.variant.title(),
                    crowd.connections,
                    median(crowd) / 1e3,
                    alone ? "" : ratio(crowd, one),
                    median(crowd) / median(same(crowds, Variant.JDK, crowd.connections)),
                    100 * crowd.pair.idleNanos(IDLE_MILLIS) / TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS),
                    alone ? "" : String.format(Locale.ROOT, "%.0f", (crowd.setUpNanos - one.setUpNanos) / each / 1e3),
                    alone ? "" : String.format(Locale.ROOT, "%.1f", (bytes(crowd) - bytes(one)) / each / 1024));
        }
    }

    private static double bytes(Crowd crowd) throws IOException {
        return crowd.pair.used().bytes();
    }

    private static String ratio(Crowd crowd, Crowd one) {
        return String.format(Locale.ROOT, "%.2f", median(crowd) / median(one));
    }

    private static double median(Crowd crowd) {
        return Median.of(crowd.nanos);
    }

    private static Crowd same(List<Crowd> crowds, Variant variant, int connections) {
        return crowds.stream()
                .filter(each -> each.variant == variant && each.connections == connections)
                .findFirst()
                .orElseThrow();
    }
}

package org.panamaverbs.bench.sockets;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.panamaverbs.bench.Median;
import org.panamaverbs.bench.loopback.exchange.PairTable;
import org.panamaverbs.bench.loopback.exchange.PairTable.Scale;
import org.panamaverbs.bench.loopback.exchange.PairTable.Target;
import org.panamaverbs.bench.loopback.exchange.Round;
import org.panamaverbs.bench.loopback.exchange.SidePair;

/** The sockets beside the JDK's, and beside the verbs that they stand on. {@code bench/sockets} starts it. */
public final class SocketsRun {
    private static final Scale GIGABYTES = new Scale("GB/s", figure -> figure.value() / 1e9);

    private final PairTable table;

    private SocketsRun(PairTable table) {
        this.table = table;
    }

    /** What two processes do, and by whose sockets. */
    private record Subject(Variant variant, String kind, boolean polls) implements PairTable.Subject {
        @Override
        public Object processes() {
            return variant + " " + kind;
        }

        @Override
        public SidePair start(int[] processors) throws IOException {
            return variant.connect(processors, kind, 1);
        }

        Subject by(Variant other) {
            return new Subject(other, kind, polls);
        }
    }

    /**
     * Measures.
     *
     * @param arguments as {@link PairTable} takes them
     */
    public static void main(String[] arguments) throws IOException {
        try (PairTable table = new PairTable(arguments)) {
            System.out.println("| what | other | ours | ours / other | target | |\n|---|--:|--:|--:|--:|---|");
            new SocketsRun(table).all();
        }
    }

    private void all() throws IOException {
        Target none = Target.NONE;
        roundTrip("Netty echo, 64 B, both poll", atMost(0.35), polling("echo"), Variant.OURS);
        roundTrip("Netty echo, 64 B, both sleep", atMost(0.8), sleeping("echo"), Variant.OURS);
        roundTrip("Netty echo, 64 B, both sleep, spin 0", none, sleeping("echo"), Variant.OURS_SLEEPING);
        roundTrip("Netty echo, 64 B, both sleep, spin 1000", none, sleeping("echo"), Variant.OURS_SPINNING);
        rate("Netty stream, 64 KiB, both sleep", 1.5, sleeping("stream"), Variant.OURS);
        rate("Netty stream, 64 KiB, both poll", 1.5, polling("stream"), Variant.OURS);
        roundTrip("channel, 64 B, both poll", none, polling("channel"), Variant.OURS);
        roundTrip("selector and channel, 64 B, both poll", none, polling("selector"), Variant.OURS);
        String overhead = "channel beside Sends of verbs, 64 B, both poll";
        if (table.wanted(overhead)) {
            Subject verbs = new Subject(Variant.OURS, "verbs", true);
            Subject channel = new Subject(Variant.OURS, "channel", true);
            table.added(overhead, verbs, channel, new Target("<= + 0.5 us", more -> more.atMost(0.5)));
        }
        rate("Netty stream, 64 KiB, iWARP over TCP", 0.6, sleeping("stream"), Variant.OURS_BY_TCP);
        roundTrip("Netty echo, 64 B, both poll, iWARP over TCP", none, polling("echo"), Variant.OURS_BY_TCP);
        roundTrip("Netty echo, 64 B, both sleep, iWARP over TCP", none, sleeping("echo"), Variant.OURS_BY_TCP);
    }

    private static Subject polling(String kind) {
        return new Subject(Variant.JDK, kind, true);
    }

    private static Subject sleeping(String kind) {
        return new Subject(Variant.JDK, kind, false);
    }

    private static Target atMost(double limit) {
        return new Target("<= " + limit, ratios -> ratios.atMost(limit));
    }

    private void roundTrip(String what, Target target, Subject other, Variant variant) throws IOException {
        if (table.wanted(what)) {
            List<Round> all = table.ratio(what, other, other.by(variant), PairTable.MICROSECONDS, target);
            if (other.kind.equals("selector")) {
                garbage(all);
            }
        }
    }

    private void rate(String what, double least, Subject other, Variant variant) throws IOException {
        if (table.wanted(what)) {
            Target target = new Target(">= " + least, ratios -> ratios.atLeast(least));
            table.ratio(what, other, other.by(variant), GIGABYTES, target);
        }
    }

    private static void garbage(List<Round> all) {
        double theirs = Median.of(all, round -> round.before().garbageBytes());
        double ours = Median.of(all, round -> round.ours().garbageBytes());
        System.out.printf(
                Locale.ROOT,
                "| the same, garbage of a write, select and read | %.0f B | %.0f B | | 0 B more | %s |%n",
                theirs,
                ours,
                Math.round(ours) <= Math.round(theirs) ? "met" : "MISSED");
    }
}

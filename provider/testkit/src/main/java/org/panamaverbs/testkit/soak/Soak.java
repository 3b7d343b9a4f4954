package org.panamaverbs.testkit.soak;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.testkit.random.SeededRandom;
import org.panamaverbs.testkit.soak.ledger.Faults;
import org.panamaverbs.testkit.soak.ledger.Tally;
import org.panamaverbs.testkit.soak.ledger.Tally.Count;
import org.panamaverbs.testkit.soak.line.Life;
import org.panamaverbs.testkit.soak.line.Line;
import org.panamaverbs.testkit.soak.line.Party;
import org.panamaverbs.testkit.soak.line.PartyConfig;
import org.panamaverbs.testkit.soak.traffic.Hello;

/**
 * The process under test: holds all connections, has peers killed, and at the end compares what it holds with what it
 * held after the warm-up. {@code provider/testkit/soak} starts it and describes its options.
 */
final class Soak {
    private static final int USAGE = 2;
    private static final int NOT_HERE = 77;
    private static final int SPARE_DESCRIPTORS = 300;
    private static final long FILL_SECONDS = 300;
    private static final long DRAIN_SECONDS = 90;
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int PROGRESS_SECONDS = 10;
    private static final int ENDS_PER_SECOND_ONE_IN = 100;
    private static final int TRIES = 10;
    private static final Line.End[] ENDS = {
        Line.End.DISCONNECT, Line.End.DISCONNECT, Line.End.ABORT, Line.End.SET_TO_ERROR, Line.End.CLOSE_IN_FLIGHT
    };

    private final SoakOptions options;
    private final PrintStream out;
    private final Tally tally = new Tally();
    private final Faults faults = new Faults();
    private final SeededRandom random;
    private final Party party;
    private @Nullable Fleet fleet;
    private int mostUp;
    private long upSum;
    private long upSamples;
    private boolean filled = true;
    private boolean drained = true;

    private Soak(SoakOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
        random = new SeededRandom(options.seed());
        PartyConfig config = new PartyConfig(
                options.provider(),
                options.device(),
                options.address(),
                -1,
                0,
                options.connections(),
                2,
                TimeUnit.MILLISECONDS.toNanos(options.boundMillis()),
                options.sharedPercent(),
                options.seed());
        party = new Party(config, tally, faults, this::life);
    }

    private @Nullable Life life(Hello hello) {
        Fleet all = fleet;
        return all == null ? null : all.life(hello);
    }

    /** Runs the soak, see {@code provider/testkit/soak --help}. */
    @SuppressWarnings("SystemOut") // the summary is what it is for
    public static void main(String[] arguments) throws IOException {
        SoakOptions options;
        try {
            options = SoakOptions.parse(List.of(arguments));
        } catch (IllegalArgumentException e) {
            System.err.println("soak: " + e.getMessage());
            System.exit(USAGE);
            return;
        }
        long needed = options.connections() + (long) SPARE_DESCRIPTORS;
        if (Footprint.descriptorLimit() < needed) {
            System.err.printf(
                    "soak: %d connections need %d file descriptors, the limit is %d: run `ulimit -n %d` before, or"
                            + " raise the hard limit (nofile in /etc/security/limits.conf, LimitNOFILE in a unit)%n",
                    options.connections(), needed, Footprint.descriptorLimit(), needed);
            System.exit(NOT_HERE);
        }
        System.exit(new Soak(options, System.out).run() ? 0 : 1);
    }

    private boolean run() throws IOException {
        Fleet all = new Fleet(party, options);
        fleet = all;
        for (int i = 0; i < options.connections() / 2; i++) {
            party.connect(all.outgoing(i));
        }
        out.printf(
                "soak: device %s of provider %s at %s, %,d connections, %d peers, a kill every %d ms, %d s, seed %d%n",
                party.verbs().device().name(),
                options.provider(),
                options.address(),
                options.connections(),
                options.peers(),
                options.killMillis(),
                options.seconds(),
                options.seed());
        String obstacle = party.noSharedMemory();
        out.println(
                obstacle.isEmpty()
                        ? "  of a hundred connections, %d may go by shared memory".formatted(options.sharedPercent())
                        : "  no connection goes by shared memory: " + obstacle);
        phase(all, "warm-up", Math.clamp(options.seconds() / 10, 5, 30));
        Footprint baseline = Footprint.take();
        out.println("  after the warm-up: " + baseline.text());
        mostUp = 0;
        upSum = 0;
        upSamples = 0;
        Map<Count, Long> before = tally.snapshot();
        long from = System.nanoTime();
        phase(all, "soak", options.seconds());
        double seconds = (System.nanoTime() - from) / 1e9;
        Map<Count, Long> counts = tally.snapshot();
        counts.replaceAll((what, count) -> count - before.getOrDefault(what, 0L));
        Footprint end = settled(baseline);
        out.println("  at the end: " + end.text());
        long waiting = party.sharedWaiting();
        party.close();
        Footprint closed = Footprint.take();
        Summary summary = new Summary(
                options, faults, counts, seconds, mostUp, upSamples == 0 ? 0 : upSum / upSamples, all.worstNanos());
        summary.judge(filled, drained, obstacle.isEmpty(), baseline, end, closed);
        summary.judgeAccounts(tally.snapshot(), waiting);
        out.print(summary.text());
        if (options.json().isPresent()) {
            Files.writeString(options.json().get(), summary.json());
        }
        out.printf(
                "%d passed, %d failed%n",
                summary.checks().passed(), summary.checks().failed());
        return summary.checks().failed() == 0;
    }

    // What is closed may reach the system a little later.
    private static Footprint settled(Footprint baseline) {
        Footprint now = Footprint.take();
        for (int i = 0; i < TRIES && now.isAbove(baseline); i++) {
            now = Footprint.take();
        }
        return now;
    }

    private void phase(Fleet all, String name, int seconds) throws IOException {
        long from = System.nanoTime();
        all.start();
        party.resume();
        filled &= await(FILL_SECONDS);
        out.printf(
                "  %s: %,d connections up after %.1f s%n",
                name, party.upCount().get(), (System.nanoTime() - from) / 1e9);
        if (SlowEnds.isPossible(options.provider())) {
            SlowEnds slow = new SlowEnds(party);
            try {
                disturb(all, seconds);
            } finally {
                slow.close();
            }
        } else {
            disturb(all, seconds);
        }
        all.stop();
        drained &= party.drain(Deadline.in(DRAIN_SECONDS, TimeUnit.SECONDS));
    }

    private boolean await(long withinSeconds) {
        Deadline deadline = Deadline.in(withinSeconds, TimeUnit.SECONDS);
        while (party.upCount().get() < options.connections() && !deadline.passed()) {
            LockSupport.parkNanos(TICK_NANOS);
        }
        sample();
        return !deadline.passed();
    }

    private void sample() {
        int up = party.upCount().get();
        mostUp = Math.max(mostUp, up);
        upSum += up;
        upSamples++;
    }

    private void disturb(Fleet all, int seconds) throws IOException {
        long from = System.nanoTime();
        long killed = from;
        long told = from;
        long ends = 0;
        long done = done();
        long killNanos = TimeUnit.MILLISECONDS.toNanos(options.killMillis());
        double endsPerSecond = Math.max(1, options.connections() / ENDS_PER_SECOND_ONE_IN);
        for (long now = from; now - from < TimeUnit.SECONDS.toNanos(seconds); now = System.nanoTime()) {
            if (now - killed >= killNanos && all.killOne(random)) {
                killed = now;
            }
            for (; ends < (now - from) / 1e9 * endsPerSecond; ends++) {
                party.endOne(random, random.pick(ENDS));
            }
            if (now - told >= TimeUnit.SECONDS.toNanos(PROGRESS_SECONDS)) {
                long more = done();
                progress((now - from) / 1e9, (more - done) * 1e9 / (now - told));
                done = more;
                told = now;
            }
            sample();
            LockSupport.parkNanos(TICK_NANOS);
        }
    }

    private long done() {
        return tally.count(Count.SENDS_POSTED) + tally.count(Count.RECEIVED) + tally.count(Count.RECEIVED_SHARED);
    }

    private void progress(double seconds, double rate) {
        out.printf(
                "  %4.0f s: %,d up, %,.0f requests/s, %,d connections made, %d killed, %,d flushed, %d faults, %s%n",
                seconds,
                party.upCount().get(),
                rate,
                tally.count(Count.CONNECTED) + tally.count(Count.ACCEPTED),
                tally.count(Count.KILLS),
                tally.count(Count.FLUSHED),
                faults.total(),
                Footprint.glance());
    }
}

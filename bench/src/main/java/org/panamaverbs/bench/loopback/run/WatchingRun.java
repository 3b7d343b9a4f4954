package org.panamaverbs.bench.loopback.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.bench.Median;
import org.panamaverbs.bench.loopback.exchange.Exchange;
import org.panamaverbs.bench.loopback.exchange.MessagePingPong;
import org.panamaverbs.bench.loopback.exchange.SendStream;
import org.panamaverbs.bench.result.Spread;
import org.panamaverbs.bench.result.Verdict;

/**
 * Measures what a recording of all events of verbs costs: the same process sends without, with, with and without one,
 * in turns of half seconds, so that what the machine does beside falls on both. {@code bench/watching} starts it.
 */
public final class WatchingRun {
    // The target: at most so many percent.
    private static final double TARGET_PERCENT = 2;

    private static final int SIZE = 64;
    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    // Ten times as often as `verbs top` asks: each slice has some.
    private static final Duration SAMPLING = Duration.ofMillis(100);
    private static final int RUNS_AT_ONCE = 16;

    private int recorded;

    private WatchingRun() {}

    /** Makes what is measured. */
    @FunctionalInterface
    private interface Made {
        Exchange make() throws IOException;
    }

    /**
     * Measures.
     *
     * @param arguments how many turns
     */
    public static void main(String[] arguments) throws IOException {
        int turns = Integer.parseInt(arguments[0]);
        OpenConfig shared = OpenConfig.provider("iwarp").with("shm", "require").with("progress", "spin");
        System.out.printf(Locale.ROOT, "%-34s %10s  %-30s %s%n", "", "without", "with a recording", "at most +2 %");
        boolean missed =
                new WatchingRun().measure("64 B Send, round trip, TCP", turns, () -> MessagePingPong.sends(SIZE, "on"));
        missed |= new WatchingRun().measure("64 B Sends in a row, TCP", turns, () -> SendStream.batched(SIZE, "on"));
        missed |= new WatchingRun()
                .measure("64 B Send, round trip, shared mem.", turns, () -> MessagePingPong.sends(SIZE, shared));
        System.exit(missed ? 1 : 0);
    }

    /** Measures in {@code turns} turns and prints a line; returns whether the target is missed or not decided. */
    private boolean measure(String what, int turns, Made made) throws IOException {
        try (Exchange exchange = made.make()) {
            slice(exchange, WARM_UP_NANOS);
            with(exchange);
            double[] ratios = new double[turns];
            double[] without = new double[turns];
            recorded = 0;
            for (int i = 0; i < turns; i++) {
                double first = slice(exchange, SLICE_NANOS);
                double on = with(exchange) + with(exchange);
                double off = first + slice(exchange, SLICE_NANOS);
                ratios[i] = on / off;
                without[i] = off / 2;
            }
            Spread all = Spread.ofMedian(ratios);
            Verdict.Outcome outcome = all.atMost(1 + TARGET_PERCENT / 100);
            System.out.printf(
                    Locale.ROOT,
                    "%-34s %7.0f ns  %-30s %s; %d samples of queue pairs%n",
                    what,
                    Median.of(Arrays.stream(without)),
                    all.percentText(),
                    outcome.text(),
                    recorded);
            if (recorded == 0) {
                throw new IllegalStateException("nothing was recorded: there is nothing to compare with");
            }
            return outcome != Verdict.Outcome.MET;
        }
    }

    /** Returns how many nanoseconds an exchange took, in a slice that is recorded. */
    private double with(Exchange exchange) throws IOException {
        Path file = Files.createTempFile("watching", ".jfr");
        try (Recording recording = new Recording()) {
            for (String name : new String[] {
                "AsyncEvent",
                "CompletionQueueOverrun",
                "ConnectionEnd",
                "ConnectionSetup",
                "FlushedWork",
                "MemoryDeregistration",
                "MemoryRegistration",
                "SetupRetry",
                "SlowPass",
                "Stall",
                "Terminate"
            }) {
                recording.enable("verbs." + name);
            }
            recording.enable("verbs.QueuePairStatistics").withPeriod(SAMPLING);
            recording.enable("verbs.DeviceStatistics").withPeriod(SAMPLING);
            recording.start();
            double nanos = slice(exchange, SLICE_NANOS);
            recording.stop();
            recording.dump(file);
            recorded += (int) RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().equals("verbs.QueuePairStatistics"))
                    .count();
            return nanos;
        } finally {
            Files.delete(file);
        }
    }

    private static double slice(Exchange exchange, long nanos) throws IOException {
        long from = System.nanoTime();
        long count = 0;
        long now;
        do {
            for (int i = 0; i < RUNS_AT_ONCE; i++) {
                exchange.run();
            }
            count += RUNS_AT_ONCE;
            now = System.nanoTime();
        } while (now - from < nanos);
        return (double) (now - from) / count;
    }
}

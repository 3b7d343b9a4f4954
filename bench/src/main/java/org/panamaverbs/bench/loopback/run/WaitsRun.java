package org.panamaverbs.bench.loopback.run;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.panamaverbs.api.CompletionWait;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.bench.Median;
import org.panamaverbs.bench.loopback.exchange.Side;
import org.panamaverbs.memory.Resources;

/**
 * Sends messages at given rates to a thread that waits for them in three ways in turns: polls only, polls for a while
 * and then sleeps, sleeps at once. Prints how late the messages are, from when each was due, and the processor time of
 * all but the sender.
 */
public final class WaitsRun {
    private static final int RECEIVES = 4096;
    private static final int SENDS = 512;
    private static final int SIGNAL_EVERY = 64;
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int WARM_UP_WINDOWS = 3;
    private static final int[] RATES = {1_000, 10_000, 100_000};
    private static final Duration NEVER_SLEEPS = Duration.ofDays(1);

    private final Side here;
    private final QueuePair sender;
    private final Receiver receiver;
    private final CompletionWait[] waits;
    private long sent;
    private long done;

    private WaitsRun(Resources resources, Duration spin) throws Exception {
        OpenConfig iwarp = OpenConfig.provider("iwarp");
        here = resources.add(Side.open(iwarp.with("progress", "spin"), SENDS, (long) SENDS * Receiver.MESSAGE_BYTES));
        Side there = resources.add(Side.withEvents(iwarp, 2 * RECEIVES, (long) RECEIVES * Receiver.MESSAGE_BYTES));
        waits = Stream.of(NEVER_SLEEPS, spin, Duration.ZERO).map(there::waiting).toArray(CompletionWait[]::new);
        try (Listener listener = there.listen()) {
            var accepted = CompletableFuture.supplyAsync(() -> there.accept(listener, there.queuePairs(1, RECEIVES)));
            int port = listener.localAddress().getPort();
            sender = here.connect(port, here.queuePairs(SENDS, 1));
            receiver = resources.add(new Receiver(there, accepted.get(), waits[0], RECEIVES));
        }
    }

    /** What one way of waiting did in one second. */
    private record Window(double median, double p99, double processors) {}

    /**
     * Measures.
     *
     * @param arguments how many rounds, and for how many microseconds the wait that does both polls
     */
    public static void main(String[] arguments) throws Exception {
        int rounds = Integer.parseInt(arguments[0]);
        Duration spin = Duration.ofNanos(1_000L * Integer.parseInt(arguments[1]));
        String[] names = {"polls", "polls " + arguments[1] + " us, sleeps", "sleeps"};
        try (Resources resources = new Resources()) {
            WaitsRun run = new WaitsRun(resources, spin);
            for (int i = 0; i < WARM_UP_WINDOWS; i++) {
                run.round(RATES[RATES.length - 1]);
            }
            System.out.println("messages a second | wait                  | p50 us | p99 us | processors");
            for (int rate : RATES) {
                run.measure(rate, rounds, names);
            }
        }
    }

    private void measure(int rate, int rounds, String[] names) {
        List<List<Window>> windows = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            windows.add(round(rate));
        }
        for (int way = 0; way < names.length; way++) {
            int which = way;
            List<Window> its = windows.stream().map(round -> round.get(which)).toList();
            System.out.printf(
                    Locale.ROOT,
                    "%17d | %-21s | %6.2f | %6.1f | %.2f%n",
                    rate,
                    names[way],
                    Median.of(its, Window::median),
                    Median.of(its, Window::p99),
                    Median.of(its, Window::processors));
        }
    }

    private List<Window> round(int rate) {
        return Arrays.stream(waits).map(wait -> window(wait, rate)).toList();
    }

    private Window window(CompletionWait wait, int rate) {
        receiver.waitBy(wait);
        // The wait before it may still be under way: what it finds is not counted.
        send(rate, WINDOW_NANOS / 20);
        receiver.latencies().reset();
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        var threads = ManagementFactory.getThreadMXBean();
        long before = system.getProcessCpuTime() - threads.getCurrentThreadCpuTime();
        long start = System.nanoTime();
        send(rate, WINDOW_NANOS);
        double processors = (double) (system.getProcessCpuTime() - threads.getCurrentThreadCpuTime() - before)
                / (System.nanoTime() - start);
        Histogram latencies = receiver.latencies();
        return new Window(
                latencies.getValueAtPercentile(50) / 1e3, latencies.getValueAtPercentile(99) / 1e3, processors);
    }

    /** Sends for so long, and waits until all has come. */
    private void send(int rate, long nanos) {
        long start = System.nanoTime();
        long gap = TimeUnit.SECONDS.toNanos(1) / rate;
        for (long due = start; due - start < nanos; due += gap) {
            while (System.nanoTime() - due < 0) {
                poll();
            }
            while (sent - done >= SENDS - SIGNAL_EVERY || sent - receiver.received() >= RECEIVES) {
                poll();
            }
            post(due);
        }
        while (receiver.received() != sent) {
            poll();
        }
    }

    private void post(long due) {
        long offset = sent % SENDS * Receiver.MESSAGE_BYTES;
        here.buffer().segment().set(JAVA_LONG, offset, due);
        sent++;
        PostStatus.check(sender.send(
                sent, here.buffer(), offset, Receiver.MESSAGE_BYTES, sent % SIGNAL_EVERY == 0 ? SendFlag.SIGNALED : 0));
    }

    private void poll() {
        int count = here.poll();
        for (int i = 0; i < count; i++) {
            done = here.completion(i).wrId();
        }
    }
}

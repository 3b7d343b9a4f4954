package org.panamaverbs.bench.loopback.run;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.util.WarmUp;
import org.panamaverbs.bench.loopback.exchange.Link;
import org.panamaverbs.bench.loopback.exchange.SendStream;

/**
 * How long a cold virtual machine takes until messages cost at most 1.2 times what they cost at last: Sends of 64
 * bytes, 16 with one doorbell, between two threads of which each polls all the time, as trading programs do.
 */
public final class ColdRun {
    private static final long WINDOW_NANOS = 100_000_000L;
    private static final int BYTES = 64;
    private static final double NEAR = 1.2;

    private ColdRun() {}

    /** What was reached at the end of a window: since the begin, but for the cost of its messages. */
    record Window(double seconds, long messages, double processorSeconds, double nanosPerMessage) {}

    /** Returns the median cost in the last third of {@code windows}. */
    static double steadyNanos(List<Window> windows) {
        double[] last = windows.stream()
                .skip(windows.size() * 2L / 3)
                .mapToDouble(Window::nanosPerMessage)
                .sorted()
                .toArray();
        return last[last.length / 2];
    }

    /** Returns the first window whose messages cost at most {@value #NEAR} times the steady cost. */
    static Window reached(List<Window> windows) {
        double most = NEAR * steadyNanos(windows);
        return windows.stream()
                .filter(window -> window.nanosPerMessage() <= most)
                .findFirst()
                .orElseThrow();
    }

    private static void warmUp() {
        try (Verbs verbs = Verbs.open(Link.overTcp(Link.CRC_ON))) {
            System.err.println(
                    WarmUp.drive(verbs, InetAddress.getLoopbackAddress(), Deadline.in(30, TimeUnit.SECONDS)));
        }
    }

    /**
     * Measures for as many seconds as the first argument says, behind {@code warm-up} as the second one after
     * {@link WarmUp}, and prints one line of CSV.
     */
    public static void main(String[] args) throws IOException {
        if (Arrays.asList(args).contains("warm-up")) {
            warmUp();
        }
        long end = System.nanoTime() + 1_000_000_000L * Integer.parseInt(args[0]);
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        List<Window> windows = new ArrayList<>();
        try (SendStream stream = SendStream.batched(BYTES, Link.CRC_ON)) {
            long begin = System.nanoTime();
            long processor = system.getProcessCpuTime();
            long messages = 0;
            for (long from = begin; from < end; from = System.nanoTime()) {
                long before = messages;
                long now;
                do {
                    stream.run();
                    messages += SendStream.WINDOW;
                    now = System.nanoTime();
                } while (now - from < WINDOW_NANOS);
                windows.add(new Window(
                        (now - begin) / 1e9,
                        messages,
                        (system.getProcessCpuTime() - processor) / 1e9,
                        (double) (now - from) / (messages - before)));
            }
        }
        Window near = reached(windows);
        System.out.println(String.format(
                Locale.ROOT,
                "%.1f,%.1f,%d,%.0f",
                near.seconds(),
                near.processorSeconds(),
                near.messages(),
                steadyNanos(windows)));
        if (Arrays.asList(args).contains("-v")) {
            windows.forEach(window -> System.out.println(window));
        }
    }
}

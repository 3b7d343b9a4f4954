package org.panamaverbs.testkit.crowd;

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.PendingConnection;

/** Connects many, each of which has one message sent back, and measures one of them, all on one thread. */
public final class CrowdClients implements AutoCloseable {
    private static final int UNDER_WAY = 128;
    private static final int SAMPLES = 2_000;
    private static final int MUTE_MILLIS = 1_500;

    private final CrowdSide side;
    private final InetSocketAddress server;
    private final Deadline deadline;
    private @Nullable Connection first;
    private int returned;
    private int waiting;
    private boolean muteFailed;

    /** Creates clients of {@code server} with {@code verbs}, which they close; all ends before {@code deadline}. */
    public CrowdClients(Verbs verbs, InetSocketAddress server, Deadline deadline) {
        side = new CrowdSide(verbs);
        this.server = server;
        this.deadline = deadline;
    }

    /**
     * Connects {@code count}; and one to {@code mute}, which does not answer, while the others are connected.
     *
     * @param warmUp messages of the first connection before its latency is measured
     * @return a line for each thing that was measured
     */
    public String run(int count, int warmUp, InetSocketAddress mute) {
        connect(1, 1);
        StringBuilder report = new StringBuilder();
        samples(warmUp);
        report.append(latency("one alone", samples(SAMPLES)));
        side.begun(begin(mute, Deadline.in(MUTE_MILLIS, TimeUnit.MILLISECONDS)), "mute");
        int half = (count + 1) / 2;
        double firstHalf = secondsToConnect(half);
        double secondHalf = secondsToConnect(count);
        report.append(String.format(
                Locale.ROOT,
                "%d connections accepted, each served once: %.1f a second, of the second half %.1f%n",
                count,
                (count - 1) / (firstHalf + secondHalf),
                (count - half) / secondHalf));
        samples(SAMPLES);
        report.append(latency("one beside " + (count - 1), samples(SAMPLES)));
        while (!muteFailed) {
            step();
        }
        return report.toString();
    }

    private double secondsToConnect(int until) {
        long start = System.nanoTime();
        connect(until, UNDER_WAY);
        return (System.nanoTime() - start) / 1e9;
    }

    private PendingConnection begin(InetSocketAddress address, Deadline until) {
        return side.verbs.beginConnect(
                address, side.queuePair(), ConnectionConfig.defaults().withDepths(1, 1), until);
    }

    private void connect(int until, int most) {
        int begun = side.connections.size();
        int expected = returned + until - begun;
        while (returned < expected) {
            while (begun < until && waiting < most) {
                side.begun(begin(server, deadline), null);
                begun++;
                waiting++;
            }
            step();
        }
    }

    private void step() {
        int count = side.await(deadline);
        if (count == 0) {
            throw new AssertionError(
                    "not in time: " + side.connections.size() + " connections, " + returned + " served");
        }
        for (int i = 0; i < count; i++) {
            take(side.taken.get(i));
        }
    }

    private void take(Event event) {
        switch (event.type()) {
            case ESTABLISHED -> {
                waiting--;
                Connection made = event.connection();
                first = first == null ? made : first;
                side.established(made);
                side.send(made.queuePair().number(), 0);
            }
            case COMPLETION -> side.drain((number, place) -> returned++);
            case FAILED -> {
                if (!"mute".equals(event.attachment()) || !(event.failure() instanceof DeadlineExceededException)) {
                    throw new AssertionError("an attempt failed", event.failure());
                }
                muteFailed = true;
            }
            default -> throw new AssertionError(event.toString());
        }
    }

    /** Returns the sorted nanoseconds of round trips of the first connection. */
    private long[] samples(int count) {
        long[] nanos = new long[count];
        Connection one = Objects.requireNonNull(first);
        for (int i = 0; i < count; i++) {
            int before = returned;
            long start = System.nanoTime();
            side.send(one.queuePair().number(), 0);
            while (returned == before) {
                step();
            }
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        return nanos;
    }

    private static String latency(String what, long[] sorted) {
        return String.format(
                Locale.ROOT,
                "round trip of %d bytes, %s: median %.1f us, 99 %% %.1f us%n",
                CrowdSide.BYTES,
                what,
                sorted[sorted.length / 2] / 1e3,
                sorted[sorted.length * 99 / 100] / 1e3);
    }

    @Override
    public void close() {
        side.close();
    }
}

package org.panamaverbs.bench.loopback.exchange;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.bench.machine.Machine;

/** One side of what is measured: a server that answers, or a client that asks. At rest unless told otherwise. */
public interface End extends AutoCloseable {
    /** Bytes of a message of a round trip. */
    int MESSAGE_BYTES = 64;

    /** For how long an answer may be missing. */
    long LIMIT_SECONDS = 20;

    /**
     * What was measured.
     *
     * @param value nanoseconds of a round trip, the median, or bytes a second
     * @param p99 the 99th percentile of round trips in nanoseconds; NaN of a rate
     * @param p999 the 99.9th percentile
     * @param garbageBytes bytes that the measuring thread left to the collector, for each message
     */
    record Figure(double value, double p99, double p999, double garbageBytes) {}

    /** Answers from now on, on a thread of its own, which polls or else sleeps when there is nothing. */
    void serve(boolean polls) throws Exception;

    /** Ends that. */
    void rest() throws Exception;

    /** Asks for {@code nanos}, by a thread that polls or else sleeps while it waits. */
    Figure measure(boolean polls, long nanos) throws Exception;

    @Override
    void close() throws IOException;

    /** Tells the process that started this one that clients can connect to {@code port}. */
    static void listening(int port) {
        System.out.println("port " + port);
    }

    /**
     * Has {@code end} do what the input of this process says, until that ends; says {@code ready} first.
     *
     * <ul>
     *   <li>{@code serve poll} or {@code serve sleep}: answers, until {@code rest}; says {@code serving} and
     *       {@code resting};
     *   <li>{@code measure poll MILLIS} or {@code measure sleep MILLIS}: says {@code measured VALUE P99 P999 GARBAGE},
     *       see {@link Figure};
     *   <li>{@code used}: says {@code used NANOS BYTES}, the processor time of this process so far, and the memory that
     *       it holds.
     * </ul>
     */
    static void obey(End end) throws Exception {
        System.out.println("ready");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", -1);
            boolean polls = words.length > 1 && words[1].equals("poll");
            System.out.println(
                    switch (words[0]) {
                        case "serve" -> {
                            end.serve(polls);
                            yield "serving";
                        }
                        case "rest" -> {
                            end.rest();
                            yield "resting";
                        }
                        case "measure" -> {
                            Figure figure = end.measure(polls, TimeUnit.MILLISECONDS.toNanos(Long.parseLong(words[2])));
                            yield "measured " + figure.value() + " " + figure.p99() + " " + figure.p999() + " "
                                    + figure.garbageBytes();
                        }
                        case "used" -> "used " + processorNanos() + " " + Machine.residentBytes();
                        default -> throw new IllegalArgumentException("unknown command " + line);
                    });
        }
    }

    private static long processorNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}

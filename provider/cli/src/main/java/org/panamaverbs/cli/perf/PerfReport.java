package org.panamaverbs.cli.perf;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Carrier;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.command.JsonWriter;
import org.panamaverbs.cli.perf.measure.BandwidthResult;
import org.panamaverbs.cli.perf.measure.LatencyResult;
import org.panamaverbs.cli.perf.measure.PerfOptions;
import org.panamaverbs.cli.perf.measure.Preparation;
import org.panamaverbs.cli.perf.measure.Preparation.Busy;
import org.panamaverbs.cli.perf.measure.WarmUp;

/** Prints results as perftest does, line by line as they come, and keeps them for its JSON. */
final class PerfReport {
    private static final String LINE = "-".repeat(103);
    /** A name of the heading and what it is. */
    private static final String LINE_NAME = " %-16s: %s";

    private static final double[] PERCENTILES = {0, 50, 90, 99, 99.9, 99.99, 99.999, 100};

    private final PerfOptions options;
    private final Style style;
    private final PrintWriter out;
    private final PrintWriter err;
    private final List<LatencyResult> latencies = new ArrayList<>();
    private final List<BandwidthResult> bandwidths = new ArrayList<>();
    private Preparation.Outcome warmedUp = new Preparation.Outcome(Duration.ZERO, Busy.NOBODY);
    private Subject subject = new Subject("", "", Carrier.DEVICE, "", 0, 0, QueuePairType.RC, true);

    /**
     * How results are printed.
     *
     * @param gbits bandwidth in Gbit/s, not MiB/s
     * @param peak with the peak bandwidth
     * @param histogram with percentiles of each latency
     */
    record Style(boolean gbits, boolean peak, boolean histogram) {}

    /**
     * What is measured.
     *
     * @param carrier what carries the connections
     * @param transport what was negotiated
     * @param inlineBytes the longest message that goes inline
     * @param outstanding Reads and Atomics that a connection may have in flight, as negotiated
     * @param type the type of the queue pairs
     * @param managed true if the connection manager connects them, false if they are connected out of band
     */
    record Subject(
            String provider,
            String device,
            Carrier carrier,
            String transport,
            int inlineBytes,
            int outstanding,
            QueuePairType type,
            boolean managed) {
        /** Returns what perftest calls connections by the connection manager. */
        String connectionManager() {
            return managed ? "ON" : "OFF";
        }
    }

    PerfReport(PerfOptions options, Style style, PrintWriter out, PrintWriter err) {
        this.options = options;
        this.style = style;
        this.out = out;
        this.err = err;
    }

    private String waits() {
        if (!options.mode().events()) {
            return "polling";
        }
        long micros = options.mode().spin().toNanos() / 1_000;
        return micros == 0 ? "events" : "events after " + micros + " us";
    }

    /** Prints what is measured on what, and the heading of the columns. */
    void begin(Subject measured) {
        subject = measured;
        out.println(LINE);
        out.println("                    " + title());
        line("Provider", subject.provider(), "Device", subject.device());
        line("Number of qps", options.queues().pairs(), "Transport type", subject.transport());
        if (subject.carrier() == Carrier.SHARED_MEMORY) {
            print(String.format(Locale.ROOT, LINE_NAME, "Same host", "both processes; --option shm=off selects TCP"));
        }
        line("Connection type", subject.type(), "Completions by", waits());
        Iterator<Map.Entry<String, Integer>> queues = queues().entrySet().iterator();
        while (queues.hasNext()) {
            Map.Entry<String, Integer> first = queues.next();
            Map.Entry<String, Integer> second = queues.next();
            line(first.getKey(), first.getValue(), second.getKey(), second.getValue());
        }
        Object warmUp = subject.managed() ? options.span().warmUp() : "none";
        line("Warm-up", warmUp, "rdma_cm QPs", subject.connectionManager());
        out.println(LINE);
        out.println(heading());
        out.flush();
    }

    /** Returns how the queues are used, by perftest's names. */
    private Map<String, Integer> queues() {
        Map<String, Integer> queues = new LinkedHashMap<>();
        queues.put("TX depth", options.queues().txDepth());
        queues.put("RX depth", options.queues().rxDepth());
        queues.put("Post List", options.queues().postList());
        queues.put("CQ Moderation", options.queues().cqModeration());
        queues.put("Max inline data", subject.inlineBytes());
        queues.put("Outstand reads", subject.outstanding());
        return queues;
    }

    private String title() {
        String title = options.test().title();
        return options.mode().bidirectional() ? title.replace(" BW ", " Bidirectional BW ") : title;
    }

    private String heading() {
        if (options.test().isBandwidth()) {
            String unit = style.gbits() ? "[Gb/sec]" : "[MiB/sec]";
            return " #bytes     #iterations    " + (style.peak() ? "BW peak" + unit + "    " : "") + "BW average" + unit
                    + "   MsgRate[Mpps]";
        }
        return byDuration()
                ? " #bytes        #iterations       t_avg[usec]    tps average"
                : " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]"
                        + "   99% percentile[usec]   99.9% percentile[usec]";
    }

    private boolean byDuration() {
        return options.span().iterations() == 0;
    }

    /** Prints a line of a latency test, with its percentiles if asked for. */
    void latency(LatencyResult result) {
        latencies.add(result);
        if (byDuration()) {
            print(String.format(
                    Locale.ROOT,
                    " %-7d       %-10d       %-7.2f        %-7.2f",
                    result.size(),
                    result.iterations(),
                    result.average(),
                    result.perSecond()));
        } else {
            print(String.format(
                    Locale.ROOT,
                    " %-7d %-10d    %-11.2f    %-11.2f  %-15.2f    %-11.2f    %-13.2f   %-20.2f   %-7.2f",
                    result.size(),
                    result.iterations(),
                    result.min(),
                    result.max(),
                    result.percentile(50),
                    result.average(),
                    result.deviation(),
                    result.percentile(99),
                    result.percentile(99.9)));
        }
        if (style.histogram()) {
            for (double percent : PERCENTILES) {
                print(String.format(Locale.ROOT, "   %7.3f%%   %10.2f usec", percent, result.percentile(percent)));
            }
        }
    }

    /** Prints a line of a bandwidth test. */
    void bandwidth(BandwidthResult result) {
        bandwidths.add(result);
        double peak = style.gbits() ? result.peakGbits() : result.peakMib();
        double average = style.gbits() ? result.averageGbits() : result.averageMib();
        print(String.format(
                Locale.ROOT,
                " %-7d    %-10d     " + (style.peak() ? String.format(Locale.ROOT, "%-16.2f    ", peak) : "")
                        + "%-19.2f   %-7.6f",
                result.size(),
                result.messages(),
                average,
                result.average() / 1e6));
    }

    /** Says on the standard error how far a long measurement is. */
    void progress(int size, long done, long of, long seconds) {
        String text = of == 0
                ? String.format(Locale.ROOT, "%d bytes: %d messages after %d s", size, done, seconds)
                : String.format(Locale.ROOT, "%d bytes: %d of %d messages after %d s", size, done, of, seconds);
        err.println("verbs perf: " + text);
        err.flush();
    }

    /** Takes note of a warm-up; says on the standard error if code is left to be compiled, which the figures show. */
    void warmedUp(Preparation.Outcome outcome) {
        Busy busy = outcome.stillBusy();
        warmedUp = new Preparation.Outcome(warmedUp.took().plus(outcome.took()), busy);
        if (busy != Busy.NOBODY) {
            err.println(String.format(
                    Locale.ROOT,
                    "verbs perf: the compilers of %s were still busy after the longest warm-up, %.1f s:"
                            + " results may be too slow; remedy: give each side more processors or an idle "
                            + "machine, or a longer warm-up in seconds, as in --warm-up 60s",
                    whose(busy),
                    seconds(outcome.took())));
            err.flush();
        }
    }

    private static String whose(Busy busy) {
        return switch (busy) {
            case NOBODY -> "nobody";
            case CLIENT -> "the client";
            case SERVER -> "the server";
            case BOTH -> "both sides";
        };
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /** Prints the line under the table, and below how long the warm-up took where the options do not say it. */
    void end() {
        out.println(LINE);
        if (untilCompiled()) {
            print(String.format(Locale.ROOT, " Warm-up of %.1f s, ", seconds(warmedUp.took()))
                    + (warmedUp.stillBusy() == Busy.NOBODY
                            ? "until the compilers of both sides were idle"
                            : "its limit: the compilers of " + whose(warmedUp.stillBusy()) + " were still busy"));
        }
        out.flush();
    }

    /**
     * Demands of the best of all sizes what the user demands.
     *
     * @param bandwidth the least average bandwidth, in the unit that is printed, null for any
     * @param rate the least message rate, in millions a second, null for any
     * @throws CommandFailure if it is less
     */
    void requireAtLeast(@Nullable Double bandwidth, @Nullable Double rate) {
        require(
                bandwidth,
                result -> style.gbits() ? result.averageGbits() : result.averageMib(),
                "average bandwidth",
                style.gbits() ? "Gb/sec" : "MiB/sec",
                "--limit_bw");
        require(rate, result -> result.average() / 1e6, "message rate", "Mpps", "--limit_msgrate");
    }

    private void require(
            @Nullable Double least, ToDoubleFunction<BandwidthResult> of, String what, String unit, String option) {
        double best = bandwidths.stream().mapToDouble(of).max().orElse(0);
        if (least != null && best < least) {
            throw new CommandFailure(String.format(
                    Locale.ROOT, "the best %s is %.6f %s, which is below %s of %s", what, best, unit, option, least));
        }
    }

    private boolean untilCompiled() {
        return subject.managed() && options.span().warmUp() instanceof WarmUp.Compiled;
    }

    /**
     * Returns what was printed, as JSON with perftest's names: {@code results} is the last line of the table, as in
     * perftest's file; {@code all_results} are all.
     */
    String json() {
        JsonWriter json = new JsonWriter().object().name("test_info").object();
        json.field("test", title().replace(' ', '_'));
        json.field("Provider", subject.provider()).field("Device", subject.device());
        json.field("Number_of_qps", options.queues().pairs()).field("Transport_type", subject.transport());
        json.field("Connection_type", subject.type().name());
        queues().forEach((name, value) -> json.field(name.replace(' ', '_'), value));
        json.field("rdma_cm_QPs", subject.connectionManager());
        writeWarmUp(json);
        json.field("Events", options.mode().events())
                .field("Spin_us", options.mode().spin().toNanos() / 1_000);
        json.end();
        if (!latencies.isEmpty()) {
            write(json.name("results"), latencies.getLast());
        } else if (!bandwidths.isEmpty()) {
            write(json.name("results"), bandwidths.getLast());
        }
        json.name("all_results").array();
        latencies.forEach(result -> write(json, result));
        bandwidths.forEach(result -> write(json, result));
        return json.end().end().toString();
    }

    private void writeWarmUp(JsonWriter json) {
        WarmUp warmUp = subject.managed() ? options.span().warmUp() : new WarmUp.Messages(0);
        json.field("Warm_up", warmUp instanceof WarmUp.Messages messages ? messages.number() : 0);
        json.field("Warm_up_seconds", warmUp instanceof WarmUp.Seconds seconds ? seconds.number() : 0);
        json.field("Warm_up_until_compiled", untilCompiled());
        if (untilCompiled()) {
            json.field("Warm_up_still_compiling", warmedUp.stillBusy().name().toLowerCase(Locale.ROOT));
        }
        json.name("Warm_up_took_seconds").value(seconds(warmedUp.took()));
    }

    private void write(JsonWriter json, LatencyResult result) {
        json.object().field("MsgSize", result.size()).field("n_iterations", result.iterations());
        json.name("t_min").value(result.min()).name("t_max").value(result.max());
        json.name("t_typical").value(result.percentile(50)).name("t_avg").value(result.average());
        json.name("t_stdev").value(result.deviation());
        json.name("percentile_90").value(result.percentile(90));
        json.name("percentile_99").value(result.percentile(99));
        json.name("percentile_99.9").value(result.percentile(99.9));
        json.name("percentile_99.99").value(result.percentile(99.99));
        json.name("tps_average").value(result.perSecond());
        json.end();
    }

    private void write(JsonWriter json, BandwidthResult result) {
        json.object().field("MsgSize", result.size()).field("n_iterations", result.messages());
        json.name("BW_peak").value(style.gbits() ? result.peakGbits() : result.peakMib());
        json.name("BW_average").value(style.gbits() ? result.averageGbits() : result.averageMib());
        json.name("MsgRate").value(result.average() / 1e6, 6);
        json.end();
    }

    private void line(String name, Object value, String other, Object otherValue) {
        String first = String.format(Locale.ROOT, "%-16s", value);
        print(String.format(Locale.ROOT, LINE_NAME + LINE_NAME, name, first, other, otherValue));
    }

    private void print(String line) {
        out.println(line.stripTrailing());
        out.flush();
    }
}

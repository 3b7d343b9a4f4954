package org.panamaverbs.bench.compare.contestant;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.panamaverbs.bench.result.Unit;

/** UCX, by its own ucx_perftest. */
public final class UcxPerftest extends Contestant {
    public static final String PUT = "UCX put";
    public static final String TAG = "UCX tag";
    public static final String GET = "UCX get";
    public static final String FETCH_ADD = "UCX fadd";
    public static final String CMP_SWAP = "UCX cswap";
    private static final double[] PERCENTILES = {50, 90, 99, 99.9};
    private static final double NANOS = 1e3; // of a microsecond

    private final Transport transport;
    private final String put;
    private final String tag;

    /** What messages go over. On one host large ones are copied once by the kernel where UCX finds that better. */
    public enum Transport {
        TCP("", "tcp"),
        POSIX("posix ", "posix,cma"),
        SYSV("sysv ", "sysv,cma");

        private final String title;
        private final String names;

        Transport(String title, String names) {
            this.title = title;
            this.names = names;
        }
    }

    public UcxPerftest(Bench bench, Transport transport) {
        super(bench, "UCX");
        this.transport = transport;
        put = on(PUT);
        tag = on(TAG);
    }

    /** Returns what has UCX use {@code names} of its transports, for TCP on the loopback, and leave nothing behind. */
    static Map<String, String> environment(Bench bench, String names) {
        String directory = bench.scratch().directory().toString();
        return Map.of("UCX_TLS", names, "UCX_NET_DEVICES", "lo", "UCX_POSIX_DIR", directory);
    }

    @Override
    public Optional<String> missing() {
        return Bench.missing("ucx_perftest", "ucx-utils");
    }

    @Override
    public String version() throws IOException, InterruptedException {
        return firstLine(bench.run(List.of("ucx_info", "-v"))).replaceFirst("^# *(Library version|Version):? *", "");
    }

    @Override
    public List<Job> jobs(Amounts amounts) {
        return transport == Transport.TCP ? overTcp(amounts) : oneHost(amounts);
    }

    private List<Job> oneHost(Amounts amounts) {
        return List.of(
                latency(Question.HOST_WRITE_64, put, amounts, "ucp_put_lat"),
                latency(Question.HOST_SEND_64, tag, amounts, "tag_lat"),
                rate(Question.HOST_BATCH_64, tag, amounts.c().small(), "tag_bw"),
                rate(Question.HOST_WRITE_1M, put, amounts.c().large(), "ucp_put_bw"),
                oneByOne(Question.HOST_POST_WRITE, PUT, amounts, "ucp_put_bw"),
                oneByOne(Question.HOST_POST_READ, GET, amounts, "ucp_get"),
                oneByOne(Question.HOST_FETCH_ADD, FETCH_ADD, amounts, "ucp_fadd"),
                oneByOne(Question.HOST_CMP_SWAP, CMP_SWAP, amounts, "ucp_cswap"),
                rate(Question.HOST_READ_1M, on(GET), amounts.c().large() / 2, "ucp_get", "-O", "16"));
    }

    /** From post to completion: the mean of many, each after the one before it. */
    private Job oneByOne(Question question, String line, Amounts amounts, String test) {
        return new Job(
                question,
                on(line),
                () -> Reading.of(
                        1e9 / messages(test, question.size(), 4 * amounts.c().roundTrips(), "-O", "1")));
    }

    private String on(String line) {
        return line.replace(" ", " " + transport.title);
    }

    private List<Job> overTcp(Amounts amounts) {
        return List.of(
                latency(Question.WRITE_64, put, amounts, "ucp_put_lat"),
                latency(Question.SEND_64, tag, amounts, "tag_lat"),
                latency(Question.FETCH_ADD, FETCH_ADD, amounts, "ucp_fadd", "-O", "1"),
                latency(Question.CMP_SWAP, CMP_SWAP, amounts, "ucp_cswap", "-O", "1"),
                latency(Question.READ_64, GET, amounts, "ucp_get", "-O", "1"),
                latency(Question.WRITE_4K, put, amounts, "ucp_put_lat"),
                rate(Question.BATCH_64, tag, amounts.c().small() / 4, "tag_bw"),
                rate(Question.WRITE_1M, put, amounts.c().large(), "ucp_put_bw"),
                rate(Question.WRITE_1M, tag, amounts.c().large(), "tag_bw"),
                rate(Question.READ_1M, GET, amounts.c().large() / 2, "ucp_get", "-O", "16"));
    }

    private Job latency(Question question, String line, Amounts amounts, String test, String... options) {
        return new Job(
                question,
                line,
                () -> Reading.of(roundTrip(
                        test,
                        question.size(),
                        amounts.c().roundTrips(),
                        amounts.c().warmUp() / 4,
                        50,
                        options)));
    }

    private Job rate(Question question, String line, int count, String test, String... options) {
        return new Job(question, line, () -> {
            double messages = messages(test, question.size(), count, options);
            return Reading.of(question.unit() == Unit.OCTETS ? messages * question.size() : messages);
        });
    }

    /** The percentile {@code rank} of round trips, in nanoseconds. */
    private double roundTrip(String test, int size, int count, int warmUp, double rank, String... options)
            throws IOException, InterruptedException {
        // UCX, too, prints half of a round trip where both sides
        // take turns, and the whole of what is answered by itself.
        double factor = test.endsWith("_lat") ? 2 * NANOS : NANOS;
        String text = perftest(test, size, count, "-w", warmUp, "-R", rank, Arrays.asList(options));
        return factor * column(text, "percentile_lat");
    }

    private double messages(String test, int size, int count, String... options)
            throws IOException, InterruptedException {
        int warmUp = Math.max(1, count / 10);
        return column(perftest(test, size, count, "-w", warmUp, Arrays.asList(options)), "overall_mr");
    }

    private String perftest(String test, int size, int count, Object... options)
            throws IOException, InterruptedException {
        List<String> client = Bench.command(
                "ucx_perftest", "127.0.0.1", "-p", "PORT", "-t", test, "-s", size, "-n", count, "-f", "-v", options[0]);
        client.addAll(Bench.command(Arrays.copyOfRange(options, 1, options.length)));
        return bench.pairOnFreePort(environment(bench, transport.names), List.of("ucx_perftest", "-p", "PORT"), client);
    }

    /** Returns what stands below the heading that ends with {@code name}. */
    static double column(String text, String name) throws Children.FailedException {
        List<String> lines = text.lines().filter(line -> line.contains(",")).toList();
        if (lines.size() >= 2) {
            String[] headings = lines.getFirst().strip().split(",", -1);
            String[] values = lines.getLast().strip().split(",", -1);
            int found = IntStream.range(0, Math.min(headings.length, values.length))
                    .filter(i -> headings[i].endsWith(name))
                    .findFirst()
                    .orElse(-1);
            if (found >= 0) {
                return Double.parseDouble(values[found].strip());
            }
        }
        throw new Children.FailedException("ucx_perftest says no " + name + ": " + text.strip());
    }

    @Override
    public List<CurveJob> curves(Amounts amounts) {
        return List.of(
                new CurveJob(put, () -> percentiles(amounts, put, "ucp_put_lat")),
                new CurveJob(tag, () -> percentiles(amounts, tag, "tag_lat")),
                new CurveJob(tag, () -> bySize(amounts)));
    }

    /** It says one percentile a run. */
    private List<Point> percentiles(Amounts amounts, String line, String test)
            throws IOException, InterruptedException {
        List<Point> points = new ArrayList<>();
        for (double rank : PERCENTILES) {
            points.add(new Point(
                    Point.Curve.LATENCY_BY_PERCENTILE,
                    line,
                    rank,
                    roundTrip(test, 64, amounts.c().roundTrips(), amounts.c().warmUp() / 4, rank)));
        }
        return points;
    }

    private List<Point> bySize(Amounts amounts) throws IOException, InterruptedException {
        List<Point> points = new ArrayList<>();
        for (int size : amounts.curve().sizes()) {
            points.add(new Point(
                    Point.Curve.LATENCY_BY_SIZE,
                    tag,
                    size,
                    roundTrip(
                            "tag_lat",
                            size,
                            amounts.curve().count(),
                            amounts.curve().count() / 4,
                            50)));
            points.add(new Point(
                    Point.Curve.BANDWIDTH_BY_SIZE,
                    tag,
                    size,
                    size * messages("tag_bw", size, amounts.curve().count())));
        }
        return points;
    }
}

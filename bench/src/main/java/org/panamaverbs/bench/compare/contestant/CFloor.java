package org.panamaverbs.bench.compare.contestant;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The floors in C. Over the network send and recv: what the kernel's TCP costs, and nothing else. On one host a
 * hand-over through memory that both have mapped, and memcpy.
 */
public final class CFloor extends Contestant {
    public static final String LINE = "C TCP";

    /** Messages that are sent at once in a large batch: as many as we post with one doorbell. */
    static final int BATCH = 64;

    /** Messages that are sent at once in a small batch. */
    static final int SMALL_BATCH = 16;

    // MPA 2 (RFC 5044 §4), DDP and RDMAP of an untagged segment 18
    // (RFC 5041 §4.2, RFC 5040 §4.1), CRC 4; 84 needs no pad
    private static final int FRAMING_BYTES = 24;

    private static final String TCP = "tcp";
    private static final String MEMORY = "host";

    public CFloor(Bench bench) {
        super(bench, "C");
    }

    @Override
    public Optional<String> missing() {
        try {
            bench.run(List.of("gcc", "--version"));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("no gcc: apt-get install gcc libc6-dev");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }

    /** Compiles the programs, too. */
    @Override
    public String version() throws IOException, InterruptedException {
        bench.compile("gcc", TCP);
        bench.compile("gcc", MEMORY);
        return firstLine(bench.run(List.of("gcc", "--version"))) + ", -O2";
    }

    @Override
    public List<Job> jobs(Amounts amounts) {
        List<Job> jobs = new ArrayList<>(overTcp(amounts));
        jobs.addAll(oneHost(amounts));
        return jobs;
    }

    private List<Job> oneHost(Amounts amounts) {
        int trips = amounts.c().roundTrips();
        double seconds = amounts.c().streamSeconds();
        return List.of(
                Job.roundTrips(
                        Question.HOST_WRITE_64,
                        Question.HOST_WRITE_64.floorLine(),
                        () -> run(MEMORY, "handover", 64, 4 * trips)),
                floor(Question.HOST_BATCH_64, "messages_per_second", () -> run(MEMORY, "stream", 64, seconds)),
                floor(Question.HOST_WRITE_1M, "octets_per_second", () -> run(MEMORY, "memcpy", 1 << 20, seconds)),
                pingPong(Question.HOST_BLOCKING_64, "block", trips / 2),
                Job.roundTrips(Question.HOST_BLOCKING_64, "C futex", () -> run(MEMORY, "futex", 64, trips / 2)));
    }

    private static Job floor(Question question, String rate, Measurement<String> program) {
        return Job.rate(question, question.floorLine(), rate, program);
    }

    private List<Job> overTcp(Amounts amounts) {
        int trips = amounts.c().roundTrips();
        return List.of(
                pingPong(Question.WRITE_64, "spin", trips),
                pingPong(Question.WRITE_4K, "spin", trips),
                pingPong(Question.BLOCKING_64, "block", trips / 2),
                batches(Question.BATCH_64, BATCH, amounts),
                batches(Question.BATCH_16, SMALL_BATCH, amounts),
                floor(Question.WRITE_1M, "octets_per_second", () -> stream(1 << 20, amounts)));
    }

    private Job batches(Question question, int messages, Amounts amounts) {
        int octets = messages * (question.size() + FRAMING_BYTES);
        return new Job(
                question, LINE, () -> Reading.of(messages * Bench.rate(stream(octets, amounts), "sends_per_second")));
    }

    private Job pingPong(Question question, String how, int rounds) {
        return Job.roundTrips(question, question.floorLine(), () -> run(TCP, "pingpong", how, question.size(), rounds));
    }

    private String stream(int size, Amounts amounts) throws IOException, InterruptedException {
        return run(TCP, "stream", "spin", size, amounts.c().streamSeconds());
    }

    /** Runs a program with {@code arguments}, the client on its processor and the server on its own. */
    private String run(String program, Object... arguments) throws IOException, InterruptedException {
        return bench.both(
                Map.of(),
                Bench.command(
                        bench.children().directory().resolve(program),
                        List.of(arguments),
                        bench.clientCpu(),
                        bench.serverCpu()));
    }

    @Override
    public List<CurveJob> curves(Amounts amounts) {
        return List.of(new CurveJob(LINE, () -> {
            List<Point> points = new ArrayList<>();
            for (int size : amounts.curve().sizes()) {
                double median = Bench.roundTrips(run(
                                TCP, "pingpong", "spin", size, amounts.curve().count()))
                        .value();
                points.add(new Point(Point.Curve.LATENCY_BY_SIZE, LINE, size, median));
                double rate = Bench.rate(
                        run(TCP, "stream", "spin", size, amounts.c().streamSeconds() / 2), "octets_per_second");
                points.add(new Point(Point.Curve.BANDWIDTH_BY_SIZE, LINE, size, rate));
            }
            return points;
        }));
    }
}

package org.panamaverbs.bench.compare.contestant;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** send and recv in C: what the kernel's TCP costs, and nothing else. The floor of every question. */
public final class CFloor implements Contestant {
    public static final String LINE = "C TCP";

    /** Messages that are sent at once in a batch: as many as we post with one doorbell. */
    static final int BATCH = 64;

    // MPA 2 (RFC 5044 §4), DDP and RDMAP of an untagged segment 18
    // (RFC 5041 §4.2, RFC 5040 §4.1), CRC 4; 84 needs no pad
    private static final int FRAMING_BYTES = 24;

    private final Bench bench;
    private final Path program;

    public CFloor(Bench bench) {
        this.bench = bench;
        program = bench.children().directory().resolve("tcp");
    }

    @Override
    public String name() {
        return LINE;
    }

    @Override
    public Optional<String> missing() {
        try {
            bench.run(List.of("gcc", "--version"));
            return Optional.empty();
        } catch (IOException | Children.FailedException e) {
            return Optional.of("no gcc: apt-get install gcc libc6-dev");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }

    /** Compiles the program, too. */
    @Override
    public String version() throws IOException, InterruptedException, Children.FailedException {
        Path source = bench.home().resolve("bench/src/main/c/tcp.c");
        if (!Files.isReadable(source)) {
            throw new Children.FailedException(source + " is not there: run bench/compare from its checkout");
        }
        bench.run(Bench.command("gcc", "-O2", "-o", program, source));
        return bench.run(List.of("gcc", "--version")).lines().findFirst().orElse("gcc") + ", -O2";
    }

    @Override
    public List<Job> jobs(Amounts amounts) {
        return List.of(
                new Job(
                        Question.WRITE_64,
                        LINE,
                        () -> pingPong("spin", 64, amounts.c().roundTrips())),
                new Job(
                        Question.WRITE_4K,
                        LINE,
                        () -> pingPong("spin", 4096, amounts.c().roundTrips())),
                new Job(
                        Question.BLOCKING_64,
                        LINE,
                        () -> pingPong("block", 64, amounts.c().roundTrips() / 2)),
                new Job(
                        Question.BATCH_64,
                        LINE,
                        () -> Reading.of(BATCH
                                * stream(
                                        BATCH * (Question.BATCH_64.size() + FRAMING_BYTES),
                                        amounts,
                                        "sends_per_second"))),
                new Job(Question.WRITE_1M, LINE, () -> Reading.of(stream(1 << 20, amounts, "octets_per_second"))));
    }

    private Reading pingPong(String how, int size, int rounds)
            throws IOException, InterruptedException, Children.FailedException {
        return Bench.roundTrips(run("pingpong", how, size, rounds));
    }

    private double stream(int size, Amounts amounts, String name)
            throws IOException, InterruptedException, Children.FailedException {
        return Bench.rate(run("stream", "spin", size, amounts.c().streamSeconds()), name);
    }

    private String run(String test, String how, int size, Object amount)
            throws IOException, InterruptedException, Children.FailedException {
        return bench.children()
                .finish(bench.children()
                        .start(
                                bench.serverCpu() + "," + bench.clientCpu(),
                                Map.of(),
                                Bench.command(program, test, how, size, amount, bench.clientCpu(), bench.serverCpu())));
    }

    @Override
    public List<CurveJob> curves(Amounts amounts) {
        return List.of(new CurveJob(LINE, () -> {
            List<Point> points = new ArrayList<>();
            for (int size : amounts.curve().sizes()) {
                double median = pingPong("spin", size, amounts.curve().count()).value();
                points.add(new Point(Point.Curve.LATENCY_BY_SIZE, LINE, size, median));
                double rate =
                        Bench.rate(run("stream", "spin", size, amounts.c().streamSeconds() / 2), "octets_per_second");
                points.add(new Point(Point.Curve.BANDWIDTH_BY_SIZE, LINE, size, rate));
            }
            return points;
        }));
    }
}

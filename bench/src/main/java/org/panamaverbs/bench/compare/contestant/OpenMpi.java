package org.panamaverbs.bench.compare.contestant;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Open MPI on one host, by a program of our own: messages over its transport vader, which copies large ones once by the
 * kernel; and one-sided operations by two of its components: {@code pt2pt}, which sends messages, and {@code sm}, whose
 * windows are memory that both have mapped, so that a put is a copy by the one who calls.
 */
public final class OpenMpi extends Contestant {
    public static final String SEND = "Open MPI send";
    public static final String PUT = "Open MPI put, osc pt2pt";
    public static final String MAPPED_PUT = "Open MPI put, osc sm";

    private final Path program;

    public OpenMpi(Bench bench) {
        super(bench, "Open MPI");
        program = bench.children().directory().resolve("mpi");
    }

    @Override
    public Optional<String> missing() {
        return Bench.missing("mpirun", "openmpi-bin")
                .or(() -> Bench.missing("mpicc", "libopenmpi-dev"))
                .or(() -> Bench.missing("gcc", "gcc"));
    }

    /** Compiles the program, too. */
    @Override
    public String version() throws IOException, InterruptedException {
        bench.compile("mpicc", "mpi");
        return firstLine(bench.run(List.of("mpirun", "--version"))).replaceFirst("^.*\\) ", "");
    }

    @Override
    public List<Job> jobs(Amounts amounts) {
        int trips = 2 * amounts.c().roundTrips();
        int large = amounts.c().large();
        return List.of(
                Job.roundTrips(Question.HOST_SEND_64, SEND, () -> run("send", 64, trips, "sm")),
                Job.roundTrips(Question.HOST_WRITE_64, PUT, () -> run("put", 64, trips, "pt2pt")),
                Job.roundTrips(Question.HOST_WRITE_64, MAPPED_PUT, () -> run("put", 64, trips, "sm")),
                Job.rate(
                        Question.HOST_BATCH_64,
                        SEND,
                        "messages_per_second",
                        () -> run("batch", 64, amounts.c().small(), "sm")),
                bandwidth(PUT, "pt2pt", large),
                bandwidth(MAPPED_PUT, "sm", large));
    }

    private Job bandwidth(String line, String component, int count) {
        Question question = Question.HOST_WRITE_1M;
        return Job.rate(question, line, "octets_per_second", () -> run("puts", question.size(), count, component));
    }

    private String run(String test, int size, int count, String component) throws IOException, InterruptedException {
        String scratch = bench.scratch().directory().toString();
        return bench.both(
                Map.of("TMPDIR", scratch),
                Bench.command(
                        // Each rank goes to the processor that it is told; no other host is asked for anything.
                        Bench.words("mpirun --allow-run-as-root --bind-to none --oversubscribe -np 2"),
                        List.of("--mca", "plm", "isolated", "--mca", "orte_tmpdir_base", scratch),
                        List.of("--mca", "btl_vader_backing_directory", scratch),
                        // Two ranks on two processors; mpirun itself would have them yield.
                        List.of("--mca", "mpi_yield_when_idle", "0"),
                        List.of("--mca", "pml", "ob1", "--mca", "btl", "vader,self", "--mca", "osc", component),
                        program,
                        test,
                        size,
                        count,
                        bench.clientCpu(),
                        bench.serverCpu()));
    }
}

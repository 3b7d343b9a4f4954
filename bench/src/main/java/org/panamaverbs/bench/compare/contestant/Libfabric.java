package org.panamaverbs.bench.compare.contestant;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** libfabric's provider for TCP, by its own fi_pingpong, which has one message under way and says means only. */
public final class Libfabric implements Contestant {
    public static final String LINE = "libfabric tcp";
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private final Bench bench;

    public Libfabric(Bench bench) {
        this.bench = bench;
    }

    @Override
    public String name() {
        return "libfabric";
    }

    @Override
    public Optional<String> missing() {
        return Programs.missing("fi_pingpong", "libfabric-bin");
    }

    @Override
    public String version() throws IOException, InterruptedException, Children.FailedException {
        return bench.run(List.of("fi_info", "--version"))
                .lines()
                .filter(line -> line.startsWith("libfabric:"))
                .map(line -> line.substring("libfabric:".length()).strip())
                .findFirst()
                .orElse("unknown");
    }

    @Override
    public List<Job> jobs(Amounts amounts) {
        return List.of(
                new Job(
                        Question.SEND_64,
                        LINE + ", mean",
                        () -> Reading.of(roundTrip(64, amounts.c().roundTrips()))),
                new Job(
                        Question.WRITE_4K,
                        LINE + ", mean",
                        () -> Reading.of(roundTrip(4096, amounts.c().roundTrips() / 2))),
                new Job(
                        Question.WRITE_1M,
                        LINE + ", one at a time",
                        () -> Reading.of(2e9
                                * Question.WRITE_1M.size()
                                / roundTrip(
                                        Question.WRITE_1M.size(), amounts.c().large() / 2))));
    }

    /** The mean in nanoseconds. */
    private double roundTrip(int size, int count) throws IOException, InterruptedException, Children.FailedException {
        List<String> common = Bench.command("fi_pingpong", "-p", "tcp", "-e", "msg", "-I", count, "-S", size);
        String text = bench.pairOnFreePort(
                Map.of(), Bench.command(common, "-B", "PORT"), Bench.command(common, "-P", "PORT", "127.0.0.1"));
        return roundTrip(text);
    }

    /** Reads its table; a transfer is one way. */
    static double roundTrip(String text) throws Children.FailedException {
        List<String> lines = text.strip().lines().toList();
        for (int i = 0; i + 1 < lines.size(); i++) {
            int column = List.of(BLANKS.split(lines.get(i).strip(), -1)).indexOf("usec/xfer");
            if (column >= 0) {
                return 2e3 * Double.parseDouble(BLANKS.split(lines.get(i + 1).strip(), -1)[column]);
            }
        }
        throw new Children.FailedException("fi_pingpong says no usec/xfer: " + text.strip());
    }
}

package org.panamaverbs.bench.compare.contestant;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A provider of libfabric, by its own fi_pingpong, which has one message under way and says means only. */
public final class Libfabric extends Contestant {
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private final Provider provider;

    /** What messages go over. */
    public enum Provider {
        TCP("tcp", "msg"),
        SHM("shm", "rdm");

        private final String title;
        private final String endpoint;

        Provider(String title, String endpoint) {
            this.title = title;
            this.endpoint = endpoint;
        }

        public String line() {
            return "libfabric " + title + ", mean";
        }
    }

    public Libfabric(Bench bench, Provider provider) {
        super(bench, "libfabric");
        this.provider = provider;
    }

    @Override
    public Optional<String> missing() {
        return Bench.missing("fi_pingpong", "libfabric-bin");
    }

    @Override
    public String version() throws IOException, InterruptedException {
        return bench.run(List.of("fi_info", "--version"))
                .lines()
                .filter(line -> line.startsWith("libfabric:"))
                .map(line -> line.substring("libfabric:".length()).strip())
                .findFirst()
                .orElse("unknown");
    }

    @Override
    public List<Job> jobs(Amounts amounts) {
        int trips = amounts.c().roundTrips();
        int large = amounts.c().large() / 2;
        boolean tcp = provider == Provider.TCP;
        List<Job> jobs = new ArrayList<>();
        jobs.add(roundTrips(tcp ? Question.SEND_64 : Question.HOST_SEND_64, trips));
        if (tcp) {
            jobs.add(roundTrips(Question.WRITE_4K, trips / 2));
        }
        Question bandwidth = tcp ? Question.WRITE_1M : Question.HOST_WRITE_1M;
        jobs.add(new Job(
                bandwidth,
                "libfabric " + provider.title + ", one at a time",
                () -> Reading.of(2e9 * bandwidth.size() / roundTrip(bandwidth.size(), large))));
        return jobs;
    }

    private Job roundTrips(Question question, int count) {
        return new Job(question, provider.line(), () -> Reading.of(roundTrip(question.size(), count)));
    }

    /** The mean in nanoseconds. */
    private double roundTrip(int size, int count) throws IOException, InterruptedException {
        List<String> common =
                Bench.command("fi_pingpong", "-p", provider.title, "-e", provider.endpoint, "-I", count, "-S", size);
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

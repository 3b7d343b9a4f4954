package org.panamaverbs.bench.compare.contestant;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Panama Verbs with its provider iwarp, by {@code verbs perf}. */
public final class Ours extends Contestant {
    public static final String CRC_ON = "Panama Verbs, CRC on";
    public static final String CRC_OFF = "Panama Verbs, CRC off";
    public static final String SHARED_MEMORY = "Panama Verbs, shared memory";
    public static final String DIRECT = "Panama Verbs, direct access";
    private static final String POLLS_FIRST = "Panama Verbs, shared memory, polls 50 µs first";

    // perftest's convention: these print half of a round trip.
    private static final Set<String> ONE_WAY = Set.of("write_lat", "send_lat");
    private static final Pattern PERCENTILE = Pattern.compile("\\s*([0-9.]+)%\\s+([0-9.]+) usec\\s*");
    private static final double NANOS = 1e3; // of a microsecond
    private static final int SWEEP_WARM_UP = 60_000;
    private static final double MIB = 1 << 20;

    private final Path json;

    /** How the streams go. */
    private enum Way {
        TCP_CRC(CRC_ON, "-Dverbs.iwarp.shm=off -Dverbs.iwarp.crc=on"),
        TCP_NO_CRC(CRC_OFF, "-Dverbs.iwarp.shm=off -Dverbs.iwarp.crc=off"),
        MEMORY(SHARED_MEMORY, "-Dverbs.iwarp.shm=require -Dverbs.iwarp.shm.direct=off"),
        MEMORY_DIRECT(DIRECT, "-Dverbs.iwarp.shm=require -Dverbs.iwarp.shm.direct=on");

        private final String line;
        private final String options;

        Way(String line, String options) {
            this.line = line;
            this.options = options;
        }
    }

    public Ours(Bench bench) {
        super(bench, "Panama Verbs");
        json = bench.children().directory().resolve("perf.json");
    }

    @Override
    public Optional<String> missing() {
        return missing(verbs(), "run bench/compare from its checkout");
    }

    private Path verbs() {
        return bench.home().resolve("verbs");
    }

    @Override
    public String version() throws IOException, InterruptedException {
        return bench.run(Bench.command(verbs(), "--version")).strip().lines().reduce("", (a, b) -> b);
    }

    @Override
    public List<Job> jobs(Amounts amounts) {
        List<Job> jobs = new ArrayList<>(List.of(
                latency(Question.WRITE_64, Way.TCP_CRC, amounts, "write_lat", "-s", 64),
                latency(Question.WRITE_64, Way.TCP_NO_CRC, amounts, "write_lat", "-s", 64),
                latency(Question.SEND_64, Way.TCP_CRC, amounts, "send_lat", "-s", 64),
                latency(Question.FETCH_ADD, Way.TCP_CRC, amounts, "atomic_lat", "-A", "FETCH_AND_ADD"),
                latency(Question.CMP_SWAP, Way.TCP_CRC, amounts, "atomic_lat", "-A", "CMP_AND_SWAP"),
                latency(Question.READ_64, Way.TCP_CRC, amounts, "read_lat", "-s", 64),
                latency(Question.WRITE_4K, Way.TCP_CRC, amounts, "write_lat", "-s", 4096),
                latency(Question.WRITE_4K, Way.TCP_NO_CRC, amounts, "write_lat", "-s", 4096),
                latency(Question.BLOCKING_64, Way.TCP_CRC, amounts, "send_lat", "-s", 64, "-e")));
        jobs.add(batches(Question.BATCH_64, CFloor.BATCH, Way.TCP_CRC, amounts));
        jobs.add(batches(Question.BATCH_16, CFloor.SMALL_BATCH, Way.TCP_CRC, amounts));
        for (Way way : new Way[] {Way.TCP_CRC, Way.TCP_NO_CRC}) {
            jobs.add(bandwidth(Question.WRITE_1M, way, amounts, "write_bw", "-t 16 -Q 4"));
            jobs.add(bandwidth(Question.READ_1M, way, amounts, "read_bw", "-t 16 -o 16 -Q 1"));
        }
        jobs.addAll(List.of(
                latency(Question.HOST_WRITE_64, Way.MEMORY, amounts, "write_lat", "-s", 64),
                latency(Question.HOST_SEND_64, Way.MEMORY, amounts, "send_lat", "-s", 64),
                latency(Question.HOST_BLOCKING_64, Way.MEMORY, amounts, "send_lat", "-s", 64, "-e"),
                pollingFirst(amounts),
                batches(Question.HOST_BATCH_64, CFloor.BATCH, Way.MEMORY, amounts),
                bandwidth(Question.HOST_WRITE_1M, Way.MEMORY, amounts, "write_bw", "-t 16 -Q 4"),
                latency(Question.HOST_WRITE_64, Way.MEMORY_DIRECT, amounts, "write_lat", "-s", 64),
                oneByOne(Question.HOST_POST_WRITE, Way.MEMORY_DIRECT, amounts, "write_bw", "-t 1"),
                oneByOne(Question.HOST_POST_READ, Way.MEMORY_DIRECT, amounts, "read_bw", "-t 1 -o 1"),
                oneByOne(Question.HOST_FETCH_ADD, Way.MEMORY_DIRECT, amounts, "atomic_bw", "-t 1 -o 1"),
                oneByOne(Question.HOST_CMP_SWAP, Way.MEMORY_DIRECT, amounts, "atomic_bw", "-t 1 -o 1 -A CMP_AND_SWAP"),
                bandwidth(Question.HOST_WRITE_1M, Way.MEMORY_DIRECT, amounts, "write_bw", "-t 16 -Q 4"),
                bandwidth(Question.HOST_READ_1M, Way.MEMORY_DIRECT, amounts, "read_bw", "-t 16 -o 16 -Q 1"),
                bandwidth(Question.HOST_READ_1M, Way.MEMORY, amounts, "read_bw", "-t 16 -o 16 -Q 1")));
        return jobs;
    }

    private Job batches(Question question, int messages, Way way, Amounts amounts) {
        return new Job(question, way.line, () -> {
            String server = "-l " + messages + " -t 512 -r 4096 -Q 256";
            return Reading.of(
                    1e6 * rate("MsgRate", timed("spin", way, amounts, "send_bw", Bench.words(server), "-s", 64)));
        });
    }

    /** From post to completion: the mean of many, each posted when the one before it was polled. */
    private Job oneByOne(Question question, Way way, Amounts amounts, String test, String both) {
        return new Job(question, way.line, () -> {
            String text = timed("spin", way, amounts, test, Bench.words(both + " -Q 1"), "-s", question.size());
            return Reading.of(1e9 / (1e6 * rate("MsgRate", text)));
        });
    }

    private Job latency(Question question, Way way, Amounts amounts, String test, Object... options) {
        return new Job(question, way.line, () -> {
            List<String> words = Bench.command(options);
            // -e is for both sides; the rest is the client's to say.
            // Who waits for events with progress=spin polls for them.
            boolean sleeps = words.contains("-e");
            List<String> both = sleeps ? List.of("-e") : List.of();
            String progress = sleeps ? "background" : "spin";
            List<String> client =
                    words.stream().filter(word -> !word.equals("-e")).toList();
            return roundTrips(test, timed(progress, way, amounts, test, both, client.toArray()));
        });
    }

    /** The wait of decision 41, on both sides: it sleeps if nothing has come for so long. */
    private Job pollingFirst(Amounts amounts) {
        List<String> both = List.of("-e", "--spin", "50");
        return new Job(
                Question.HOST_BLOCKING_64,
                POLLS_FIRST,
                () -> roundTrips("send_lat", timed("background", Way.MEMORY, amounts, "send_lat", both, "-s", 64)));
    }

    private Job bandwidth(Question question, Way way, Amounts amounts, String test, String both) {
        return new Job(question, way.line, () -> {
            String text = timed("spin", way, amounts, test, Bench.words(both), "-s", question.size());
            return Reading.of(MIB * rate("BW_average", text));
        });
    }

    /** Runs both sides for the seconds of {@code amounts}, and returns what the client prints. */
    private String timed(String progress, Way way, Amounts amounts, String test, List<String> both, Object... client)
            throws IOException, InterruptedException {
        Amounts.Java java = amounts.java();
        List<String> words = Bench.command("-D", java.seconds(), "--warm-up", java.warmUp(), List.of(client));
        return perf(progress, way, test, both, words);
    }

    private String perf(String progress, Way way, String test, List<String> both, List<String> client)
            throws IOException, InterruptedException {
        Files.deleteIfExists(json);
        Map<String, String> environment = Map.of(
                "VERBS_JAVA_OPTS",
                "-Dverbs.provider=iwarp -Dverbs.iwarp.progress=" + progress + " " + way.options,
                // What is measured stays the same if somebody edits meanwhile.
                "VERBS_REBUILD",
                "0");
        List<String> common = Bench.command(verbs(), "perf", test);
        return bench.pair(
                environment,
                Bench.command(common, "-p", 0, "--bind", "127.0.0.1", both),
                Bench.command(
                        common,
                        Bench.words("127.0.0.1 -p PORT"),
                        both,
                        test.endsWith("_lat") ? List.of("-H") : List.of(),
                        client,
                        Bench.words("--out_json --out_json_file"),
                        json));
    }

    private Reading roundTrips(String test, String text) throws IOException {
        double factor = (ONE_WAY.contains(test) ? 2 : 1) * NANOS;
        Map<Double, Double> percentiles = new TreeMap<>();
        text.lines()
                .map(PERCENTILE::matcher)
                .filter(Matcher::matches)
                .forEach(line ->
                        percentiles.put(Double.parseDouble(line.group(1)), factor * Double.parseDouble(line.group(2))));
        // The table of percentiles is finer than what JSON says of the median.
        JsonObject result = results().get(0).getAsJsonObject();
        @Nullable Double median = percentiles.get(50.0);
        return new Reading(
                median != null ? median : factor * result.get("t_typical").getAsDouble(), percentiles);
    }

    private double rate(String field, String text) throws IOException {
        double rate = results().get(0).getAsJsonObject().get(field).getAsDouble();
        if (!(rate > 0)) {
            throw new Children.FailedException("verbs perf measured no message: " + text);
        }
        return rate;
    }

    private JsonArray results() throws IOException {
        return JsonParser.parseString(Files.readString(json)).getAsJsonObject().getAsJsonArray("all_results");
    }

    @Override
    public List<CurveJob> curves(Amounts amounts) {
        List<CurveJob> jobs = new ArrayList<>();
        for (Way way : new Way[] {Way.TCP_CRC, Way.TCP_NO_CRC}) {
            jobs.add(new CurveJob(way.line, () -> bySize(way, amounts, "write_lat", "", "t_typical")));
            jobs.add(new CurveJob(way.line, () -> bySize(way, amounts, "write_bw", "-t 64 -Q 16", "BW_average")));
        }
        return jobs;
    }

    private List<Point> bySize(Way way, Amounts amounts, String test, String both, String field)
            throws IOException, InterruptedException {
        boolean latency = test.endsWith("_lat");
        List<String> client =
                Bench.command("-a", "-s", Amounts.LARGEST, "-n", amounts.curve().count(), "--warm-up", SWEEP_WARM_UP);
        perf("spin", way, test, both.isEmpty() ? List.of() : Bench.words(both), client);
        List<Point> points = new ArrayList<>();
        for (JsonElement element : results()) {
            JsonObject result = element.getAsJsonObject();
            int size = result.get("MsgSize").getAsInt();
            double value = result.get(field).getAsDouble();
            if (amounts.curve().sizes().contains(size)) {
                points.add(new Point(
                        latency ? Point.Curve.LATENCY_BY_SIZE : Point.Curve.BANDWIDTH_BY_SIZE,
                        way.line,
                        size,
                        latency ? 2 * NANOS * value : MIB * value));
            }
        }
        return points;
    }
}

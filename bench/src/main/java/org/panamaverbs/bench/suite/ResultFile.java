package org.panamaverbs.bench.suite;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.StringJoiner;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;

/**
 * JMH's own JSON, which its viewers take: the rounds as forks, without paths of this machine, and of what the profiler
 * says only the allocation.
 */
final class ResultFile {
    private ResultFile() {}

    /** Writes the rounds of each benchmark, one benchmark a line. */
    static void write(Path file, Collection<List<RunResult>> benchmarks) throws IOException {
        List<RunResult> merged = new ArrayList<>();
        for (List<RunResult> rounds : benchmarks) {
            List<BenchmarkResult> forks = new ArrayList<>();
            rounds.forEach(round -> forks.addAll(round.getBenchmarkResults()));
            merged.add(new RunResult(rounds.getFirst().getParams(), forks));
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
            ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(merged);
        }
        Gson gson = new GsonBuilder().disableHtmlEscaping().create();
        StringJoiner lines = new StringJoiner(",\n", "[\n", "\n]\n");
        for (JsonElement benchmark :
                JsonParser.parseString(bytes.toString(StandardCharsets.UTF_8)).getAsJsonArray()) {
            lines.add(gson.toJson(cleaned(benchmark.getAsJsonObject())));
        }
        Files.writeString(file, lines.toString());
    }

    private static JsonObject cleaned(JsonObject benchmark) {
        JsonObject secondary = benchmark.getAsJsonObject("secondaryMetrics");
        secondary.keySet().removeIf(name -> !name.startsWith(Line.ALLOCATION));
        JsonArray arguments = new JsonArray();
        for (JsonElement argument : benchmark.getAsJsonArray("jvmArgs")) {
            String text = argument.getAsString();
            arguments.add(text.contains("=/") ? text.substring(0, text.indexOf("=/") + 1) + "..." : text);
        }
        benchmark.addProperty("jvm", "java");
        benchmark.add("jvmArgs", arguments);
        benchmark.addProperty(
                "forks",
                benchmark
                        .getAsJsonObject("primaryMetric")
                        .getAsJsonArray("rawData")
                        .size());
        return benchmark;
    }

    /** Reads what was written, or what JMH has. */
    static List<Line> read(Path file) throws IOException {
        List<Line> lines = new ArrayList<>();
        for (JsonElement benchmark :
                JsonParser.parseString(Files.readString(file)).getAsJsonArray()) {
            lines.add(Line.of(benchmark.getAsJsonObject()));
        }
        return lines;
    }
}

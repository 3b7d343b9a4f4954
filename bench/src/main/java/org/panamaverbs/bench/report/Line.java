package org.panamaverbs.bench.report;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bench.Median;

/**
 * One benchmark of a run, with its parameters.
 *
 * @param type its class
 * @param method its method
 * @param parameters by name
 * @param unit of the times: {@code ns} or {@code us}
 * @param times of an operation, one for each round: the median of its iterations
 * @param bytes octets allocated for each operation, by all threads; the most of all rounds, NaN if it is not known
 * @param iterationBytes octets allocated in an iteration, by all threads; the most of all rounds
 */
record Line(
        String type,
        String method,
        Map<String, String> parameters,
        String unit,
        List<Double> times,
        double bytes,
        double iterationBytes) {
    /** What the profiler calls the allocation; the metrics' names begin with it. */
    static final String ALLOCATION = "gc.alloc.rate";

    private static final double MEBI = 1 << 20;

    /** Reads one from JMH's JSON. */
    static Line of(JsonObject benchmark) {
        String name = benchmark.get("benchmark").getAsString();
        int dot = name.lastIndexOf('.');
        Map<String, String> parameters = new TreeMap<>();
        if (benchmark.get("params") instanceof JsonObject given) {
            given.entrySet()
                    .forEach(entry ->
                            parameters.put(entry.getKey(), entry.getValue().getAsString()));
        }
        JsonObject primary = benchmark.getAsJsonObject("primaryMetric");
        JsonObject secondary = benchmark.getAsJsonObject("secondaryMetrics");
        String seconds = benchmark.get("measurementTime").getAsString();
        return new Line(
                name.substring(0, dot),
                name.substring(dot + 1),
                parameters,
                primary.get("scoreUnit").getAsString().replace("/op", ""),
                rounds(primary),
                most(secondary.getAsJsonObject(ALLOCATION + ".norm")),
                most(secondary.getAsJsonObject(ALLOCATION)) * MEBI * seconds(seconds));
    }

    /** Returns the seconds of a time as JMH writes it, such as {@code 200 ms}. */
    private static double seconds(String time) {
        String[] parts = time.split(" ", -1);
        double amount = Double.parseDouble(parts[0]);
        return parts[1].equals("ms") ? amount / 1e3 : amount;
    }

    private static double most(@Nullable JsonObject metric) {
        return metric == null
                ? Double.NaN
                : rounds(metric).stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
    }

    private static List<Double> rounds(JsonObject metric) {
        List<Double> medians = new ArrayList<>();
        for (JsonElement round : metric.getAsJsonArray("rawData")) {
            JsonArray iterations = round.getAsJsonArray();
            medians.add(Median.of(iterations.asList().stream().mapToDouble(JsonElement::getAsDouble)));
        }
        return medians;
    }

    double median() {
        return Median.of(times.stream().mapToDouble(Double::doubleValue));
    }

    double least() {
        return times.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
    }

    double most() {
        return times.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
    }

    /** Returns the median of the rounds' ratios to {@code floor}: each round is compared with itself. */
    double over(Line floor) {
        if (times.size() != floor.times.size()) {
            return median() / floor.median();
        }
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < times.size(); round++) {
            ratios.add(times.get(round) / floor.times.get(round));
        }
        return Median.of(ratios.stream().mapToDouble(Double::doubleValue));
    }

    /** Returns the parameters for people, those that have one value in all of a run included. */
    String parameterText() {
        List<String> texts = new ArrayList<>();
        new TreeMap<>(parameters).forEach((name, value) -> texts.add(name + " " + value));
        return String.join(", ", texts);
    }
}

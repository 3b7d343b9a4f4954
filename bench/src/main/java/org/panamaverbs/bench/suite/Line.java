package org.panamaverbs.bench.suite;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Median;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bench.result.Unit;

/**
 * One benchmark of a run, with its parameters.
 *
 * @param type its class
 * @param method its method
 * @param parameters by name
 * @param unit that people read the times in
 * @param times of an operation in nanoseconds, one for each round: the median of its iterations
 * @param bytes bytes allocated for each operation, by all threads; the most of all rounds, NaN if it is not known
 * @param iterationBytes bytes allocated in an iteration, by all threads; the most of all rounds
 */
record Line(
        String type,
        String method,
        Map<String, String> parameters,
        Unit unit,
        List<Double> times,
        double bytes,
        double iterationBytes) {
    /** What the profiler calls the allocation; the metrics' names begin with it. */
    static final String ALLOCATION = "gc.alloc.rate";

    private static final double MEBI = 1 << 20;
    private static final double NANOS_A_MICRO = 1e3;
    /** Below this, JMH's figure is its own doing: an iteration's few objects over its millions of operations. */
    private static final double NOTHING_BYTES = 0.05;
    /** The same for operations that are few in an iteration. */
    private static final double NOTHING_ITERATION_BYTES = 16 * 1024;

    /** Reads a line from JMH's JSON. */
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
        boolean micros = primary.get("scoreUnit").getAsString().equals("us/op");
        String seconds = benchmark.get("measurementTime").getAsString();
        return new Line(
                name.substring(0, dot),
                name.substring(dot + 1),
                parameters,
                micros ? Unit.MICROSECONDS : Unit.NANOSECONDS,
                rounds(primary).stream()
                        .map(time -> micros ? time * NANOS_A_MICRO : time)
                        .toList(),
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
        return Median.of(times);
    }

    /**
     * Returns the ratios to {@code floor}: each round is compared with itself, or the medians if one has more rounds.
     */
    List<Double> over(Line floor) {
        if (times.size() != floor.times.size()) {
            return List.of(median() / floor.median());
        }
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < times.size(); round++) {
            ratios.add(times.get(round) / floor.times.get(round));
        }
        return ratios;
    }

    /** Returns the bytes that an operation allocates: 0 if they are so few that they are the harness's own. */
    double allocated() {
        return bytes < NOTHING_BYTES || iterationBytes < NOTHING_ITERATION_BYTES ? 0 : bytes;
    }

    /** Returns the class without its package and suffix, and the method. */
    String title() {
        return type.substring(type.lastIndexOf('.') + 1).replace("Benchmark", "") + "." + method;
    }

    /** Returns the parameters for people, those that have one value in all of a run included. */
    String parameterText() {
        List<String> texts = new ArrayList<>();
        new TreeMap<>(parameters).forEach((name, value) -> texts.add(name + " " + value));
        return String.join(", ", texts);
    }

    private Optional<Class<?>> subject() {
        try {
            return Optional.of(Class.forName(type, false, Line.class.getClassLoader()));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    /** Returns what its class says about itself; nothing, if it is of a class that is not there any more. */
    Optional<Question> question() {
        return subject().map(its -> its.getAnnotation(Question.class));
    }

    /** Returns the floors that it is measured against; a floor has none. */
    List<Against> against() {
        return subject().stream()
                .flatMap(its -> Stream.of(its.getMethods()))
                .filter(candidate -> candidate.getName().equals(method))
                .flatMap(candidate -> Stream.of(candidate.getAnnotationsByType(Against.class)))
                .toList();
    }

    /** Returns the line of the method {@code floor} with the same parameters, if it has run. */
    Optional<Line> floor(String floor, List<Line> lines) {
        return lines.stream()
                .filter(other ->
                        other.type.equals(type) && other.method.equals(floor) && other.parameters.equals(parameters))
                .findFirst();
    }
}

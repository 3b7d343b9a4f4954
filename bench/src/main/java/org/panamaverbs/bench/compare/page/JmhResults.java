package org.panamaverbs.bench.compare.page;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What JMH wrote, in its own JSON. */
public final class JmhResults {
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    private JmhResults() {}

    /**
     * One benchmark with its parameters.
     *
     * @param subject the class without its package
     * @param method the method
     * @param parameters of the benchmark, as they are shown
     * @param mode of JMH, such as avgt
     * @param score the figure
     * @param error half of its confidence interval, or NaN
     * @param unit of both
     * @param bytes octets allocated for each operation, or NaN
     */
    record Row(
            String subject,
            String method,
            String parameters,
            String mode,
            double score,
            double error,
            String unit,
            double bytes) {}

    /** Returns the rows of {@code file}, by subject; none if there is no such file. */
    public static Map<String, List<Row>> load(Path file) throws IOException {
        Map<String, List<Row>> bySubject = new LinkedHashMap<>();
        if (Files.exists(file)) {
            for (JsonElement element :
                    JsonParser.parseString(Files.readString(file)).getAsJsonArray()) {
                Row row = row(element.getAsJsonObject());
                bySubject.computeIfAbsent(row.subject, key -> new ArrayList<>()).add(row);
            }
        }
        return bySubject;
    }

    private static Row row(JsonObject json) {
        String benchmark = json.get("benchmark").getAsString();
        int method = benchmark.lastIndexOf('.');
        int type = benchmark.lastIndexOf('.', method - 1);
        JsonObject metric = json.getAsJsonObject("primaryMetric");
        JsonObject parameters = json.has("params") ? json.getAsJsonObject("params") : new JsonObject();
        JsonObject secondary =
                json.has("secondaryMetrics") ? json.getAsJsonObject("secondaryMetrics") : new JsonObject();
        return new Row(
                benchmark.substring(type + 1, method).replace("Benchmark", ""),
                benchmark.substring(method + 1),
                parameters.asMap().entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue().getAsString())
                        .collect(Collectors.joining(", ")),
                json.get("mode").getAsString(),
                number(metric.get("score")),
                number(metric.get("scoreError")),
                metric.get("scoreUnit").getAsString(),
                secondary.has(ALLOCATED)
                        ? number(secondary.getAsJsonObject(ALLOCATED).get("score"))
                        : Double.NaN);
    }

    /** JMH writes the string NaN where it has no number. */
    private static double number(JsonElement element) {
        return Double.parseDouble(element.getAsString());
    }
}

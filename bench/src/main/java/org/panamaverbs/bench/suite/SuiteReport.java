package org.panamaverbs.bench.suite;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bench.result.Beside;
import org.panamaverbs.bench.result.Report;
import org.panamaverbs.bench.result.Result;
import org.panamaverbs.bench.result.Setting;
import org.panamaverbs.bench.result.Table;

/** The report of the benchmarks: for each class its question, and each of ours beside its floors. */
final class SuiteReport {
    private static final List<String> NOTES = List.of(
            "Times are medians, first of the iterations of a round and then of the rounds. Less is better.",
            "A ratio, such as `x c`, is the median of the rounds' ratios to that floor, and their range where there are"
                    + " several rounds: each round is compared with itself. Below 1 is faster than the floor.",
            "B/op is what all threads of the process allocate for an operation, by JMH's `gc` profiler; 0 is said if it is"
                    + " less than 0.05, or less than 16 KiB in a whole iteration, of which JMH itself takes about 7. Tests"
                    + " hold the data path to less: exactly 0 (`OpsOverStubTest`, `ObjectsOverStubTest`, `SteadyStateTest`),"
                    + " and every operation to less than one byte (`AllocationConformance`).");

    private SuiteReport() {}

    /** Returns the report of what ran where {@code setting} says. */
    static Report of(Setting setting, List<Line> lines) {
        Map<String, List<Line>> byType = new LinkedHashMap<>();
        lines.forEach(line ->
                byType.computeIfAbsent(line.type(), type -> new ArrayList<>()).add(line));
        List<Table> tables = new ArrayList<>();
        byType.forEach((type, those) -> tables.add(table(type, those)));
        return new Report(
                "Benchmarks: each beside its floor",
                "Written by `bench/run`: some minutes with `--quick`, an hour or more with `--full`; nothing else may run"
                        + " meanwhile.",
                setting,
                NOTES,
                Targets.judge(lines),
                tables,
                List.of());
    }

    private static Table table(String type, List<Line> lines) {
        return new Table(
                lines.getFirst().question().map(Question::value).orElse(type),
                "`" + type.substring(type.lastIndexOf('.') + 1) + "`",
                lines.stream().map(line -> result(line, lines)).toList());
    }

    private static Result result(Line line, List<Line> lines) {
        List<Beside> floors = new ArrayList<>();
        for (Against against : line.against()) {
            line.floor(against.value(), lines)
                    .ifPresent(floor -> floors.add(new Beside(floor.method(), line.over(floor), null)));
        }
        return new Result(
                line.method(),
                line.parameterText(),
                line.unit(),
                line.times(),
                floors,
                Map.of(),
                new Result.Octets(Double.isNaN(line.allocated()) ? null : line.allocated(), moved(line)));
    }

    private static @Nullable Double moved(Line line) {
        String size = line.parameters().get("size");
        boolean bandwidth = line.question().map(Question::bandwidth).orElse(false);
        return bandwidth && size != null ? Double.valueOf(size) : null;
    }
}

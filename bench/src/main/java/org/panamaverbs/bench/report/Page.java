package org.panamaverbs.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The page of results, in Markdown: for each class its question, and each of ours beside its floors. */
final class Page {
    private static final String TOP = """
            # Benchmarks: each beside its floor

                bench/run --quick    # some minutes; bench/run --full: an hour or more; nothing else may run meanwhile

            This page is made by that command. Times are medians, first of the iterations of a round and then of the rounds; a
            ratio is the median of the rounds' ratios, each round compared with itself: below 1 is faster than the floor. B/op is
            what all threads of the process allocate for an operation, by JMH's `gc` profiler; 0 is said if it is less than
            0.05, or less than 16 KiB in a whole iteration, of which JMH itself takes about 7. Tests hold the data path to
            less: exactly 0 (`OpsOverStubTest`, `ObjectsOverStubTest`, `SteadyStateTest`), and every operation to less than one
            octet (`AllocationConformance`).

            """;
    private static final double NANOS_A_MICRO = 1e3;

    private final Setting setting;
    private final Map<String, List<Line>> byType = new LinkedHashMap<>();
    private final Targets targets;

    Page(Setting setting, List<Line> lines) {
        this.setting = setting;
        lines.forEach(line ->
                byType.computeIfAbsent(line.type(), type -> new ArrayList<>()).add(line));
        targets = new Targets(lines);
    }

    /** Returns the page. */
    String text() {
        StringBuilder text = new StringBuilder(TOP).append(setting.text()).append('\n');
        text.append("## Targets\n\n");
        targets.verdicts().forEach(verdict -> text.append("- ").append(verdict).append('\n'));
        byType.forEach((type, lines) -> text.append('\n').append(section(type, lines)));
        return text.toString();
    }

    private static String section(String type, List<Line> lines) {
        Subject subject = Subject.of(type);
        StringBuilder text = new StringBuilder("## " + subject.question() + "\n\n");
        text.append("`").append(type.substring(type.lastIndexOf('.') + 1)).append("`\n\n");
        text.append("| what | with | ours | least to most |")
                .append(subject.bandwidth() ? " GB/s |" : "")
                .append(" floor | its time | ratio | B/op |\n");
        text.append("|---|---|--:|--:|")
                .append(subject.bandwidth() ? "--:|" : "")
                .append("---|--:|--:|--:|\n");
        for (Line line : lines) {
            for (Line floor : subject.floors(line, lines)) {
                text.append(row(line, floor, subject.bandwidth()));
            }
        }
        return text.toString();
    }

    private static String row(Line line, Line floor, boolean bandwidth) {
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %.2f to %.2f |%s %s | %s | %.2f | %s |\n",
                line.method(),
                line.parameterText(),
                time(line),
                line.least(),
                line.most(),
                bandwidth ? bandwidth(line) : "",
                floor.method(),
                time(floor),
                line.over(floor),
                Targets.bytes(line));
    }

    private static String time(Line line) {
        return String.format(Locale.ROOT, "%.2f %s", line.median(), line.unit());
    }

    private static String bandwidth(Line line) {
        double nanos = line.median() * (line.unit().equals("us") ? NANOS_A_MICRO : 1);
        double octets = Double.parseDouble(line.parameters().getOrDefault("size", "NaN"));
        return String.format(Locale.ROOT, " %.2f |", octets / nanos);
    }

    /** Tells whether all targets are met. */
    boolean meetsTargets() {
        return targets.met();
    }
}

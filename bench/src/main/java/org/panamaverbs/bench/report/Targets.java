package org.panamaverbs.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.binding.CompletionBenchmark;
import org.panamaverbs.bench.binding.WriteBenchmark;

/** Whether what was promised is kept. */
final class Targets {
    /** Posting a Write on ibverbs and polling its completion cost at most so much more than in C. */
    static final double MOST_ADDED_NANOS = 25;

    /** Below this, JMH's figure is its own doing: an iteration's few objects over its millions of operations. */
    private static final double NOTHING_BYTES = 0.05;
    /** The same for operations that are few in an iteration. */
    private static final double NOTHING_ITERATION_BYTES = 16 * 1024;

    private static final String C = "c";

    private final List<Line> lines;
    private final List<String> verdicts = new ArrayList<>();
    private boolean met = true;

    Targets(List<Line> lines) {
        this.lines = List.copyOf(lines);
        for (Line line : lines) {
            for (Against against : Subject.of(line.type()).against(line.method())) {
                Subject.floor(line, against.value(), lines).ifPresent(floor -> judge(line, floor, against.atMost()));
            }
        }
        judgeAddition();
        judgeAllocation();
    }

    /** Returns a line for each target. */
    List<String> verdicts() {
        return List.copyOf(verdicts);
    }

    /** Tells whether all are met. */
    boolean met() {
        return met;
    }

    private void judge(Line line, Line floor, double most) {
        if (most != Double.POSITIVE_INFINITY) {
            double ratio = line.over(floor);
            String what =
                    String.format(Locale.ROOT, "%s: %.2f x %s, at most %.1f", title(line), ratio, floor.method(), most);
            verdict(what, ratio <= most);
        }
    }

    private void judgeAddition() {
        Optional<Double> post = added(WriteBenchmark.class, "postCritical", "");
        Optional<Double> poll = added(CompletionBenchmark.class, "pollCritical", "1");
        if (post.isPresent() && poll.isPresent()) {
            double added = post.get() + poll.get();
            String what = String.format(
                    Locale.ROOT,
                    "a post and a poll of one completion on ibverbs: %.1f ns more than in C, at most %.0f",
                    added,
                    MOST_ADDED_NANOS);
            verdict(what, added <= MOST_ADDED_NANOS);
        }
    }

    private Optional<Double> added(Class<?> type, String method, String completions) {
        return lines.stream()
                .filter(line -> line.type().equals(type.getName())
                        && line.method().equals(method)
                        && line.parameters().getOrDefault("completions", "").equals(completions))
                .findFirst()
                .flatMap(line -> Subject.floor(line, C, lines).map(floor -> line.median() - floor.median()));
    }

    private void judgeAllocation() {
        List<String> allocating = lines.stream()
                .filter(Targets::isOurDataPath)
                .filter(line -> !isNothing(line))
                .map(line -> title(line) + " (" + bytes(line) + ")")
                .toList();
        verdict(
                "0 B/op on the data path" + (allocating.isEmpty() ? "" : ", not: " + String.join("; ", allocating)),
                allocating.isEmpty());
    }

    private static boolean isOurDataPath(Line line) {
        Subject subject = Subject.of(line.type());
        return subject.dataPath() && !subject.against(line.method()).isEmpty();
    }

    private static boolean isNothing(Line line) {
        return line.bytes() < NOTHING_BYTES || line.iterationBytes() < NOTHING_ITERATION_BYTES;
    }

    /** Returns what an operation allocates, for people. */
    static String bytes(Line line) {
        return isNothing(line) ? "0" : String.format(Locale.ROOT, "%.1f", line.bytes());
    }

    private static String title(Line line) {
        String type = line.type().substring(line.type().lastIndexOf('.') + 1).replace("Benchmark", "");
        String parameters = line.parameters().isEmpty() ? "" : " (" + line.parameterText() + ")";
        return type + "." + line.method() + parameters;
    }

    private void verdict(String what, boolean kept) {
        verdicts.add(what + ": " + (kept ? "met" : "**MISSED**"));
        met &= kept;
    }
}

package org.panamaverbs.bench.binding;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The lines of a run beside their floors, and whether what was promised is kept. */
final class Table {
    /** A call of ours costs at most so many times the C call. */
    static final double MOST_OVER_C = 3;
    /** A call of ours costs at most this part of the JNI call. */
    static final double MOST_OVER_JNI = 0.5;

    /** Posting a Write and polling its completion, from arguments to results, cost at most so much more than in C. */
    static final double MOST_ADDED_NANOS = 25;

    private static final String FLOOR = "c";
    private static final String JNI = "jni";
    private static final String OURS = "opsCritical";
    private static final String POST = "postCritical";
    private static final String POLL = "pollCritical";
    /** Below this, JMH's figure is its own doing: an iteration's few objects over its millions of operations. */
    private static final double NOTHING_BYTES = 0.05;

    private final List<Line> lines;

    Table(List<Line> lines) {
        this.lines = List.copyOf(lines);
    }

    /** Returns the table and the verdicts below it, in Markdown. */
    String text() {
        StringBuilder text = new StringBuilder("""
                | what | by | ns/op, median | least to most | x C | x JNI | B/op |
                |---|---|--:|--:|--:|--:|--:|
                """);
        for (Line line : lines) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %.2f | %.2f to %.2f | %s | %s | %s |\n",
                    line.subject(),
                    line.variant(),
                    line.median(),
                    line.least(),
                    line.most(),
                    ratio(line, FLOOR),
                    ratio(line, JNI),
                    line.bytes() < NOTHING_BYTES ? "0" : String.format(Locale.ROOT, "%.2f", line.bytes())));
        }
        text.append('\n');
        for (Line line : promised()) {
            text.append(verdict(line, FLOOR, MOST_OVER_C)).append(verdict(line, JNI, MOST_OVER_JNI));
        }
        text.append(addition()).append(allocations());
        return text.toString();
    }

    /** Tells whether all lines of ours keep to the targets and nothing allocates. */
    boolean meetsTargets() {
        return promised().stream().allMatch(line -> meets(line, FLOOR, MOST_OVER_C) && meets(line, JNI, MOST_OVER_JNI))
                && lines.stream().allMatch(line -> line.bytes() < NOTHING_BYTES)
                && added() <= MOST_ADDED_NANOS;
    }

    private List<Line> promised() {
        return lines.stream().filter(line -> line.variant().equals(OURS)).toList();
    }

    private boolean meets(Line line, String floor, double most) {
        return beside(line, floor).map(line::over).orElse(0.0) <= most;
    }

    private String verdict(Line line, String floor, double most) {
        return beside(line, floor)
                .map(other -> String.format(
                        Locale.ROOT,
                        "- %s, %s: %.2f x %s, at most %.1f: %s\n",
                        line.subject(),
                        line.variant(),
                        line.over(other),
                        floor,
                        most,
                        line.over(other) <= most ? "met" : "MISSED"))
                .orElse("");
    }

    /**
     * Returns the nanoseconds that a post and a poll that brings one completion cost more than in C; 0 if not measured.
     */
    private double added() {
        return lines.stream()
                .filter(line -> line.variant().equals(POST)
                        || (line.variant().equals(POLL) && line.subject().endsWith(" of 1")))
                .mapToDouble(line -> beside(line, FLOOR)
                        .map(floor -> line.median() - floor.median())
                        .orElse(0.0))
                .sum();
    }

    private String addition() {
        double added = added();
        return added == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "- a post and a poll of one completion through the objects: %.1f ns more than in C, at most %.0f: %s\n",
                        added,
                        MOST_ADDED_NANOS,
                        added <= MOST_ADDED_NANOS ? "met" : "MISSED");
    }

    private String allocations() {
        List<String> allocating = lines.stream()
                .filter(line -> !(line.bytes() < NOTHING_BYTES))
                .map(line -> line.subject() + " " + line.variant())
                .toList();
        return "- 0 B/op: " + (allocating.isEmpty() ? "met" : "MISSED by " + allocating) + "\n";
    }

    private String ratio(Line line, String floor) {
        return beside(line, floor)
                .map(other -> String.format(Locale.ROOT, "%.2f", line.over(other)))
                .orElse("");
    }

    private Optional<Line> beside(Line line, String variant) {
        return lines.stream()
                .filter(other -> other.subject().equals(line.subject())
                        && other.variant().equals(variant))
                .findFirst();
    }
}

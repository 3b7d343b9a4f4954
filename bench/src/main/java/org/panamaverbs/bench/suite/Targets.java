package org.panamaverbs.bench.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bench.binding.CompletionBenchmark;
import org.panamaverbs.bench.binding.WriteBenchmark;
import org.panamaverbs.bench.result.Spread;
import org.panamaverbs.bench.result.Verdict;

/** Whether what was promised is kept. */
final class Targets {
    /** Posting a Write on ibverbs and polling its completion cost at most so much more than in C. */
    static final double MOST_ADDED_NANOS = 25;

    private static final String C = "c";

    private final List<Line> lines;
    private final List<Verdict> verdicts = new ArrayList<>();

    private Targets(List<Line> lines) {
        this.lines = lines;
    }

    static List<Verdict> judge(List<Line> lines) {
        Targets targets = new Targets(lines);
        targets.judgeRatios();
        targets.judgeAddition();
        targets.judgeAllocation();
        return targets.verdicts;
    }

    private void judgeRatios() {
        for (Line line : lines) {
            for (Against against : line.against()) {
                if (against.atMost() != Double.POSITIVE_INFINITY) {
                    line.floor(against.value(), lines).ifPresent(floor -> judge(line, floor, against.atMost()));
                }
            }
        }
    }

    private void judge(Line line, Line floor, double most) {
        Spread ratio = Spread.of(line.over(floor));
        verdicts.add(new Verdict(
                title(line),
                "",
                String.format(Locale.ROOT, "at most %.1f x %s", most, floor.method()),
                ratio.ratioText() + " x " + floor.method(),
                ratio.atMost(most)));
    }

    private void judgeAddition() {
        List<Double> post = added(WriteBenchmark.class, "postCritical", "");
        List<Double> poll = added(CompletionBenchmark.class, "pollCritical", "1");
        if (post.isEmpty() || poll.isEmpty()) {
            return;
        }
        List<Double> sums = new ArrayList<>();
        for (int round = 0; round < Math.min(post.size(), poll.size()); round++) {
            sums.add(post.get(round) + poll.get(round));
        }
        Spread added = Spread.of(sums);
        verdicts.add(new Verdict(
                "a post and a poll of one completion on ibverbs",
                "",
                String.format(Locale.ROOT, "at most %.0f ns more than in C", MOST_ADDED_NANOS),
                String.format(Locale.ROOT, "%.1f ns more", added.median()),
                added.atMost(MOST_ADDED_NANOS)));
    }

    /** Returns what {@code method} takes longer than C, round by round. */
    private List<Double> added(Class<?> type, String method, String completions) {
        Optional<Line> ours = lines.stream()
                .filter(line -> line.type().equals(type.getName())
                        && line.method().equals(method)
                        && line.parameters().getOrDefault("completions", "").equals(completions))
                .findFirst();
        Optional<Line> floor = ours.flatMap(line -> line.floor(C, lines));
        List<Double> added = new ArrayList<>();
        if (ours.isPresent() && floor.isPresent()) {
            List<Double> times = ours.get().times();
            List<Double> least = floor.get().times();
            for (int round = 0; round < Math.min(times.size(), least.size()); round++) {
                added.add(times.get(round) - least.get(round));
            }
        }
        return added;
    }

    private void judgeAllocation() {
        List<String> allocating = lines.stream()
                .filter(Targets::isOurDataPath)
                .filter(line -> !(line.allocated() == 0))
                .map(line -> title(line) + String.format(Locale.ROOT, ": %.1f B/op", line.allocated()))
                .toList();
        verdicts.add(new Verdict(
                "allocation on the data path",
                "",
                "0 B/op",
                allocating.isEmpty() ? "0 B/op" : String.join("; ", allocating),
                allocating.isEmpty() ? Verdict.Outcome.MET : Verdict.Outcome.MISSED));
    }

    private static String title(Line line) {
        return line.title() + (line.parameters().isEmpty() ? "" : " (" + line.parameterText() + ")");
    }

    private static boolean isOurDataPath(Line line) {
        return line.question().map(Question::dataPath).orElse(false)
                && !line.against().isEmpty();
    }
}

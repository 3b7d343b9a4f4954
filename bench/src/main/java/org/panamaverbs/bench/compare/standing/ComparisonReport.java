package org.panamaverbs.bench.compare.standing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.panamaverbs.bench.Median;
import org.panamaverbs.bench.compare.contestant.CFloor;
import org.panamaverbs.bench.compare.contestant.Ours;
import org.panamaverbs.bench.compare.contestant.Place;
import org.panamaverbs.bench.compare.contestant.Point;
import org.panamaverbs.bench.compare.contestant.Question;
import org.panamaverbs.bench.result.Plot;
import org.panamaverbs.bench.result.Report;
import org.panamaverbs.bench.result.Result;
import org.panamaverbs.bench.result.Setting;
import org.panamaverbs.bench.result.Table;
import org.panamaverbs.bench.result.Unit;

/** The report of a comparison: everybody's answers to each question, the targets, and the curves. */
public final class ComparisonReport {
    /** The questions that the page of both places begins with. */
    public static final List<String> CHARTS = Stream.of(
                    Question.HOST_WRITE_64, Question.WRITE_64, Question.BATCH_64, Question.WRITE_1M)
            .map(Question::title)
            .toList();

    // The last percentile that is shown: beyond, a round of this length has a handful of figures.
    private static final double LAST_PERCENTILE = 99.99;

    private final Place place;
    private final Comparison comparison;
    private final Standings standings;

    private ComparisonReport(Place place, Comparison comparison) {
        this.place = place;
        this.comparison = comparison;
        standings = new Standings(comparison.samples());
    }

    /** Returns the report of {@code comparison}, of which {@code place} says where it was made. */
    public static Report of(Place place, Comparison comparison) {
        return new ComparisonReport(place, comparison).report();
    }

    private Report report() {
        boolean network = place == Place.NETWORK;
        return new Report(
                network ? "Network comparison" : "One-host comparison",
                network
                        ? "Over TCP and UDP on the loopback, compared with a floor in C and other libraries; no RDMA adapter."
                                + " Written by `bench/compare`, with charts as `speed.html`."
                        : "Over shared memory, compared with floors in C and other libraries; no RDMA adapter. Written by"
                                + " `bench/compare --one-host`.",
                setting(),
                network ? Notes.NETWORK : Notes.ONE_HOST,
                Target.of(place).stream().map(target -> target.judge(standings)).toList(),
                tables(),
                plots());
    }

    private Setting setting() {
        Map<String, String> facts = new LinkedHashMap<>(comparison.setting());
        facts.computeIfPresent("command", (name, command) -> "`" + command + "`");
        facts.put("load", Loads.summary(comparison.samples()));
        facts.putAll(comparison.versions());
        List<String> notRun = new ArrayList<>();
        comparison.absent().forEach((name, reason) -> notRun.add(name + ": " + reason));
        comparison.failures().forEach(failure -> notRun.add("FAILED: " + failure));
        return new Setting(facts, notRun, Loads.others(comparison.samples()) > Setting.QUIET_PERCENT);
    }

    private List<Table> tables() {
        List<Table> tables = new ArrayList<>();
        for (Question question : Question.values()) {
            List<Result> all = standings.of(question);
            if (question.place() == place && !all.isEmpty()) {
                tables.add(new Table(
                        question.title(), question.unit().lessIsBetter() ? "Less is better." : "More is better.", all));
            }
        }
        return tables;
    }

    private List<Plot> plots() {
        List<Plot> plots = place == Place.ONE_HOST
                ? List.of(byPercentile("On one host: round trips of 64 B by percentile", oneHost()))
                : List.of(
                        byPercentile("Round trips of 64 B by percentile", percentiles()),
                        new Plot(
                                "Bandwidth by size",
                                "Ours are Writes, one posted at a time; C is a stream of sends.",
                                Plot.Axis.SIZE,
                                Unit.OCTETS,
                                lines(Point.Curve.BANDWIDTH_BY_SIZE)),
                        new Plot(
                                "Round trips by size",
                                "Ours are Writes.",
                                Plot.Axis.SIZE,
                                Unit.MICROSECONDS,
                                lines(Point.Curve.LATENCY_BY_SIZE)));
        return plots.stream().filter(plot -> !plot.lines().isEmpty()).toList();
    }

    private static Plot byPercentile(String title, List<Plot.Line> lines) {
        return new Plot(title, "", Plot.Axis.PERCENTILE, Unit.MICROSECONDS, lines);
    }

    private List<Plot.Line> oneHost() {
        List<Plot.Line> lines = new ArrayList<>();
        add(lines, Question.HOST_WRITE_64, Question.HOST_WRITE_64.floorLine(), Question.HOST_WRITE_64.floorLine());
        for (Question question : List.of(Question.HOST_WRITE_64, Question.HOST_SEND_64)) {
            String what = question == Question.HOST_WRITE_64 ? ": Write" : ": Send/Recv";
            for (Result result : standings.of(question)) {
                boolean ours = result.title().equals(Ours.SHARED_MEMORY);
                if (!result.title().equals(question.floorLine())) {
                    add(lines, question, result.title(), ours ? result.title() + what : result.title());
                }
            }
        }
        return lines;
    }

    private List<Plot.Line> percentiles() {
        List<Plot.Line> lines = new ArrayList<>();
        add(lines, Question.WRITE_64, CFloor.LINE, CFloor.LINE);
        add(lines, Question.WRITE_64, Ours.CRC_ON, Ours.CRC_ON);
        add(lines, Question.SEND_64, Ours.CRC_ON, Ours.CRC_ON + ": Send/Recv");
        for (Result result : standings.of(Question.SEND_64)) {
            if (!result.title().equals(CFloor.LINE) && !result.title().equals(Ours.CRC_ON)) {
                add(lines, Question.SEND_64, result.title(), result.title());
            }
        }
        lines.addAll(lines(Point.Curve.LATENCY_BY_PERCENTILE));
        return lines;
    }

    private void add(List<Plot.Line> lines, Question question, String line, String title) {
        standings.find(question, line).ifPresent(result -> {
            List<Plot.Point> points = new ArrayList<>();
            result.percentiles().forEach((at, value) -> {
                if (at <= LAST_PERCENTILE) {
                    points.add(new Plot.Point(at, value));
                }
            });
            if (!points.isEmpty()) {
                lines.add(new Plot.Line(title, points));
            }
        });
    }

    /** Where a point was measured more than once, it is the median. */
    private List<Plot.Line> lines(Point.Curve curve) {
        Map<String, Map<Double, List<Double>>> byLine = new LinkedHashMap<>();
        for (Point point : comparison.points()) {
            if (point.curve() == curve) {
                byLine.computeIfAbsent(point.line(), key -> new TreeMap<>())
                        .computeIfAbsent(point.x(), key -> new ArrayList<>())
                        .add(point.value());
            }
        }
        List<Plot.Line> lines = new ArrayList<>();
        byLine.forEach((line, values) -> {
            List<Plot.Point> points = new ArrayList<>();
            values.forEach((x, all) -> points.add(new Plot.Point(x, Median.of(all))));
            lines.add(new Plot.Line(line, points));
        });
        return lines;
    }
}

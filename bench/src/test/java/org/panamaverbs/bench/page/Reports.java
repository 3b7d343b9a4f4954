package org.panamaverbs.bench.page;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.panamaverbs.bench.result.Beside;
import org.panamaverbs.bench.result.Plot;
import org.panamaverbs.bench.result.Report;
import org.panamaverbs.bench.result.Result;
import org.panamaverbs.bench.result.Setting;
import org.panamaverbs.bench.result.Table;
import org.panamaverbs.bench.result.Unit;
import org.panamaverbs.bench.result.Verdict;

/** Reports of runs that nobody made. */
final class Reports {
    static final Report NOTHING = new Report(
            "Nothing",
            "Of nobody.",
            new Setting(Map.of(), List.of(), false),
            List.of(),
            List.of(),
            List.of(),
            List.of());

    private Reports() {}

    /** Two tables, one by ratios to two floors, one without floors; three kinds of verdicts; two plots. */
    static Report everything() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("command", "`bench/run --quick`");
        facts.put("machine", "a <test> & more");
        Setting setting = new Setting(facts, List.of("libfabric: no fi_pingpong", "FAILED: this one"), true);
        return new Report(
                "A run & its figures",
                "Written by `bench/run`.",
                setting,
                List.of("Less is better.", "**Bold** and `code` are shown as such."),
                List.of(
                        new Verdict("a write", "ours", "at most 1.25 x c", "1.10 x c", Verdict.Outcome.MET),
                        new Verdict("a read", "ours", "at most 1.25 x c", "1.30 x c", Verdict.Outcome.MISSED),
                        new Verdict(
                                "a send", "", "at most 1.25 x c", "1.20 (1.10 to 1.30) x c", Verdict.Outcome.UNDECIDED),
                        new Verdict("an atomic", "", "at most 1.25 x c", "", Verdict.Outcome.UNKNOWN)),
                List.of(byRatio(), byMedian()),
                List.of(sizes(), percentiles()));
    }

    private static Table byRatio() {
        return new Table(
                "What does a write cost?",
                "`WriteBenchmark`",
                List.of(
                        new Result(
                                "c",
                                "size 64",
                                Unit.NANOSECONDS,
                                List.of(1.0, 2.0, 1.5),
                                List.of(),
                                Map.of(),
                                new Result.Octets(0.0, 64.0)),
                        new Result(
                                "jni",
                                "size 64",
                                Unit.NANOSECONDS,
                                List.of(8.0, 16.0, 12.0),
                                List.of(new Beside("c", List.of(8.0, 8.0, 8.0), null)),
                                Map.of(),
                                new Result.Octets(16.04, 64.0)),
                        new Result(
                                "ours",
                                "size 64",
                                Unit.NANOSECONDS,
                                List.of(2.0, 5.0, 3.0),
                                List.of(
                                        new Beside("c", List.of(2.0, 2.5, 2.0), null),
                                        new Beside("jni", List.of(0.25, 0.3125, 0.25), null)),
                                Map.of(),
                                new Result.Octets(null, 64.0))));
    }

    private static Table byMedian() {
        return new Table(
                "Round trips",
                "",
                List.of(
                        new Result(
                                "ours",
                                "",
                                Unit.MICROSECONDS,
                                List.of(6000.0, 7000.0),
                                List.of(new Beside("C", List.of(), 0)),
                                Map.of(50.0, 6500.0, 99.0, 13_000.0),
                                Result.Octets.UNKNOWN),
                        new Result(
                                "theirs",
                                "",
                                Unit.MICROSECONDS,
                                List.of(13_000.0),
                                List.of(),
                                Map.of(99.9, 104_000.0),
                                Result.Octets.UNKNOWN)));
    }

    private static Plot sizes() {
        return new Plot(
                "Bandwidth by size",
                "C is a stream.",
                Plot.Axis.SIZE,
                Unit.OCTETS,
                List.of(
                        new Plot.Line(
                                "a <line>",
                                List.of(
                                        new Plot.Point(8, 8e6),
                                        new Plot.Point(64, 64e6),
                                        new Plot.Point(4096, 4e9),
                                        new Plot.Point(1 << 20, 5e9))),
                        new Plot.Line("ours", List.of(new Plot.Point(64, 60e6), new Plot.Point(4096, 2e9)))));
    }

    private static Plot percentiles() {
        return new Plot(
                "By percentile",
                "",
                Plot.Axis.PERCENTILE,
                Unit.MICROSECONDS,
                List.of(new Plot.Line(
                        "ours",
                        List.of(new Plot.Point(0, 5500), new Plot.Point(50, 6500), new Plot.Point(99.9, 120_000)))));
    }
}

package org.panamaverbs.bench.compare;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.panamaverbs.bench.compare.standing.Comparison;
import org.panamaverbs.bench.compare.standing.ComparisonReport;
import org.panamaverbs.bench.machine.HeldMemory;
import org.panamaverbs.bench.machine.Machine;
import org.panamaverbs.bench.page.HtmlWriter;
import org.panamaverbs.bench.page.JsonFile;
import org.panamaverbs.bench.page.MarkdownWriter;
import org.panamaverbs.bench.result.Form;
import org.panamaverbs.bench.result.Report;

/**
 * Measures, or takes what was measured, and writes the table and the page. The script {@code bench/compare} says what
 * the options do, knows which there are and hands over those that were given.
 */
public final class CompareRun {
    private static final String TITLE = "Panama Verbs: speed";
    private static final long LEFT_BYTES = 3L << 29;

    private final Path home = Path.of(System.getProperty("bench.home", ".")).toAbsolutePath();
    private final Map<String, String> settings;

    /**
     * Prepares a run.
     *
     * @param settings {@code name=value} for each option
     */
    private CompareRun(String[] settings) {
        this.settings = Stream.of(settings)
                .map(setting -> setting.split("=", 2))
                .collect(Collectors.toMap(setting -> setting[0], setting -> setting[1], (former, latter) -> latter));
    }

    /** Runs the command and exits. */
    public static void main(String[] settings) {
        int status = 1;
        try {
            status = new CompareRun(settings).call();
        } catch (Exception e) {
            System.err.println("bench/compare: " + e.getMessage());
        }
        System.exit(status);
    }

    private int call() throws Exception {
        Path directory = home.resolve(settings.getOrDefault("out", "target/bench"));
        Files.createDirectories(directory);
        Path measured = directory.resolve("compare.json");
        Path kept = directory.resolve("comparison.json");
        Report report;
        if (!wanted("render")) {
            try (HeldMemory held = HeldMemory.of(wanted("hold-memory") ? Machine.availableBytes() - LEFT_BYTES : 0)) {
                Comparison comparison = measure(directory, held);
                JsonFile.write(measured, comparison);
                report = ComparisonReport.of(comparison);
            }
        } else if (Files.exists(measured)) {
            report = ComparisonReport.of(JsonFile.read(measured, Comparison.class));
        } else if (Files.exists(kept)) {
            report = JsonFile.read(kept, Report.class);
        } else {
            throw new IllegalStateException(
                    "neither " + measured + " nor " + kept + " is there: run bench/compare without --render first");
        }
        List<Path> written = write(directory, report);
        if (wanted("publish")) {
            publish(written);
        }
        new PrintStream(System.out, true, StandardCharsets.UTF_8).print(MarkdownWriter.text(report));
        System.err.println("bench/compare: written: " + written);
        return report.isEmpty() ? 1 : 0;
    }

    private boolean wanted(String option) {
        return settings.containsKey(option);
    }

    /** Writes the report and its pages, with the benchmarks' if they are there, and returns the files. */
    private List<Path> write(Path directory, Report report) throws IOException {
        Path json = directory.resolve("comparison.json");
        Path markdown = directory.resolve("comparison.md");
        Path page = directory.resolve("speed.html");
        JsonFile.write(json, report);
        Files.writeString(markdown, MarkdownWriter.text(report));
        List<Report> reports = new ArrayList<>(List.of(report));
        String benchmarks = settings.get("benchmarks");
        Path others = benchmarks == null ? directory.resolve("benchmarks.json") : Path.of(benchmarks);
        if (Files.exists(others)) {
            reports.add(JsonFile.read(others, Report.class));
        }
        Files.writeString(page, HtmlWriter.text(TITLE, reports));
        return List.of(json, markdown, page);
    }

    private void publish(List<Path> files) throws IOException {
        Path results = Files.createDirectories(home.resolve("docs/results"));
        for (Path each : files) {
            Files.writeString(results.resolve(each.getFileName().toString()), Files.readString(each));
        }
    }

    private Comparison measure(Path directory, HeldMemory held) throws Exception {
        String cpus = settings.get("cpus");
        int[] where = cpus == null
                ? Machine.lastTwo(Machine.allowed())
                : Stream.of(cpus.split(",", -1)).mapToInt(Integer::parseInt).toArray();
        String rounds = settings.get("rounds");
        String only = settings.get("only");
        Rounds.Plan plan = new Rounds.Plan(
                Form.of(settings.getOrDefault("form", Form.QUICK.title())),
                rounds == null ? null : Integer.valueOf(rounds),
                where[0],
                where[1],
                only == null ? null : List.of(only.split(",", -1)),
                wanted("curves"));
        return new Rounds(home, directory.resolve("compare.work"), plan, held).run();
    }
}

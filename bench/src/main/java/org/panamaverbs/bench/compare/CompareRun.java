package org.panamaverbs.bench.compare;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bench.compare.standing.Comparison;
import org.panamaverbs.bench.compare.standing.ComparisonReport;
import org.panamaverbs.bench.machine.HeldMemory;
import org.panamaverbs.bench.machine.Machine;
import org.panamaverbs.bench.page.HtmlWriter;
import org.panamaverbs.bench.page.JsonFile;
import org.panamaverbs.bench.page.MarkdownWriter;
import org.panamaverbs.bench.result.Form;
import org.panamaverbs.bench.result.Report;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures, or takes what was measured, and writes the table and the page. The script {@code bench/compare} says what
 * the options do, and checks them before it builds this.
 */
@Command(name = "bench/compare")
public final class CompareRun implements Callable<Integer> {
    @Option(names = "--full")
    private boolean full;

    @Option(names = "--smoke")
    private boolean smoke;

    @Option(names = "--rounds")
    private @Nullable Integer rounds;

    @Option(names = "--cpus", split = ",")
    private int @Nullable [] cpus;

    @Option(names = "--hold-memory")
    private boolean holdMemory;

    @Option(names = "--only", split = ",")
    private @Nullable List<String> only;

    @Option(names = "--out", defaultValue = "target/bench")
    private Path out = Path.of("");

    @Option(names = "--benchmarks")
    private @Nullable Path benchmarks;

    @Option(names = "--curves")
    private boolean curves;

    @Option(names = "--render")
    private boolean render;

    @Option(names = "--publish")
    private boolean publish;

    @SuppressWarnings("UnusedVariable") // the script acts on it, before
    @Option(names = "--install")
    private boolean install;

    private static final String TITLE = "Panama Verbs: speed";
    private static final long LEFT_BYTES = 3L << 29;

    private final Path home = Path.of(System.getProperty("bench.home", ".")).toAbsolutePath();

    /** Runs the command and exits. */
    public static void main(String[] arguments) {
        CommandLine line = new CommandLine(new CompareRun());
        line.setExecutionExceptionHandler((failure, command, result) -> {
            System.err.println("bench/compare: " + failure.getMessage());
            return 1;
        });
        System.exit(line.execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        Path directory = home.resolve(out);
        Files.createDirectories(directory);
        Path measured = directory.resolve("compare.json");
        Path kept = directory.resolve("comparison.json");
        Report report;
        if (!render) {
            try (HeldMemory held = HeldMemory.of(holdMemory ? Machine.availableBytes() - LEFT_BYTES : 0)) {
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
        if (publish) {
            publish(written);
        }
        new PrintStream(System.out, true, StandardCharsets.UTF_8).print(MarkdownWriter.text(report));
        System.err.println("bench/compare: written: " + written);
        return report.isEmpty() ? 1 : 0;
    }

    /** Writes the report and its pages, with the benchmarks' if they are there, and returns the files. */
    private List<Path> write(Path directory, Report report) throws IOException {
        Path json = directory.resolve("comparison.json");
        Path markdown = directory.resolve("comparison.md");
        Path page = directory.resolve("speed.html");
        JsonFile.write(json, report);
        Files.writeString(markdown, MarkdownWriter.text(report));
        List<Report> reports = new ArrayList<>(List.of(report));
        Path others = benchmarks == null ? directory.resolve("benchmarks.json") : benchmarks;
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
        Form form = smoke ? Form.SMOKE : full ? Form.FULL : Form.QUICK;
        int[] where = cpus != null ? cpus : Machine.lastTwo(Machine.allowed());
        if (where.length != 2) {
            throw new IllegalArgumentException("--cpus takes two processors: A,B");
        }
        Rounds.Plan plan = new Rounds.Plan(form, rounds, where[0], where[1], only, curves);
        return new Rounds(home, directory.resolve("compare.work"), plan, held).run();
    }
}

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

/** Measures, or takes what was measured, and writes the table and the page. */
@Command(
        name = "bench/compare",
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Compares Panama Verbs over the provider iwarp with a floor in C, UCX, libfabric, JUCX, Netty and Aeron:",
            "on the loopback, each side on a processor of its own, everybody in every round.",
            "For figures that mean something nothing else may run: the load that it saw stands in the report."
        },
        footerHeading = "%nResults:%n",
        footer = {
            "  DIR/compare.json     every figure as it was measured, with percentiles and load",
            "  DIR/comparison.json  the report: figures and ratios of each round, verdicts",
            "  DIR/comparison.md    the table; also printed",
            "  DIR/speed.html       the page with plots, which needs no network"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:measured; targets may be met or missed",
            "1:it failed, or no round was complete",
            "2:the command line was wrong"
        })
public final class CompareRun implements Callable<Integer> {
    @Option(names = "--full", description = "5 rounds, at most half an hour, in place of 2 and ten minutes.")
    private boolean full;

    @Option(names = "--smoke", description = "One round of next to nothing: does everything run?")
    private boolean smoke;

    @Option(names = "--rounds", paramLabel = "N", description = "So many rounds.")
    private @Nullable Integer rounds;

    @Option(
            names = "--cpus",
            paramLabel = "A,B",
            split = ",",
            description = "The processors of servers and clients (default: the last two that are allowed).")
    private int @Nullable [] cpus;

    @Option(
            names = "--hold-memory",
            description =
                    "Meanwhile hold all memory but 1.5 GiB. On a virtual machine whose host takes free memory back,"
                            + " every page that the kernel sends from may be a fresh one, at microseconds each.")
    private boolean holdMemory;

    @Option(
            names = "--only",
            paramLabel = "NAMES",
            split = ",",
            description = "Only these beside C, such as UCX,Netty.")
    private @Nullable List<String> only;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/bench",
            description = "Where results go (default: ${DEFAULT-VALUE}).")
    private Path out = Path.of("");

    @Option(
            names = "--benchmarks",
            paramLabel = "FILE",
            description =
                    "What bench/run found, for the page (default: benchmarks.json in the directory of the results).")
    private @Nullable Path benchmarks;

    @Option(
            names = "--curves",
            description = "Measure curves over the sizes of messages, too: some minutes more, beyond all rounds.")
    private boolean curves;

    @Option(
            names = "--render",
            description = "Measure nothing: write the pages of what is there, compare.json or comparison.json.")
    private boolean render;

    @Option(names = "--publish", description = "Copy the report, the table and the page to docs/results, too.")
    private boolean publish;

    @SuppressWarnings("UnusedVariable") // the script acts on it, before
    @Option(names = "--install", description = "First install what is missing, by apt-get, as root.")
    private boolean install;

    @SuppressWarnings("UnusedVariable") // picocli acts on it
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

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

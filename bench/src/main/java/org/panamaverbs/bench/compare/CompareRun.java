package org.panamaverbs.bench.compare;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bench.compare.contestant.Form;
import org.panamaverbs.bench.compare.page.HtmlPage;
import org.panamaverbs.bench.compare.page.JmhResults;
import org.panamaverbs.bench.compare.page.MarkdownReport;
import org.panamaverbs.bench.compare.standing.Comparison;
import org.panamaverbs.bench.compare.standing.Standings;
import org.panamaverbs.bench.machine.HeldMemory;
import org.panamaverbs.bench.machine.Machine;
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
            "  DIR/compare.json     every figure, with percentiles and load",
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
    @Option(names = "--full", description = "5 rounds, half an hour, in place of 2 and ten minutes.")
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
            names = "--jmh",
            paramLabel = "FILE",
            description = "JMH's results, for the page (default: jmh.json in the directory of the results).")
    private @Nullable Path jmh;

    @Option(names = "--render", description = "Measure nothing: write the table and the page of what is there.")
    private boolean render;

    @Option(names = "--publish", description = "Copy the table and the page to docs/results, too.")
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

    private static final long LEFT_BYTES = 3L << 29;

    private final Path home = Path.of(System.getProperty("bench.home", ".")).toAbsolutePath();

    /** Runs it and exits. */
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
        Path file = directory.resolve("compare.json");
        if (!render) {
            try (HeldMemory held = HeldMemory.of(holdMemory ? Machine.availableBytes() - LEFT_BYTES : 0)) {
                measure(directory, held).save(file);
            }
        } else if (!Files.exists(file)) {
            throw new IllegalStateException(file + " is not there: run bench/compare without --render first");
        }
        Comparison comparison = Comparison.load(file);
        Standings standings = new Standings(comparison.samples());
        String table = new MarkdownReport(comparison, standings).text();
        Path page = directory.resolve("speed.html");
        Path markdown = directory.resolve("comparison.md");
        Files.writeString(markdown, table);
        Path results = jmh == null ? directory.resolve("jmh.json") : jmh;
        Files.writeString(page, new HtmlPage(comparison, standings, JmhResults.load(results)).text());
        if (publish) {
            publish(markdown, page);
        }
        new PrintStream(System.out, true, StandardCharsets.UTF_8).print(table);
        System.err.println("bench/compare: " + file + ", " + markdown + " and " + page + " are written");
        return standings.isEmpty() ? 1 : 0;
    }

    private void publish(Path... files) throws IOException {
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
        return new Rounds(
                        home,
                        directory.resolve("compare.work"),
                        rounds == null ? form : form.withRounds(rounds),
                        where[0],
                        where[1],
                        only,
                        held)
                .run();
    }
}

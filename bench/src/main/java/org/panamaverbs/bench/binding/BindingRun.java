package org.panamaverbs.bench.binding;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs the benchmarks of this package in rounds, each with one fork of every benchmark, so that what is compared ran
 * within minutes of each other, and prints their table; {@code bench/run} starts it.
 */
public final class BindingRun {
    /** The exit status where the benchmarks cannot run. */
    private static final int NOT_HERE = 77;

    // Short iterations, of which the median counts: most of them are free of whatever else the machine does.
    private static final TimeValue ITERATION = TimeValue.milliseconds(50);

    private record Form(String name, int rounds, TimeValue warmup, int iterations) {
        static final Form QUICK = new Form("quick", 3, TimeValue.milliseconds(300), 15);
        static final Form FULL = new Form("full", 9, TimeValue.milliseconds(500), 30);
    }

    private BindingRun() {}

    /** Takes the form, {@code quick} or {@code full}, the directory of the results, and a pattern of benchmarks. */
    public static void main(String[] arguments) throws IOException, InterruptedException, RunnerException {
        Form form = arguments[0].equals("full") ? Form.FULL : Form.QUICK;
        Path directory = Path.of(arguments[1]);
        Path library;
        try {
            library = StubLibrary.compile(directory.resolve("stub"));
        } catch (StubLibrary.UnavailableException e) {
            System.err.println("not possible here: " + e.getMessage());
            System.exit(NOT_HERE);
            return;
        }
        Options options = options(form, library, arguments[2]);
        Setting setting = Setting.start(form.name, form.rounds);
        Map<String, List<RunResult>> runs = new LinkedHashMap<>();
        for (int round = 1; round <= form.rounds; round++) {
            System.out.printf("# round %d of %d%n", round, form.rounds);
            for (RunResult result : new Runner(options).run()) {
                runs.computeIfAbsent(Line.name(result), name -> new ArrayList<>())
                        .add(result);
            }
        }
        writeJson(directory.resolve("binding.json"), runs);
        Table table = new Table(Line.of(runs.values()));
        String text = setting.finish() + "\n" + table.text();
        Files.writeString(directory.resolve("binding.md"), text);
        System.out.println("\n" + text);
        System.out.println("written: " + directory.resolve("binding.json") + ", " + directory.resolve("binding.md"));
        System.exit(table.meetsTargets() ? 0 : 1);
    }

    private static Options options(Form form, Path library, String pattern) {
        return new OptionsBuilder()
                .include("^" + BindingRun.class.getPackageName().replace(".", "\\.") + "\\..*" + pattern)
                .forks(1)
                .warmupIterations(3)
                .warmupTime(form.warmup)
                .measurementIterations(form.iterations)
                .measurementTime(ITERATION)
                .addProfiler(GCProfiler.class)
                .jvmArgs("--enable-native-access=ALL-UNNAMED", "-Dverbs.libibverbs=" + library)
                .build();
    }

    /** Writes JMH's own format, with the rounds as forks. */
    private static void writeJson(Path file, Map<String, List<RunResult>> runs) throws IOException {
        List<RunResult> merged = new ArrayList<>();
        for (List<RunResult> rounds : runs.values()) {
            List<BenchmarkResult> forks = new ArrayList<>();
            rounds.forEach(round -> forks.addAll(round.getBenchmarkResults()));
            merged.add(new RunResult(rounds.getFirst().getParams(), forks));
        }
        try (PrintStream out = new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
            ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(merged);
        }
    }
}

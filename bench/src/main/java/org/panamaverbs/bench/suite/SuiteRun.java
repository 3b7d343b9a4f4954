package org.panamaverbs.bench.suite;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.panamaverbs.bench.binding.MeasuredStub;
import org.panamaverbs.bench.machine.LoadMeter;
import org.panamaverbs.bench.machine.Machine;
import org.panamaverbs.bench.page.JsonFile;
import org.panamaverbs.bench.page.MarkdownWriter;
import org.panamaverbs.bench.result.Form;
import org.panamaverbs.bench.result.Report;
import org.panamaverbs.bench.result.Setting;
import org.panamaverbs.stub.StubLibrary.UnavailableException;

/**
 * Runs the benchmarks in rounds, each with one process of every benchmark, so that what is compared ran within minutes
 * of each other, and makes their page; {@code bench/run} starts it.
 */
public final class SuiteRun {
    private static final String PACKAGES = "org\\.panamaverbs\\.bench\\.";
    private static final String CALLS = PACKAGES + "(%s|iwarp|memory)\\.";
    private static final String EXCHANGES = PACKAGES + "loopback\\.";
    private static final int LONGEST_ITERATION_MINUTES = 10;

    private final Form form;
    private final Amounts amounts;
    private final Path directory;
    private final String only;
    private final List<String> jvmOptions = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED"));
    private final List<String> notRun = new ArrayList<>();
    private final Map<String, List<RunResult>> results = new LinkedHashMap<>();
    private final List<String> idle;
    private final @Nullable Path stub;

    private SuiteRun(Form form, Amounts amounts, Path directory, String only, List<String> options)
            throws IOException, InterruptedException {
        this.form = form;
        this.amounts = amounts;
        this.directory = directory;
        this.only = only;
        options.forEach(option -> jvmOptions.add("-Dverbs.iwarp." + option));
        stub = compileStub();
        long descriptors = Machine.descriptors();
        idle = amounts.idleWithin(descriptors);
        if (!idle.equals(amounts.idle())) {
            notRun.add("more than " + idle.getLast() + " idle connections, since a process may have only " + descriptors
                    + " descriptors: raise that with ulimit -n");
        }
    }

    /**
     * Takes the form, {@code smoke}, {@code quick} or {@code full}, the directory of the results, a pattern of
     * benchmarks, the command for the page, and then options of the provider iwarp as {@code NAME=VALUE}. Exits with 1
     * if a benchmark failed or a target is missed or not decided.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException, RunnerException {
        List<String> given = List.of(arguments);
        Form form = Form.of(given.get(0));
        Amounts amounts = Amounts.of(form);
        SuiteRun run = new SuiteRun(
                form,
                amounts.withRounds(Integer.getInteger("bench.rounds", amounts.rounds())),
                Path.of(given.get(1)),
                given.get(2),
                given.subList(4, given.size()));
        System.exit(run.run(given.get(3)) ? 0 : 1);
    }

    private @Nullable Path compileStub() throws IOException, InterruptedException {
        try {
            Path library = MeasuredStub.compile(directory.resolve("stub"));
            jvmOptions.add("-Dverbs.libibverbs=" + library);
            return library;
        } catch (UnavailableException e) {
            notRun.add("all of ibverbs, since the stub of libibverbs cannot be compiled: " + e.getMessage());
            return null;
        }
    }

    private boolean run(String command) throws IOException, RunnerException {
        Instant started = Instant.now();
        String loadBefore = Machine.load();
        Optional<LoadMeter> meter = LoadMeter.begin();
        Path log = directory.resolve("jmh.log");
        List<String> failed;
        try (PrintStream logged = new PrintStream(Files.newOutputStream(log), true, StandardCharsets.UTF_8)) {
            Progress progress = new Progress(logged, System.out);
            for (int round = 1; round <= amounts.rounds(); round++) {
                progress.round("round " + round + " of " + amounts.rounds() + ", calls");
                run(String.format(CALLS, stub == null ? "none" : "binding"), amounts.calls(), progress);
                progress.round("round " + round + " of " + amounts.rounds() + ", loopback");
                run(EXCHANGES, amounts.exchanges(), progress);
            }
            failed = progress.failed();
        }
        failed.forEach(name -> notRun.add("FAILED: " + name));
        if (results.isEmpty()) {
            System.err.println("no benchmark has a name with " + only + ", or all failed: see " + log);
            return false;
        }
        Path json = directory.resolve("jmh.json");
        ResultFile.write(json, results.values());
        Report report = SuiteReport.of(setting(command, started, loadBefore, meter), ResultFile.read(json));
        JsonFile.write(directory.resolve("benchmarks.json"), report);
        String page = MarkdownWriter.text(report);
        Files.writeString(directory.resolve("jmh.md"), page);
        System.out.println("\n" + page);
        System.out.println("written: jmh.json, benchmarks.json, jmh.md, jmh.log in " + directory);
        return failed.isEmpty() && report.meetsTargets();
    }

    /** Returns the pattern of the benchmarks of {@code packages} in whose whole names {@code only} is found. */
    static String included(String packages, String only) {
        return "^(?=.*(?:" + only + "))(?:" + packages + ")";
    }

    private void run(String packages, Amounts.Times times, Progress progress) throws RunnerException {
        OptionsBuilder options = new OptionsBuilder();
        options.include(included(packages, only))
                .forks(1)
                .timeout(TimeValue.minutes(LONGEST_ITERATION_MINUTES))
                .addProfiler(GCProfiler.class)
                .jvmArgs(jvmOptions.toArray(String[]::new));
        times.applyTo(options);
        amounts.parameters().forEach((name, values) -> options.param(name, values.toArray(String[]::new)));
        options.param("idle", idle.toArray(String[]::new));
        try {
            for (RunResult result : new Runner(options.build(), progress.format()).run()) {
                results.computeIfAbsent(result.getParams().id(), id -> new ArrayList<>())
                        .add(result);
            }
        } catch (NoBenchmarksException e) {
            progress.format().verbosePrintln("none of " + packages + " with " + only);
        }
    }

    private Setting setting(String command, Instant started, String loadBefore, Optional<LoadMeter> meter) {
        Optional<Double> others = meter.map(since -> since.finish().others());
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("command", "`" + command + "`");
        facts.put("form", form.title() + ", rounds of one process for each benchmark: " + amounts.rounds());
        facts.put("commit", System.getProperty("bench.commit", "unknown"));
        facts.put("begun", started.truncatedTo(ChronoUnit.MINUTES).toString());
        facts.put("took", ChronoUnit.MINUTES.between(started, Instant.now()) + " minutes");
        facts.putAll(Machine.facts());
        facts.put(
                "load",
                "averages of 1, 5 and 15 minutes " + loadBefore + " before, " + Machine.load()
                        + " after, of which at least one is the run's own; "
                        + others.map(percent -> String.format(
                                        Locale.ROOT, "other processes used %.0f %% of one processor", percent))
                                .orElse("what other processes used is not known")
                        + "; not pinned");
        return new Setting(facts, notRun, others.orElse(0.0) > Setting.QUIET_PERCENT);
    }
}

package org.panamaverbs.bench.suite;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** One line for each benchmark that has run, with the time that is left; all that JMH says goes to a log. */
final class Progress implements OutputFormat {
    private static final String ETA = "# Run progress: ";

    private final OutputFormat log;
    private final PrintStream console;
    private final List<String> failed = new ArrayList<>();
    private String round = "";
    private String left = "";
    private String running = "";

    Progress(PrintStream log, PrintStream console) {
        this.log = OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL);
        this.console = console;
    }

    /** What the next lines begin with. */
    void round(String name) {
        round = name;
    }

    /** Returns the benchmarks that have not ended well. */
    List<String> failed() {
        return List.copyOf(failed);
    }

    private void failIfRunning() {
        if (!running.isEmpty()) {
            failed.add(running);
            console.println(round + ", " + left + ": " + running + " FAILED, see the log");
            running = "";
        }
    }

    private static String name(BenchmarkParams benchmark) {
        StringBuilder name = new StringBuilder(benchmark.getBenchmark().replace("org.panamaverbs.bench.", ""));
        for (String key : benchmark.getParamsKeys()) {
            name.append(' ').append(key).append('=').append(benchmark.getParam(key));
        }
        return name.toString();
    }

    @Override
    public void startBenchmark(BenchmarkParams benchmark) {
        failIfRunning();
        running = name(benchmark);
        log.startBenchmark(benchmark);
    }

    @Override
    public void endBenchmark(@Nullable BenchmarkResult result) {
        // There is none if its process failed; who is still running when the next one starts counts as failed.
        if (result != null) {
            console.printf(
                    "%s, %s: %s %.3f %s%n",
                    round,
                    left,
                    running,
                    result.getPrimaryResult().getScore(),
                    result.getPrimaryResult().getScoreUnit());
            running = "";
        }
        log.endBenchmark(result);
    }

    @Override
    public void println(String line) {
        if (line.startsWith(ETA)) {
            left = line.substring(ETA.length());
        }
        log.println(line);
    }

    @Override
    public void endRun(Collection<RunResult> results) {
        failIfRunning();
        log.endRun(results);
    }

    @Override
    public void iteration(BenchmarkParams benchmark, IterationParams params, int iteration) {
        log.iteration(benchmark, params, iteration);
    }

    @Override
    public void iterationResult(
            BenchmarkParams benchmark, IterationParams params, int iteration, IterationResult result) {
        log.iterationResult(benchmark, params, iteration, result);
    }

    @Override
    public void startRun() {
        log.startRun();
    }

    @Override
    public void print(String text) {
        log.print(text);
    }

    @Override
    public void verbosePrintln(String line) {
        log.verbosePrintln(line);
    }

    @Override
    public void write(int octet) {
        log.write(octet);
    }

    @Override
    public void write(byte[] octets) throws IOException {
        log.write(octets);
    }

    @Override
    public void flush() {
        log.flush();
    }

    @Override
    public void close() {
        log.close();
    }
}

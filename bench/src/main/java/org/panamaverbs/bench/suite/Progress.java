package org.panamaverbs.bench.suite;

import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** One line for each benchmark that has run, with the time that is left; all that JMH says goes to a log. */
final class Progress {
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

    /** Returns what JMH is given: all calls go to the log, and those that begin or end something come here, too. */
    OutputFormat format() {
        return (OutputFormat) Proxy.newProxyInstance(
                Progress.class.getClassLoader(), new Class<?>[] {OutputFormat.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "startBenchmark" -> started((BenchmarkParams) arguments[0]);
                        case "endBenchmark" -> ended((BenchmarkResult) arguments[0]);
                        case "println" -> said((String) arguments[0]);
                        case "endRun" -> failIfRunning();
                        default -> {
                            // The log's alone.
                        }
                    }
                    return method.invoke(log, arguments);
                });
    }

    private void started(BenchmarkParams benchmark) {
        failIfRunning();
        running = name(benchmark);
    }

    private void ended(@Nullable BenchmarkResult result) {
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
    }

    private void said(String line) {
        if (line.startsWith(ETA)) {
            left = line.substring(ETA.length());
        }
    }
}

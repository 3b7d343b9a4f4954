package org.panamaverbs.bench.binding;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.DoubleStream;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * One benchmark of a run.
 *
 * @param subject what was measured, with its parameter: lines of one subject are compared
 * @param variant by whom
 * @param nanos nanoseconds an operation, one for each round
 * @param bytes octets allocated for each operation, the most of all rounds
 */
record Line(String subject, String variant, List<Double> nanos, double bytes) {
    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final String PARAMETER = "completions";

    /** Makes the lines of these runs, each a benchmark's rounds. */
    static List<Line> of(Collection<List<RunResult>> runs) {
        List<Line> lines = new ArrayList<>();
        for (List<RunResult> rounds : runs) {
            RunResult first = rounds.getFirst();
            List<Double> nanos = rounds.stream()
                    .map(round -> typical(round.getPrimaryResult()))
                    .toList();
            double bytes = rounds.stream().mapToDouble(Line::allocated).max().orElse(0);
            lines.add(new Line(subject(first), variant(first), nanos, bytes));
        }
        return lines;
    }

    /** Returns the name that the rounds of a benchmark share. */
    static String name(RunResult result) {
        return subject(result) + " " + variant(result);
    }

    double median() {
        return median(nanos);
    }

    double least() {
        return nanos.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
    }

    double most() {
        return nanos.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
    }

    /** Returns the median of the rounds' ratios to {@code floor}: each round is compared with itself. */
    double over(Line floor) {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < nanos.size(); round++) {
            ratios.add(nanos.get(round) / floor.nanos.get(round));
        }
        return median(ratios);
    }

    private static double median(List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1
                ? sorted[middle]
                : DoubleStream.of(sorted[middle - 1], sorted[middle]).average().orElseThrow();
    }

    private static double allocated(RunResult round) {
        Result<?> result = round.getSecondaryResults().get(ALLOCATED);
        return result == null ? Double.NaN : typical(result);
    }

    /** Returns the median of the round's iterations. */
    private static double typical(Result<?> result) {
        return result.getStatistics().getPercentile(50);
    }

    private static String subject(RunResult result) {
        String benchmark = result.getParams().getBenchmark();
        String type = benchmark.substring(0, benchmark.lastIndexOf('.'));
        String subject = type.substring(type.lastIndexOf('.') + 1).replace("Benchmark", "");
        String parameter = result.getParams().getParam(PARAMETER);
        return parameter == null ? subject : subject + " of " + parameter;
    }

    private static String variant(RunResult result) {
        String benchmark = result.getParams().getBenchmark();
        return benchmark.substring(benchmark.lastIndexOf('.') + 1);
    }
}

package org.panamaverbs.testkit;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts of a run, by provider under test; prints itself as one block when the run ends. */
final class Summary implements AutoCloseable {
    private final Map<String, Counts> byProvider = new TreeMap<>();
    private final Map<String, String> missing = new TreeMap<>();

    synchronized void passed(String provider) {
        counts(provider).passed++;
    }

    synchronized void failed(String provider) {
        counts(provider).failed++;
    }

    synchronized void skipped(String provider, String reason) {
        counts(provider).skipped.merge(reason, 1, Integer::sum);
    }

    synchronized void notRun(String provider, String reason) {
        missing.put(provider, reason);
    }

    synchronized void leftOut(String provider, Map<String, Integer> reasons) {
        if (!reasons.isEmpty()) {
            counts(provider).leftOut = new TreeMap<>(reasons);
        }
    }

    synchronized void ranOn(String provider, String device) {
        counts(provider).devices.merge(device, 1, Integer::sum);
    }

    /** Returns the block: a line for each provider, and below it the reasons for what was skipped. */
    synchronized String text() {
        StringBuilder text = new StringBuilder("conformance suite\n");
        byProvider.forEach((provider, counts) -> {
            int skipped =
                    counts.skipped.values().stream().mapToInt(Integer::intValue).sum();
            text.append("  %s on %s: %d passed, %d failed, %d skipped%n"
                    .formatted(
                            provider,
                            String.join(", ", counts.devices.keySet()),
                            counts.passed,
                            counts.failed,
                            skipped));
            if (!counts.leftOut.isEmpty()) {
                text.append("    left out %s%n".formatted(counts.leftOut()));
            }
            counts.skipped.forEach((reason, times) -> text.append("    skipped %d: %s%n".formatted(times, reason)));
        });
        missing.forEach((provider, reason) -> text.append("  %s: not run: %s%n".formatted(provider, reason)));
        return text.toString();
    }

    @Override
    @SuppressWarnings("SystemOut") // the report is what it is for
    public void close() {
        System.out.print(text());
    }

    private Counts counts(String provider) {
        return byProvider.computeIfAbsent(provider, name -> new Counts());
    }

    private static final class Counts {
        final Map<String, Integer> devices = new TreeMap<>();
        final Map<String, Integer> skipped = new TreeMap<>();
        Map<String, Integer> leftOut = Map.of();
        int passed;
        int failed;

        String leftOut() {
            int sum = leftOut.values().stream().mapToInt(Integer::intValue).sum();
            return leftOut.entrySet().stream()
                    .map(each -> each.getValue() + ": " + each.getKey())
                    .collect(Collectors.joining("; ", sum + " (", ")"));
        }
    }
}

package org.panamaverbs.cli.demo;

import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.panamaverbs.api.Carrier;
import org.panamaverbs.cli.command.BuildVersion;
import org.panamaverbs.cli.command.JsonWriter;
import org.panamaverbs.cli.command.SameHostNote;
import org.panamaverbs.cli.demo.DemoResult.Outcome;

/**
 * What the demo found, as a table for people or as JSON.
 *
 * @param provider the provider's name
 * @param selection why it was chosen
 * @param device the device and what it speaks
 * @param peers the processes and the address
 * @param carrier what carries the connection
 * @param transport what the peers negotiated
 * @param results one for each operation, in order
 * @param note what else there is to say, empty for nothing
 */
record DemoReport(
        String provider,
        String selection,
        String device,
        String peers,
        Carrier carrier,
        String transport,
        List<DemoResult> results,
        String note) {

    private static final int INDENT = "transport  ".length();

    /** Returns the report with something more to say. */
    DemoReport withNote(String text) {
        return new DemoReport(provider, selection, device, peers, carrier, transport, results, text);
    }

    /** Tells whether every operation that the device has was right. */
    boolean passed() {
        return count(Outcome.FAILED) == 0 && count(Outcome.NOT_RUN) == 0 && count(Outcome.OK) > 0;
    }

    /** Returns the table, with a newline at its end. */
    String table() {
        StringBuilder text = new StringBuilder();
        text.append("provider   " + provider + ": " + selection + "\n");
        text.append("device     ").append(device).append('\n');
        text.append("peers      ").append(peers).append('\n');
        text.append("transport  ").append(transport).append('\n');
        String sameHost = SameHostNote.of(carrier);
        text.append(sameHost.isEmpty() ? "\n" : " ".repeat(INDENT) + sameHost + "\n\n");
        text.append(String.format(Locale.ROOT, "%-28s %9s  %-6s %10s%n", "operation", "bytes", "result", "median us"));
        for (DemoResult result : results) {
            switch (result.outcome()) {
                case OK ->
                    text.append(String.format(
                            Locale.ROOT,
                            "%-28s %,9d  %-6s %10.1f%n",
                            result.title(),
                            result.bytes(),
                            "ok",
                            result.medianNanos() / 1e3));
                case FAILED, NOT_RUN ->
                    text.append(String.format(
                            Locale.ROOT,
                            "%-28s %,9d  %s: %s%n",
                            result.title(),
                            result.bytes(),
                            result.outcome() == Outcome.FAILED ? "FAILED" : "not run",
                            result.detail()));
                case NOT_ON_THIS_DEVICE -> {}
            }
        }
        return text.append(
                        "Times are of code that is not compiled yet; of compiled code: verbs perf write_lat --loopback\n")
                .append('\n')
                .append(summary())
                .append('\n')
                .toString();
    }

    String json() {
        JsonWriter writer = new JsonWriter();
        writer.object()
                .field("version", BuildVersion.text())
                .field("provider", provider)
                .field("selection", selection)
                .field("device", device)
                .field("peers", peers)
                .field("transport", transport)
                .field("passed", passed())
                .field("note", note);
        writer.name("operations").array();
        for (DemoResult result : results) {
            writer.object().field("operation", result.title()).field("bytes", result.bytes());
            writer.field("result", result.outcome().name().toLowerCase(Locale.ROOT));
            if (result.outcome() == Outcome.OK) {
                writer.field("rounds", result.rounds()).name("medianMicros").value(result.medianNanos() / 1e3);
            } else if (!result.detail().isEmpty()) {
                writer.field("detail", result.detail());
            }
            writer.end();
        }
        return writer.end().end().toString();
    }

    private String summary() {
        StringJoiner summary = new StringJoiner("; ");
        IntSummaryStatistics rounds = results.stream()
                .filter(result -> result.outcome() == Outcome.OK)
                .mapToInt(DemoResult::rounds)
                .summaryStatistics();
        if (rounds.getCount() > 0) {
            String span = rounds.getMin() == rounds.getMax() ? "" : rounds.getMin() + " to ";
            summary.add(counted(rounds.getCount(), "operation") + " ok in " + span + counted(rounds.getMax(), "round")
                    + " each");
        }
        if (count(Outcome.FAILED) > 0) {
            summary.add(count(Outcome.FAILED) + " FAILED");
        }
        if (count(Outcome.NOT_RUN) > 0) {
            summary.add(count(Outcome.NOT_RUN) + " not run");
        }
        String lacking = results.stream()
                .filter(result -> result.outcome() == Outcome.NOT_ON_THIS_DEVICE)
                .map(DemoResult::title)
                .collect(Collectors.joining(", "));
        if (!lacking.isEmpty()) {
            summary.add("not on this device: " + lacking);
        }
        if (!note.isEmpty()) {
            summary.add(note);
        }
        return summary.toString();
    }

    private static String counted(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    private long count(Outcome outcome) {
        return results.stream().filter(result -> result.outcome() == outcome).count();
    }
}

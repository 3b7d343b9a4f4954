package org.panamaverbs.bench.report;

import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Where and how a run was made.
 *
 * @param command what was called
 * @param commit of the sources
 * @param form and rounds of it, for people
 * @param started when, UTC
 * @param minutes how long it took
 * @param machine processor and their number
 * @param system name and version
 * @param jdk name and version
 * @param loadBefore averages of 1, 5 and 15 minutes
 * @param loadAfter the same at the end
 * @param othersPercent how much of one processor other processes used meanwhile; negative if it is not known
 * @param notRun what did not run, and why
 */
record Setting(
        String command,
        String commit,
        String form,
        String started,
        long minutes,
        String machine,
        String system,
        String jdk,
        String loadBefore,
        String loadAfter,
        int othersPercent,
        List<String> notRun) {
    /** Figures count for something if other processes used at most so much of one processor. */
    static final int QUIET_PERCENT = 10;

    /** Returns the top of the page, in Markdown. */
    String text() {
        List<String> lines = new ArrayList<>(List.of(
                "command: `" + command + "` (" + form + ")",
                "commit: " + commit,
                "when: " + started + ", " + minutes + " minutes",
                "machine: " + machine + "; " + system,
                "JDK: " + jdk,
                "load (1, 5, 15 minutes): " + loadBefore + " before, " + loadAfter
                        + " after, of which at least one is the run's own; " + others() + "; not pinned"));
        notRun.forEach(reason -> lines.add("**not run: " + reason + "**"));
        String top = "- " + String.join("\n- ", lines) + "\n";
        return isBusy()
                ? "**The machine was busy: these figures show that the suite runs, and no more.**\n\n" + top
                : top;
    }

    private String others() {
        return othersPercent < 0
                ? "what other processes used is not known"
                : String.format(Locale.ROOT, "other processes used %d %% of one processor", othersPercent);
    }

    /** Tells whether other processes used so much that the figures say little. */
    boolean isBusy() {
        return othersPercent > QUIET_PERCENT;
    }

    /** Writes it as JSON. */
    void write(Path file) throws IOException {
        Files.writeString(
                file,
                new GsonBuilder()
                                .setPrettyPrinting()
                                .disableHtmlEscaping()
                                .create()
                                .toJson(this) + "\n");
    }
}

package org.panamaverbs.iwarp.core;

import java.util.ArrayList;
import java.util.List;

/** What happened in a simulated run, line by line; kept only for the run that somebody wants to read. */
final class SimStory {
    private final boolean told;
    private final List<String> lines = new ArrayList<>();

    private SimStory(boolean told) {
        this.told = told;
    }

    /** Keeps everything. */
    static SimStory told() {
        return new SimStory(true);
    }

    /** Keeps nothing. */
    static SimStory silent() {
        return new SimStory(false);
    }

    boolean isTold() {
        return told;
    }

    // The annotation that is asked for would be one more dependency of the module.
    @SuppressWarnings("AnnotateFormatMethod")
    void tell(String format, Object... arguments) {
        if (told) {
            lines.add(format.formatted(arguments));
        }
    }

    String text() {
        return String.join(System.lineSeparator(), lines);
    }
}

package org.panamaverbs.bench.result;

import java.util.List;

/**
 * What a run found: all that its pages say.
 *
 * @param title of the page
 * @param about what it is, in one paragraph of Markdown
 * @param setting where and how it was made
 * @param notes how to read it, a paragraph of Markdown each
 * @param verdicts of what was promised
 * @param tables a question each
 * @param plots of lines
 */
public record Report(
        String title,
        String about,
        Setting setting,
        List<String> notes,
        List<Verdict> verdicts,
        List<Table> tables,
        List<Plot> plots) {
    /** Tells whether every target that was measured is met. */
    public boolean meetsTargets() {
        return verdicts.stream()
                .map(Verdict::outcome)
                .allMatch(outcome -> outcome == Verdict.Outcome.MET || outcome == Verdict.Outcome.UNKNOWN);
    }

    /** Tells whether nothing was measured. */
    public boolean isEmpty() {
        return tables.isEmpty();
    }
}

package org.panamaverbs.bench.result;

import java.util.Collection;

/**
 * What became of a target.
 *
 * @param what was measured
 * @param who it was of; empty where {@code what} says it
 * @param target in words
 * @param reached what was measured, in words; empty if nothing was
 * @param outcome of the comparison
 */
public record Verdict(String what, String who, String target, String reached, Outcome outcome) {
    /** Whether a target is reached. */
    public enum Outcome {
        MET("met"),
        UNDECIDED("not decided"),
        MISSED("MISSED"),
        UNKNOWN("not measured");

        private final String text;

        Outcome(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }

        /** Returns what becomes of several conditions of one target: missed if one is, else undecided if one is. */
        public static Outcome all(Collection<Outcome> outcomes) {
            return outcomes.contains(MISSED) ? MISSED : outcomes.contains(UNDECIDED) ? UNDECIDED : MET;
        }
    }
}

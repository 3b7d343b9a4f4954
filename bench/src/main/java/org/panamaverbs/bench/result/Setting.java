package org.panamaverbs.bench.result;

import java.util.List;
import java.util.Map;

/**
 * Where and how a run was made.
 *
 * @param facts by name, in the order to show
 * @param notRun what did not run or failed, each with the reason
 * @param busy whether other processes used so much that the figures say little
 */
public record Setting(Map<String, String> facts, List<String> notRun, boolean busy) {
    /** Figures count for something if other processes used at most so much of one processor. */
    public static final int QUIET_PERCENT = 10;
}

package org.panamaverbs.ibverbs.stub;

import org.panamaverbs.api.WorkCompletions;

/** The completions of one queue: each request completes once, in the order of the posts, which is that of their ids. */
final class CompletionLedger {
    private long last;
    private int count;

    /** Notes the first {@code taken} of {@code completions}. */
    void note(WorkCompletions completions, int taken) {
        for (int i = 0; i < taken; i++) {
            long id = completions.get(i).wrId();
            if (id <= last) {
                throw new AssertionError("request " + id + " completes after " + last);
            }
            last = id;
            count++;
        }
    }

    /** Returns how many there were. */
    int count() {
        return count;
    }
}

package org.panamaverbs.iwarp.engine;

import java.util.HashMap;
import java.util.Map;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.WorkCompletion;

/**
 * Who was told what: requests whose ids grow, posted by one thread, and their completions, looked at by another while
 * the first waits. Each completes at most once and in the order of the posts of its queue pair, and those that were
 * accepted complete, whatever became of their connection.
 */
final class CompletionLedger {
    private static final int MOST_AT_ONCE = 8;

    private final Map<Integer, Long> lastOf = new HashMap<>();
    // Written where the stack ends: nothing is called for it.
    private final long[] accepted = new long[MOST_AT_ONCE];
    private int count;
    private long next = 1;

    /** Returns the id of the next request: each is used once. */
    long next() {
        return next++;
    }

    /** Notes that the request {@code id} was answered with {@code status}. */
    void answered(long id, int status) {
        if (status == PostStatus.ACCEPTED) {
            accepted[count++] = id;
        }
    }

    /** Tells whether requests were accepted that have not completed. */
    boolean isAwaiting() {
        return count > 0;
    }

    /** Takes note of a completion whose {@code wrId} is the request's id. */
    void completed(WorkCompletion completion) {
        completed(completion.wrId(), completion);
    }

    /** Takes note of the {@code completion} of the request {@code id}. */
    void completed(long id, WorkCompletion completion) {
        Long last = lastOf.put(completion.qpNumber(), id);
        if (id <= 0 || id >= next || (last != null && id <= last)) {
            throw new AssertionError("request " + id + " completes after " + last + ": " + completion);
        }
        int left = 0;
        for (int i = 0; i < count; i++) {
            if (accepted[i] != id) {
                accepted[left++] = accepted[i];
            }
        }
        count = left;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("accepted and not completed:");
        for (int i = 0; i < count; i++) {
            text.append(' ').append(accepted[i]);
        }
        return text.toString();
    }
}

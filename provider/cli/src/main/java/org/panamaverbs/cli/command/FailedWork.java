package org.panamaverbs.cli.command;

import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;

/** Puts a work request that failed into words: its status, and why the stream ended if that is known. */
public final class FailedWork {
    private FailedWork() {}

    /** Returns the words for {@code completion}, which is no success, of {@code queuePair}. */
    public static String explain(WorkCompletion completion, QueuePair queuePair) {
        WcStatus status = completion.status();
        String vendor = completion.vendorError() == 0 ? "" : " (" + completion.vendorErrorText() + ")";
        return queuePair
                .terminateCause()
                .map(cause -> status.meaning() + "; because of " + cause)
                .orElse(status.meaning() + vendor + "; remedy: " + status.remedy());
    }
}

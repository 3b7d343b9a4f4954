package org.panamaverbs.api.recovery;

/**
 * What is known here of a request that is not known to be done. None of them says what the peer has seen: a request
 * that was sent and executed looks the same when only its acknowledgement was lost. So each may have been executed
 * wholly, in part or not at all, and to post it again may execute it twice.
 */
public enum Fate {
    /** It completed with an error that blames it, as RETRY_EXCEEDED. Its memory is the application's again. */
    FAILED,
    /**
     * It completed with WR_FLUSH_ERROR: the queue pair failed first. Its memory is the application's again. It may have
     * been sent before an earlier one failed.
     */
    FLUSHED,
    /**
     * Nothing was said of it: it was unsignaled, or its completion was lost. Its memory may be in use until the queue
     * pair is closed.
     */
    UNKNOWN
}

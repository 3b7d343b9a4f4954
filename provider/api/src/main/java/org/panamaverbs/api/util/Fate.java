package org.panamaverbs.api.util;

/**
 * What is known of a request that may not have been executed. None of the values says what the peer has seen: if only
 * the acknowledgement was lost, an executed request looks the same. Each may have been executed wholly, partly or not
 * at all, and posting it again may execute it twice.
 */
public enum Fate {
    /** Completed with an error of its own, such as RETRY_EXCEEDED. Its memory is the application's again. */
    FAILED,
    /**
     * Completed with WR_FLUSH_ERROR: the queue pair failed first. Its memory is the application's again. It may have
     * been sent before an earlier request failed.
     */
    FLUSHED,
    /**
     * No completion: it was unsignaled, or its completion was lost. Its memory may be in use until the queue pair is
     * closed.
     */
    UNKNOWN
}

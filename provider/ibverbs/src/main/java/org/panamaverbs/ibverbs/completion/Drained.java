package org.panamaverbs.ibverbs.completion;

/** How the wait for what was posted has ended. */
public enum Drained {
    /** All of it has completed with success, or nothing was posted. */
    DONE,
    /** The queue pair has failed, was closed or takes no request: what was posted may not have left. */
    FAILED,
    /** The deadline passed before. */
    LATE,
    /** The thread was interrupted before; its flag is set. */
    INTERRUPTED
}

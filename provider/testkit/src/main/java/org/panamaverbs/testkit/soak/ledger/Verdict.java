package org.panamaverbs.testkit.soak.ledger;

/** What a ledger says of a completion. */
public enum Verdict {
    /** It is the one that was due. */
    DUE,
    /** The request was completed before, or counts as completed because a later one was. */
    DUPLICATED,
    /** No such request was posted. */
    UNKNOWN,
    /** It came before its turn, or success came after a failure. */
    REORDERED,
    /** The success of a request was told that was not signaled. */
    UNASKED
}

package org.panamaverbs.iwarp.core.memory;

/** The outcome of checking an access against a {@link Region}. */
public enum AccessCheck {
    /** Allowed; the region is pinned. */
    OK,
    /** No such STag, or it is revoked. */
    INVALID_STAG,
    /** Of another protection domain or another stream. */
    NOT_ASSOCIATED,
    /** The region does not grant the right. */
    RIGHTS,
    /** Outside of the region. */
    BOUNDS,
    /** The tagged offset wraps. */
    WRAP,
    /** Allowed, and the memory is gone: its file was truncated, or its file system has no room for it. */
    FAULT
}

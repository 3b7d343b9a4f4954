package org.panamaverbs.iwarp.core.memory;

import org.jspecify.annotations.Nullable;

/**
 * How peers of this host reach a region by themselves, beside what they ask for by messages. Kept in step with the
 * region, so that whoever revokes that revokes this, and waits for both. Any thread; no call waits.
 */
public interface Exposure {
    /**
     * Lets peers at a window, which nobody is in, as far as they may do so by themselves.
     *
     * @param memory that of the registration that it is bound to; null if nobody reaches that so
     * @param offset where in the registration it begins, in octets
     * @param qpNumber the one queue pair whose peer may, 0 for all of the domain
     */
    void expose(@Nullable Exposure memory, int stag, long base, long length, long offset, int rights, int qpNumber);

    /** Lets nobody in any more; a registration, for good, and then nobody into windows on it. Can be repeated. */
    void revoke();

    /** Tells whether a peer is inside: once it is revoked, one that was let in before and that lives. */
    boolean isEntered();
}

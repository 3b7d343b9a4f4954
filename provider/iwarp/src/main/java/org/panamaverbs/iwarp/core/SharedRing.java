package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;

/**
 * Rings in memory that this side and the peer share, in which FPDUs are built where the peer finds them, and taken from
 * where it has built them. Octets are those of the transport: what goes so comes behind all that it was given, and
 * before all that it is given later. Belongs to the holder of the stream's lock; no call waits.
 */
public interface SharedRing {
    /** No place. */
    int NONE = -1;

    /** Returns this side's ring. */
    MemorySegment output();

    /**
     * Returns where in {@link #output} the next {@code octets} belong; negative if there is no room for them behind
     * each other now. Nothing is said to the peer, and what is built there without {@link #publish} is not sent.
     */
    int reserve(int octets);

    /**
     * Sends the {@code octets} that were built where {@link #reserve} said.
     *
     * @return whether the bell that wakes the peer is to be looked after
     */
    boolean publish(int octets);

    /** Returns the peer's ring: what it holds may change at any time, whatever the peer was told. */
    MemorySegment input();

    /** Returns where in {@link #input} the next octet is. */
    int next();

    /**
     * Returns how many octets are there that lie behind each other from {@link #next} on, 0 if there is nothing;
     * negative if a read is to say what there is, such as an end, or is due for another reason.
     */
    int look();

    /** Gives {@code octets} of these back to the peer, which are not looked at any more. */
    void take(int octets);
}

package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.memory.Access;

/**
 * Memory of the peer that this side's processor reaches: one access at a time, from {@link #enter} to {@link #leave}.
 * Belongs to the holder of the stream's lock; no call waits.
 */
public interface PeerMemory {
    /** Tells whether the peer is done with all that was sent to it, so that an access now comes behind it. */
    boolean isCaughtUp();

    /**
     * Begins an access to {@code length} octets, from 1, if the peer would allow it and the memory is reached. Until
     * {@link #leave} the peer waits with taking it away; so that is near, and in a {@code finally}. There is a full
     * fence inside where it returns true.
     *
     * @return false if it is to be asked for by a message, to which the peer says what it has to say
     */
    boolean enter(int stag, long taggedOffset, long length, Access right);

    /** Returns the memory that the access is to. */
    MemorySegment segment();

    /** Returns where in {@link #segment} the access begins; of an Atomic a multiple of 8. */
    long offset();

    /** Ends the access. */
    void leave();
}

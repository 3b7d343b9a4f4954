package org.panamaverbs.iwarp.shm;

import java.lang.foreign.MemorySegment;

/**
 * The two files of a stream, as one side has them. They cannot be taken for each other: a side writes its own, and the
 * peer's is read-only.
 *
 * @param own this side's
 * @param peer the peer's, read-only
 */
record RingFiles(MemorySegment own, MemorySegment peer) {
    RingFiles {
        if (own.isReadOnly() || !peer.isReadOnly()) {
            throw new IllegalArgumentException("a side writes its own file of a ring and reads its peer's");
        }
    }

    /** Returns this side's file, which is writable, and the peer's, which is only read from now on. */
    static RingFiles of(MemorySegment own, MemorySegment peer) {
        return new RingFiles(own, peer.asReadOnly());
    }
}

package org.panamaverbs.iwarp.shm;

import java.nio.ByteBuffer;

/**
 * What comes with a file over the Unix connection: which it is.
 *
 * @param place that of a slab, {@link #TABLE} for the table
 * @param writable whether it may be mapped to be written
 * @param slab the number of a slab, 0 for the table
 * @param bytes bytes of the file
 */
record Grant(int place, boolean writable, long slab, long bytes) {
    static final int TABLE = -1;

    /** Bytes of each. */
    static final int BYTES = 24;

    ByteBuffer encode() {
        return ByteBuffer.allocate(BYTES)
                .putInt(place)
                .putInt(writable ? 1 : 0)
                .putLong(slab)
                .putLong(bytes)
                .flip();
    }

    /** Reads what the peer has sent: {@value #BYTES} bytes of anything. */
    static Grant parse(ByteBuffer from) {
        return new Grant(from.getInt(0), from.getInt(4) == 1, from.getLong(8), from.getLong(16));
    }
}

package org.panamaverbs.cli.rping;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.nio.ByteOrder.BIG_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What each side of rping sends to the other: an advertisement of a buffer, or a go-ahead whose content does not count.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                                                               |
 *  +                        Tagged Offset                          +
 *  |                                                               |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                             STag                              |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                        Size in bytes                         |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * </pre>
 *
 * @param taggedOffset of the buffer, unsigned
 * @param stag of the buffer
 * @param size bytes of the buffer, unsigned
 */
record RpingInfo(long taggedOffset, int stag, int size) {
    /** Bytes on the wire. */
    static final int BYTES = 16;

    /** What is sent where only the arrival counts. */
    static final RpingInfo GO_AHEAD = new RpingInfo(0, 0, 0);

    private static final ValueLayout.OfLong LONG = JAVA_LONG_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = JAVA_INT_UNALIGNED.withOrder(BIG_ENDIAN);

    /** Reads the description in the first 16 bytes of {@code segment}. */
    static RpingInfo decode(MemorySegment segment) {
        return new RpingInfo(segment.get(LONG, 0), segment.get(INT, 8), segment.get(INT, 12));
    }

    /** Writes the description into the first 16 bytes of {@code segment}. */
    void encode(MemorySegment segment) {
        segment.set(LONG, 0, taggedOffset);
        segment.set(INT, 8, stag);
        segment.set(INT, 12, size);
    }
}

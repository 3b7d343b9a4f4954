package org.panamaverbs.channel.flow;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What channels exchange: 8 bytes of header, the payload, and padding up to the next multiple of 8. The header is one
 * little-endian word: the length of the payload below, the kind above.
 */
public final class Frame {
    /** Bytes of a header, and the alignment of frames. */
    public static final int HEADER_BYTES = 8;

    /** A message. */
    public static final int DATA = 1;
    /** Skips to the end of the ring; on the wire the header alone. */
    public static final int PAD = 2;
    /** The last frame: nothing follows. */
    public static final int END = 3;
    /** Not part of the stream: a position of contiguous release and a number of receives posted again. */
    public static final int CREDIT = 4;

    /** A message that fits no receive: its payload is in the ring, and in the receive is the header alone. */
    static final int LARGE = 5;

    /** Bytes of a credit with its header. */
    public static final int CREDIT_BYTES = HEADER_BYTES + 2 * Long.BYTES;

    private static final ValueLayout.OfLong WORD = JAVA_LONG.withOrder(LITTLE_ENDIAN);

    private Frame() {}

    /** Returns the bytes that a frame with {@code length} bytes of payload takes in the stream. */
    public static int span(int length) {
        return length + HEADER_BYTES + 7 & ~7;
    }

    static void put(MemorySegment memory, long offset, int length, int kind) {
        memory.set(WORD, offset, (long) kind << 32 | length);
    }

    /** Writes a credit, {@link #CREDIT_BYTES}, at {@code offset}. */
    public static void putCredit(MemorySegment memory, long offset, long released, long reposted) {
        put(memory, offset, CREDIT_BYTES - HEADER_BYTES, CREDIT);
        memory.set(WORD, offset + HEADER_BYTES, released);
        memory.set(WORD, offset + HEADER_BYTES + Long.BYTES, reposted);
    }

    /** Returns the header at {@code offset}. A peer may change it at any time: read it once. */
    public static long header(MemorySegment memory, long offset) {
        return memory.get(WORD, offset);
    }

    /** Returns the length in {@code header}: any number. */
    public static int length(long header) {
        return (int) header;
    }

    /** Returns the kind in {@code header}: any number. */
    public static int kind(long header) {
        return (int) (header >>> 32);
    }

    /** Returns whether {@code header} is that of a message. */
    public static boolean isMessage(long header) {
        return kind(header) == DATA || kind(header) == LARGE;
    }

    /** Returns whether {@code header} is that of a credit. */
    public static boolean isCredit(long header) {
        return header == ((long) CREDIT << 32 | CREDIT_BYTES - HEADER_BYTES);
    }

    /** Returns the position of release in the credit at {@code offset}. */
    public static long creditReleased(MemorySegment memory, long offset) {
        return memory.get(WORD, offset + HEADER_BYTES);
    }

    /** Returns the number of receives in the credit at {@code offset}. */
    public static long creditReposted(MemorySegment memory, long offset) {
        return memory.get(WORD, offset + HEADER_BYTES + Long.BYTES);
    }
}

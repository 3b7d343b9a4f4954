package org.panamaverbs.cli.demo;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Data that both peers can make from a seed, so that each can check what the other did. */
final class Pattern {
    /** What memory holds before an operation fills it. */
    static final byte BLANK = (byte) 0xEE;

    private static final ValueLayout.OfLong WORD = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Pattern() {}

    /** Returns a number that differs for each seed and salt: Stafford's 13th mix of the SplitMix64 family. */
    static long mix(long seed, long salt) {
        long z = seed + (salt + 1) * 0x9E37_79B9_7F4A_7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return z ^ (z >>> 31);
    }

    /** Fills {@code length} bytes of {@code segment} from {@code offset}. */
    static void fill(MemorySegment segment, long offset, long length, long seed) {
        long words = length / Long.BYTES;
        for (long i = 0; i < words; i++) {
            segment.set(WORD, offset + i * Long.BYTES, mix(seed, i));
        }
        for (long i = words * Long.BYTES; i < length; i++) {
            segment.set(JAVA_BYTE, offset + i, octet(seed, i));
        }
    }

    /**
     * Returns null if {@code length} bytes of {@code segment} from {@code offset} are the pattern, else what differs.
     */
    static @Nullable String difference(MemorySegment segment, long offset, long length, long seed) {
        long words = length / Long.BYTES;
        for (long i = 0; i < words; i++) {
            if (segment.get(WORD, offset + i * Long.BYTES) != mix(seed, i)) {
                return octetDifference(segment, offset, i * Long.BYTES, length, seed);
            }
        }
        return octetDifference(segment, offset, words * Long.BYTES, length, seed);
    }

    /** Returns null if {@code length} bytes of {@code segment} from {@code offset} are blank, else what differs. */
    static @Nullable String notBlank(MemorySegment segment, long offset, long length) {
        for (long i = 0; i < length; i++) {
            byte octet = segment.get(JAVA_BYTE, offset + i);
            if (octet != BLANK) {
                return "the byte %d after the end was overwritten with 0x%02x".formatted(i, octet);
            }
        }
        return null;
    }

    private static @Nullable String octetDifference(
            MemorySegment segment, long offset, long from, long length, long seed) {
        for (long i = from; i < length; i++) {
            byte octet = segment.get(JAVA_BYTE, offset + i);
            if (octet != octet(seed, i)) {
                return "byte %d of %d is 0x%02x, expected 0x%02x".formatted(i, length, octet, octet(seed, i));
            }
        }
        return null;
    }

    private static byte octet(long seed, long index) {
        return (byte) (mix(seed, index / Long.BYTES) >>> (index % Long.BYTES * Byte.SIZE));
    }
}

package org.panamaverbs.cli.demo;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Data that both peers can make from a seed, so that each can check what the other did. */
final class Pattern {
    /** What memory holds before an operation fills it. */
    static final byte BLANK = (byte) 0xEE;

    private Pattern() {}

    /** Returns a number that differs for each seed and salt: Stafford's 13th mix of the SplitMix64 family. */
    static long mix(long seed, long salt) {
        long z = seed + (salt + 1) * 0x9E37_79B9_7F4A_7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return z ^ (z >>> 31);
    }

    private static MemorySegment octets(long seed, long length) {
        byte[] octets = new byte[(int) length];
        new SplittableRandom(seed).nextBytes(octets);
        return MemorySegment.ofArray(octets);
    }

    /** Fills {@code length} bytes of {@code segment} from {@code offset}. */
    static void fill(MemorySegment segment, long offset, long length, long seed) {
        MemorySegment.copy(octets(seed, length), 0, segment, offset, length);
    }

    /**
     * Returns null if {@code length} bytes of {@code segment} from {@code offset} are the pattern, else what differs.
     */
    static @Nullable String difference(MemorySegment segment, long offset, long length, long seed) {
        MemorySegment expected = octets(seed, length);
        long at = MemorySegment.mismatch(segment, offset, offset + length, expected, 0, length);
        return at < 0
                ? null
                : "byte %d of %d is 0x%02x, expected 0x%02x"
                        .formatted(at, length, segment.get(JAVA_BYTE, offset + at), expected.get(JAVA_BYTE, at));
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
}

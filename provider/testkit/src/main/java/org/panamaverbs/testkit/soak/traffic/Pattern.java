package org.panamaverbs.testkit.soak.traffic;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Bytes that depend on a key, and their check. */
public final class Pattern {
    private static final long STEP = 0x9E37_79B9_7F4A_7C15L;

    private Pattern() {}

    private static long word(long key, long index) {
        long mixed = key + index * STEP;
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8_FEB8_6659_FD93L;
        return mixed ^ (mixed >>> 29);
    }

    /** Fills {@code length} bytes from {@code offset}. */
    public static void fill(MemorySegment segment, long offset, long length, long key) {
        long words = length >>> 3;
        for (long i = 0; i < words; i++) {
            segment.set(ValueLayout.JAVA_LONG_UNALIGNED, offset + (i << 3), word(key, i));
        }
        for (long i = words << 3; i < length; i++) {
            segment.set(ValueLayout.JAVA_BYTE, offset + i, (byte) word(key, -i));
        }
    }

    /** Returns the index of the first byte that is not as {@link #fill} left it, rounded down; -1 if all are. */
    public static long mismatch(MemorySegment segment, long offset, long length, long key) {
        long words = length >>> 3;
        for (long i = 0; i < words; i++) {
            if (segment.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + (i << 3)) != word(key, i)) {
                return i << 3;
            }
        }
        for (long i = words << 3; i < length; i++) {
            if (segment.get(ValueLayout.JAVA_BYTE, offset + i) != (byte) word(key, -i)) {
                return i;
            }
        }
        return -1;
    }
}

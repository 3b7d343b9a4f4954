package org.panamaverbs.iwarp.core.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Copies the headers of common segments: so few octets that moving some too many is faster than counting them. */
public final class ShortCopy {
    /** What is always copied: both sides must have room for it. */
    public static final int BYTES = 24;

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

    private ShortCopy() {}

    /** Copies {@value #BYTES} octets. */
    public static void copy(MemorySegment from, long fromOffset, MemorySegment to, long toOffset) {
        to.set(WORD, toOffset, from.get(WORD, fromOffset));
        to.set(WORD, toOffset + Long.BYTES, from.get(WORD, fromOffset + Long.BYTES));
        to.set(WORD, toOffset + 2 * Long.BYTES, from.get(WORD, fromOffset + 2 * Long.BYTES));
    }
}

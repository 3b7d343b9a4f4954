package org.panamaverbs.ibverbs.call;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Native memory by address, for what the data path writes and reads with every request and completion. Nothing is
 * checked, neither bounds nor life: the addresses are computed here from an index that is within its array, and the
 * caller holds the gate whose owner frees the memory only after shutting it, or holds the automatic arena. Checked
 * access costs a third of a post and half of a completion.
 */
public final class RawMemory {
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    // Our memory is aligned; the layouts that do not insist on it spare the check.
    private static final ValueLayout.OfInt INT = JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = JAVA_LONG_UNALIGNED;

    private RawMemory() {}

    public static byte getByte(long address) {
        return ALL.get(JAVA_BYTE, address);
    }

    public static short getShort(long address) {
        return ALL.get(JAVA_SHORT_UNALIGNED, address);
    }

    public static int getInt(long address) {
        return ALL.get(INT, address);
    }

    public static long getLong(long address) {
        return ALL.get(LONG, address);
    }

    public static void putByte(long address, byte value) {
        ALL.set(JAVA_BYTE, address, value);
    }

    public static void putShort(long address, short value) {
        ALL.set(JAVA_SHORT_UNALIGNED, address, value);
    }

    public static void putInt(long address, int value) {
        ALL.set(INT, address, value);
    }

    public static void putLong(long address, long value) {
        ALL.set(LONG, address, value);
    }
}

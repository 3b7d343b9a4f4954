package org.panamaverbs.sockets.rsocket;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The entries by which a peer says where the bytes for it go: memory of this side that the peer writes at any time.
 * Each field is read once, and taken for nothing before it was checked.
 *
 * <pre>
 *  bytes of an entry  0..7 address, 8..11 key, 12..15 length
 * </pre>
 */
final class TargetTable {
    /** Entries of a table, which are used in turns. */
    static final int ENTRIES = 2;

    /** Bytes of an entry. */
    static final int ENTRY_BYTES = 16;

    // Made once: a layout of another order is an object, and entries are written all the time.
    private static final ValueLayout.OfLong BIG_LONG = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LITTLE_LONG = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt BIG_INT = JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt LITTLE_INT = JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int KEY = 8;
    private static final int LENGTH = 12;

    private final MemorySegment memory;
    private final ValueLayout.OfLong longs;
    private final ValueLayout.OfInt ints;

    TargetTable(MemorySegment memory, boolean bigEndian) {
        this.memory = memory;
        longs = longs(bigEndian);
        ints = ints(bigEndian);
    }

    /** Returns the layout of an address in that order. */
    static ValueLayout.OfLong longs(boolean bigEndian) {
        return bigEndian ? BIG_LONG : LITTLE_LONG;
    }

    /** Returns the layout of a key or a length in that order. */
    static ValueLayout.OfInt ints(boolean bigEndian) {
        return bigEndian ? BIG_INT : LITTLE_INT;
    }

    /** Returns the length of entry {@code index}, 0 if nothing was written there since it was taken. */
    int length(int index) {
        int length = memory.get(ints, (long) index * ENTRY_BYTES + LENGTH);
        // The length is the last field of an entry: what was written before it is read after it.
        VarHandle.acquireFence();
        return length;
    }

    long address(int index) {
        return memory.get(longs, (long) index * ENTRY_BYTES);
    }

    int key(int index) {
        return memory.get(ints, (long) index * ENTRY_BYTES + KEY);
    }

    /** Marks entry {@code index} as taken, before anything goes to where it points. */
    void take(int index) {
        memory.set(ints, (long) index * ENTRY_BYTES + LENGTH, 0);
    }

    /** Writes an entry for a peer's table into the first {@value #ENTRY_BYTES} bytes of {@code to}. */
    static void write(MemorySegment to, boolean bigEndian, long address, int key, int length) {
        ValueLayout.OfInt ints = ints(bigEndian);
        to.set(longs(bigEndian), 0, address);
        to.set(ints, KEY, key);
        to.set(ints, LENGTH, length);
    }
}

package org.panamaverbs.sockets.rsocket;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What the peer has mapped for this side to write ({@code struct rs_iomap} of rdma-core's {@code librdmacm/rsocket.c}):
 * entries that it writes at any time into memory of this side, each taken out by its message. Each field is read once,
 * and taken for nothing before it was checked. A peer does not say what it has unmapped.
 *
 * <pre>
 *  bytes of an entry  0..7 offset, 8..15 address, 16..19 key, 20..23 length
 * </pre>
 */
public final class IomapTable {
    /** Bytes of an entry. */
    public static final int ENTRY_BYTES = 24;

    private static final int ADDRESS = 8;
    private static final int KEY = 16;
    private static final int LENGTH = 20;

    private final MemorySegment memory;
    private final ValueLayout.OfLong longs;
    private final ValueLayout.OfInt ints;

    // The entries that were taken; a length of 0 has none.
    private final long[] offsets;
    private final long[] addresses;
    private final int[] keys;
    private final long[] lengths;

    /** Has as many entries as there are in {@code memory}. */
    IomapTable(MemorySegment memory, boolean bigEndian) {
        this.memory = memory;
        longs = TargetTable.longs(bigEndian);
        ints = TargetTable.ints(bigEndian);
        int entries = (int) (memory.byteSize() / ENTRY_BYTES);
        offsets = new long[entries];
        addresses = new long[entries];
        keys = new int[entries];
        lengths = new long[entries];
    }

    /** Takes entry {@code index}, 0 or more, which the peer has written. */
    Fault take(int index) {
        if (index >= offsets.length) {
            return Fault.NO_IOMAP;
        }
        long at = (long) index * ENTRY_BYTES;
        long address = memory.get(longs, at + ADDRESS);
        long length = Integer.toUnsignedLong(memory.get(ints, at + LENGTH));
        if (length == 0 || address == 0 || ConnectData.wraps(address, length)) {
            return Fault.BAD_ENTRY;
        }
        offsets[index] = memory.get(longs, at);
        addresses[index] = address;
        keys[index] = memory.get(ints, at + KEY);
        lengths[index] = length;
        return Fault.NONE;
    }

    /** Returns the first entry that has byte {@code offset}, unsigned; -1 if none has. */
    public int find(long offset) {
        for (int i = 0; i < offsets.length; i++) {
            if (rest(i, offset) > 0) {
                return i;
            }
        }
        return -1;
    }

    /** Returns how many bytes entry {@code index} has from {@code offset} on, 0 if that is not in there. */
    public long rest(int index, long offset) {
        long into = offset - offsets[index];
        return Long.compareUnsigned(into, lengths[index]) < 0 ? lengths[index] - into : 0;
    }

    /** Returns where in the peer's memory byte {@code offset} of entry {@code index} is. */
    public long address(int index, long offset) {
        return addresses[index] + (offset - offsets[index]);
    }

    /** Returns the key of that memory. */
    public int key(int index) {
        return keys[index];
    }

    /** Writes an entry for a peer's table into the first {@value #ENTRY_BYTES} bytes of {@code to}. */
    static void write(MemorySegment to, boolean bigEndian, long offset, long address, int key, int length) {
        ValueLayout.OfLong longs = TargetTable.longs(bigEndian);
        ValueLayout.OfInt ints = TargetTable.ints(bigEndian);
        to.set(longs, 0, offset);
        to.set(longs, ADDRESS, address);
        to.set(ints, KEY, key);
        to.set(ints, LENGTH, length);
    }
}

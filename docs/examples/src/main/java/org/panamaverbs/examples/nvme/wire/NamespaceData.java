package org.panamaverbs.examples.nvme.wire;

import static org.panamaverbs.examples.nvme.wire.LittleEndian.BYTE;
import static org.panamaverbs.examples.nvme.wire.LittleEndian.LONG;

import java.lang.foreign.MemorySegment;

/**
 * What Identify says of a namespace, as far as the examples want it.
 *
 * @param blocks how many blocks it has
 * @param blockShift a block has two to the power of this bytes
 */
public record NamespaceData(long blocks, int blockShift) {
    /** Bytes of the data. */
    public static final int BYTES = 4096;

    private static final int SIZE = 0;
    private static final int CAPACITY = 8;
    private static final int USED = 16;
    private static final int FORMAT = 26;
    private static final int FORMATS = 128;
    private static final int FORMAT_BYTES = 4;
    private static final int BLOCK_SHIFT = 2;

    /** Writes the data from {@code at} on in {@code segment}. */
    public void encode(MemorySegment segment, long at) {
        MemorySegment data = segment.asSlice(at, BYTES).fill((byte) 0);
        data.set(LONG, SIZE, blocks);
        data.set(LONG, CAPACITY, blocks);
        data.set(LONG, USED, blocks);
        data.set(BYTE, FORMATS + BLOCK_SHIFT, (byte) blockShift);
    }

    /**
     * Returns what the data from {@code at} on in {@code segment} says.
     *
     * @throws IllegalArgumentException if it has no blocks, or blocks of a size that is not from 512 to 65,536 bytes
     */
    public static NamespaceData decode(MemorySegment segment, long at) {
        MemorySegment data = segment.asSlice(at, BYTES);
        int format = data.get(BYTE, FORMAT) & 0xF;
        int shift = LittleEndian.unsignedByte(data, FORMATS + (long) format * FORMAT_BYTES + BLOCK_SHIFT);
        long blocks = data.get(LONG, SIZE);
        if (shift < 9 || shift > 16 || blocks <= 0) {
            throw new IllegalArgumentException("the namespace has " + blocks + " blocks of 2^" + shift + " bytes");
        }
        return new NamespaceData(blocks, shift);
    }
}

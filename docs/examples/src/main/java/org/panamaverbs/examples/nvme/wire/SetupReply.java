package org.panamaverbs.examples.nvme.wire;

import static org.panamaverbs.examples.nvme.wire.LittleEndian.SHORT;

import java.lang.foreign.MemorySegment;

/**
 * The private data by which a controller accepts.
 *
 * @param receives how many commands it can take at once
 */
public record SetupReply(int receives) {
    /** Bytes of the private data. */
    public static final int BYTES = 32;

    /** Returns the private data. */
    public byte[] encode() {
        byte[] data = new byte[BYTES];
        MemorySegment.ofArray(data).set(SHORT, 2, (short) receives);
        return data;
    }

    /**
     * Returns what {@code data} says.
     *
     * @throws IllegalArgumentException if it is no such reply
     */
    public static SetupReply decode(byte[] data) {
        MemorySegment segment = MemorySegment.ofArray(data);
        if (data.length < 4 || LittleEndian.unsignedShort(segment, 0) != 0) {
            throw new IllegalArgumentException(
                    "the peer accepted with " + data.length + " bytes that are no reply of NVMe over RDMA");
        }
        return new SetupReply(LittleEndian.unsignedShort(segment, 2));
    }
}

package org.panamaverbs.examples.nvme.wire;

import static org.panamaverbs.examples.nvme.wire.LittleEndian.SHORT;

import java.lang.foreign.MemorySegment;

/**
 * The private data by which a host connects: which queue it is to be, and how deep.
 *
 * @param queueId 0 for the admin queue, from 1 on for I/O queues
 * @param receives how many responses the host can take at once
 * @param sends how many commands it sends at most at once, less one
 * @param controllerId of an I/O queue, since NVMe over Fabrics 1.1; Linux says 0
 */
public record SetupRequest(int queueId, int receives, int sends, int controllerId) {
    /** Bytes of the private data. */
    public static final int BYTES = 32;

    /** Returns the private data. */
    public byte[] encode() {
        byte[] data = new byte[BYTES];
        MemorySegment segment = MemorySegment.ofArray(data);
        segment.set(SHORT, 2, (short) queueId);
        segment.set(SHORT, 4, (short) receives);
        segment.set(SHORT, 6, (short) sends);
        segment.set(SHORT, 8, (short) controllerId);
        return data;
    }

    /** Returns what is wrong with the form of {@code data}, {@link SetupRejection#NONE} if nothing is. */
    public static int fault(byte[] data) {
        if (data.length < BYTES) {
            return SetupRejection.LENGTH;
        }
        return LittleEndian.unsignedShort(MemorySegment.ofArray(data), 0) == 0
                ? SetupRejection.NONE
                : SetupRejection.FORMAT;
    }

    /** Returns what {@code data} says, which is without {@link #fault}. */
    public static SetupRequest decode(byte[] data) {
        MemorySegment segment = MemorySegment.ofArray(data);
        return new SetupRequest(
                LittleEndian.unsignedShort(segment, 2),
                LittleEndian.unsignedShort(segment, 4),
                LittleEndian.unsignedShort(segment, 6),
                LittleEndian.unsignedShort(segment, 8));
    }
}

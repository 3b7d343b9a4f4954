package org.panamaverbs.examples.nvme.wire;

import static org.panamaverbs.examples.nvme.wire.LittleEndian.SHORT;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The data of a Connect command: who connects to what.
 *
 * @param hostId of the host
 * @param controllerId {@link #ANY_CONTROLLER} for a new one, for I/O queues that of their admin queue
 * @param subsystem the name of the subsystem
 * @param host the name of the host
 */
public record ConnectData(UUID hostId, int controllerId, String subsystem, String host) {
    /** Bytes of the data. */
    public static final int BYTES = 1024;
    /** A controller that is made for this host. */
    public static final int ANY_CONTROLLER = 0xFFFF;

    private static final int CONTROLLER_ID = 16;
    private static final int SUBSYSTEM = 256;
    private static final int HOST = 512;
    private static final int NAME_BYTES = 256;

    /** Writes the data from {@code at} on in {@code segment}. */
    public void encode(MemorySegment segment, long at) {
        MemorySegment data = segment.asSlice(at, BYTES).fill((byte) 0);
        byte[] id = ByteBuffer.allocate(16)
                .putLong(hostId.getMostSignificantBits())
                .putLong(hostId.getLeastSignificantBits())
                .array();
        MemorySegment.copy(id, 0, data, LittleEndian.BYTE, 0, id.length);
        data.set(SHORT, CONTROLLER_ID, (short) controllerId);
        LittleEndian.putText(data, SUBSYSTEM, NAME_BYTES, subsystem, '\0');
        LittleEndian.putText(data, HOST, NAME_BYTES, host, '\0');
    }

    /** Returns what the data from {@code at} on in {@code segment} says; any bytes say something. */
    public static ConnectData decode(MemorySegment segment, long at) {
        MemorySegment data = segment.asSlice(at, BYTES);
        ByteBuffer id = ByteBuffer.wrap(data.asSlice(0, 16).toArray(LittleEndian.BYTE));
        return new ConnectData(
                new UUID(id.getLong(), id.getLong()),
                LittleEndian.unsignedShort(data, CONTROLLER_ID),
                LittleEndian.text(data, SUBSYSTEM, NAME_BYTES),
                LittleEndian.text(data, HOST, NAME_BYTES));
    }
}

package org.panamaverbs.testkit.soak.traffic;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * What the two ends of a line tell each other in the private data.
 *
 * @param peer the number of the peer's process, -1 for the process under test
 * @param incarnation how often that process was started before
 * @param laneBytes bytes of a lane, chosen by the side that connects
 * @param receives how many messages may be on their way to the sender of this
 * @param receiveBytes bytes of each of its receives
 * @param key what its messages are filled by
 * @param buffer its buffer
 */
public record Hello(
        int peer, int incarnation, int laneBytes, int receives, int receiveBytes, long key, RemoteBuffer buffer) {
    private static final int MAGIC = 0x50_56_53_4B;
    private static final int BYTES = 6 * Integer.BYTES + RemoteBuffer.BYTES;

    /** Returns the private data. */
    public byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putInt(MAGIC)
                .putShort((short) peer)
                .putShort((short) incarnation)
                .putInt(laneBytes)
                .putShort((short) receives)
                .putShort((short) receiveBytes)
                .putLong(key)
                .put(buffer.encode())
                .array();
    }

    /** Returns what the private data say, empty if they are nothing that {@link #encode} makes. */
    public static Optional<Hello> decode(byte[] privateData) {
        ByteBuffer data = ByteBuffer.wrap(privateData);
        if (privateData.length < BYTES || data.getInt() != MAGIC) {
            return Optional.empty();
        }
        try {
            Hello hello = new Hello(
                    data.getShort(),
                    data.getShort(),
                    data.getInt(),
                    data.getShort(),
                    data.getShort(),
                    data.getLong(),
                    RemoteBuffer.decode(data));
            return hello.isLegal() ? Optional.of(hello) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Tells whether the numbers are within the limits and fit the buffer. */
    private boolean isLegal() {
        return laneBytes >= 64
                && laneBytes <= Layout.MAX_LANE_BYTES
                && laneBytes % Long.BYTES == 0
                && receives >= 0
                && receives <= Layout.MAX_RECEIVES
                && receiveBytes >= 64
                && receiveBytes <= Layout.MAX_RECEIVE_BYTES
                && buffer.length() >= new Layout(laneBytes, 0, 0).bytes();
    }
}

package org.panamaverbs.examples.nvme.wire;

import static org.panamaverbs.examples.nvme.wire.LittleEndian.SHORT;

import java.lang.foreign.MemorySegment;

/** The private data by which a controller rejects: why. */
public final class SetupRejection {
    /** Nothing is wrong. */
    public static final int NONE = 0;
    /** The private data is too short. */
    public static final int LENGTH = 1;
    /** Its format is not known. */
    public static final int FORMAT = 2;
    /** There can be no such queue. */
    public static final int QUEUE_ID = 3;
    /** More commands at once than the controller can take. */
    public static final int SENDS = 4;
    /** Fewer responses at once than there can be commands. */
    public static final int RECEIVES = 5;
    /** There is no room for another queue. */
    public static final int NO_RESOURCES = 6;

    private static final int BYTES = 4;

    private SetupRejection() {}

    /** Returns the private data that says {@code reason}. */
    public static byte[] encode(int reason) {
        byte[] data = new byte[BYTES];
        MemorySegment.ofArray(data).set(SHORT, 2, (short) reason);
        return data;
    }

    /** Returns the reason in {@code data}, for people. */
    public static String text(byte[] data) {
        if (data.length < BYTES) {
            return "no reason";
        }
        int reason = LittleEndian.unsignedShort(MemorySegment.ofArray(data), 2);
        return switch (reason) {
            case LENGTH -> "invalid length";
            case FORMAT -> "invalid record format";
            case QUEUE_ID -> "invalid queue id";
            case SENDS -> "invalid size of the host's send queue";
            case RECEIVES -> "invalid size of the host's receive queue";
            case NO_RESOURCES -> "no resources";
            default -> "reason " + reason;
        };
    }
}

package org.panamaverbs.examples.nvme.wire;

import static org.panamaverbs.examples.nvme.wire.LittleEndian.LONG;
import static org.panamaverbs.examples.nvme.wire.LittleEndian.SHORT;

import java.lang.foreign.MemorySegment;

/**
 * The 16 bytes of a response capsule, where they lie: a completion queue entry.
 *
 * <pre>
 *   0 result (8)    8 head of the submission queue (2)    10 its id, 0 in fabrics (2)
 *  12 command id (2)    14 status, shifted by one bit (2)
 * </pre>
 */
public final class Response {
    /** Bytes of a response. */
    public static final int BYTES = 16;

    private static final int HEAD = 8;
    private static final int ID = 12;
    private static final int STATUS = 14;

    private final MemorySegment octets;

    /** Creates a view of the response from {@code at} on in {@code segment}. */
    public Response(MemorySegment segment, long at) {
        octets = segment.asSlice(at, BYTES);
    }

    /** Fills in all fields; {@code head} says how many entries of the host's queue are free again. */
    public Response set(int commandId, int status, long result, int head) {
        octets.fill((byte) 0);
        octets.set(LONG, 0, result);
        octets.set(SHORT, HEAD, (short) head);
        octets.set(SHORT, ID, (short) commandId);
        octets.set(SHORT, STATUS, (short) (status << 1));
        return this;
    }

    /** Returns the result, which each command has for itself. */
    public long result() {
        return octets.get(LONG, 0);
    }

    /** Returns the id of the command that this answers, 0 to 65535. */
    public int commandId() {
        return LittleEndian.unsignedShort(octets, ID);
    }

    /** Returns the {@link Status}. */
    public int status() {
        return LittleEndian.unsignedShort(octets, STATUS) >>> 1;
    }
}

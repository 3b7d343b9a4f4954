package org.panamaverbs.iwarp.wire;

import java.lang.foreign.MemorySegment;

/**
 * Emits the two DDP headers (RFC 5041 §4) with the RDMAP octets inside them (RFC 5040 §4.1), and reads the bits both
 * share.
 *
 * <pre>
 *  octet 0  | T | L | Rsvd 4 | DV 2 |      T 1 = tagged, L 1 = last segment of the message, DV = 01
 *  octet 1  | RV 2 | Rsv 2 | Opcode 4 |    see {@link Opcode}
 *
 *  tagged    0     1       2          6               14
 *            | DDP | RDMAP | STag     | TO            | payload ...
 *  untagged  0     1       2          6      10       14     18
 *            | DDP | RDMAP | RsvdULP  | QN   | MSN    | MO   | payload ...
 * </pre>
 *
 * <p>RsvdULP holds the STag to invalidate for the two Sends with Invalidate and is 0 otherwise.
 */
public final class DdpHeader {
    /** Size of a tagged header. */
    public static final int TAGGED_BYTES = 14;
    /** Size of an untagged header. */
    public static final int UNTAGGED_BYTES = 18;
    /** Octets needed to tell the two apart and to name the message. */
    public static final int CONTROL_BYTES = 2;
    /** The DDP version of RFC 5041. */
    public static final int DDP_VERSION = 1;

    /** Where the RDMAP control octet lies, in both headers; {@link Opcode} draws it. */
    public static final int RDMAP_CONTROL = 1;

    static final int STAG = 2;
    static final int TO = 6;
    static final int QN = 6;
    static final int MSN = 10;
    static final int MO = 14;

    private static final int TAGGED_BIT = 0x80;
    private static final int LAST_BIT = 0x40;
    private static final int VERSION_MASK = 0x03;
    private static final int RESERVED_SHIFT = 2;
    private static final int RESERVED_MASK = 0x0F;

    private DdpHeader() {}

    /** T of a DDP control octet. */
    public static boolean isTagged(int control) {
        return (control & TAGGED_BIT) != 0;
    }

    /** L of a DDP control octet. */
    public static boolean isLast(int control) {
        return (control & LAST_BIT) != 0;
    }

    /** DV of a DDP control octet, 0..3. */
    public static int version(int control) {
        return control & VERSION_MASK;
    }

    /** The four reserved bits of a DDP control octet, 0..15; 0 on transmit. */
    public static int reserved(int control) {
        return control >>> RESERVED_SHIFT & RESERVED_MASK;
    }

    /** Size of the header that begins with this DDP control octet: 14 or 18. */
    public static int size(int control) {
        return isTagged(control) ? TAGGED_BYTES : UNTAGGED_BYTES;
    }

    /**
     * Writes a tagged header, {@value #TAGGED_BYTES} octets.
     *
     * @param last whether this is the message's last segment
     * @param opcode RDMA Write or RDMA Read Response
     * @param to tagged offset of this segment's first payload octet
     */
    public static void emitTagged(MemorySegment segment, long offset, boolean last, Opcode opcode, int stag, long to) {
        segment.set(Wire.U16, offset, (short) taggedControls(last, opcode));
        segment.set(Wire.U32, offset + STAG, stag);
        segment.set(Wire.U64, offset + TO, to);
    }

    /** Both control octets of a tagged header, the DDP one in bits 8 to 15. */
    public static int taggedControls(boolean last, Opcode opcode) {
        return (TAGGED_BIT | (last ? LAST_BIT : 0) | DDP_VERSION) << 8 | opcode.control();
    }

    /** Both control octets of an untagged header, the DDP one in bits 8 to 15. */
    public static int untaggedControls(boolean last, Opcode opcode) {
        return ((last ? LAST_BIT : 0) | DDP_VERSION) << 8 | opcode.control();
    }

    /**
     * Writes an untagged header, {@value #UNTAGGED_BYTES} octets, to the queue that belongs to the opcode.
     *
     * @param last whether this is the message's last segment
     * @param invalidateStag the STag to invalidate, or 0
     * @param mo offset of this segment's first payload octet in the message
     */
    public static void emitUntagged(
            MemorySegment segment, long offset, boolean last, Opcode opcode, int invalidateStag, int msn, int mo) {
        emitUntagged(segment, offset, last, opcode, invalidateStag, opcode.queue(), msn, mo);
    }

    /** As the shorter form, with an explicit queue number; only tests of bad peers need another than the opcode's. */
    public static void emitUntagged(
            MemorySegment segment,
            long offset,
            boolean last,
            Opcode opcode,
            int invalidateStag,
            int qn,
            int msn,
            int mo) {
        segment.set(Wire.U16, offset, (short) untaggedControls(last, opcode));
        segment.set(Wire.U32, offset + STAG, invalidateStag);
        segment.set(Wire.U32, offset + QN, qn);
        segment.set(Wire.U32, offset + MSN, msn);
        segment.set(Wire.U32, offset + MO, mo);
    }
}

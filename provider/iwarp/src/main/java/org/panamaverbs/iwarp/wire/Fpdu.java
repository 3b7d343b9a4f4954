package org.panamaverbs.iwarp.wire;

import java.lang.foreign.MemorySegment;

/**
 * The MPA frame around one DDP segment (RFC 5044 §4), without markers:
 *
 * <pre>
 *  0              2                       2+len      multiple of 4
 *  | ULPDU_Length | ULPDU = DDP segment   | 0..3 zero octets | CRC32C 4 |
 * </pre>
 *
 * <p>ULPDU_Length counts neither pad, CRC nor markers. The CRC field is always there; with CRC off its content means
 * nothing. All lengths are octets.
 */
public final class Fpdu {
    /** Size of ULPDU_Length. */
    public static final int LENGTH_BYTES = 2;
    /** Size of the CRC field. */
    public static final int CRC_BYTES = 4;
    /** Longest pad. */
    public static final int MAX_PAD = 3;
    /** Longest ULPDU the length field can announce; must be accepted on receive. */
    public static final int MAX_ULPDU = 0xFFFF;
    /** Smallest MULPDU; every control message fits into it. */
    public static final int MIN_MULPDU = 128;
    /** Largest MULPDU, the limit for sending. */
    public static final int MAX_MULPDU = 64768;
    /** Smallest FPDU with a whole DDP header: a tagged segment without payload. */
    public static final int MIN_BYTES = 20;
    /** Largest FPDU a peer can announce. */
    public static final int MAX_BYTES = LENGTH_BYTES + MAX_ULPDU + MAX_PAD + CRC_BYTES;

    private static final int ALIGN_MASK = 3;
    private static final int FRAME_BYTES = LENGTH_BYTES + CRC_BYTES;

    private Fpdu() {}

    /** Number of zero octets behind the ULPDU, 0..3. */
    public static int pad(int ulpduLength) {
        return -(LENGTH_BYTES + ulpduLength) & ALIGN_MASK;
    }

    /**
     * Distance from ULPDU_Length to the CRC field, which is also the number of octets the CRC covers; a multiple of 4.
     */
    public static int crcOffset(int ulpduLength) {
        return LENGTH_BYTES + ulpduLength + pad(ulpduLength);
    }

    /** Size of the whole FPDU without markers; a multiple of 4. */
    public static int size(int ulpduLength) {
        return crcOffset(ulpduLength) + CRC_BYTES;
    }

    /**
     * The largest ULPDU that lets an FPDU fit into one TCP segment (RFC 5044 §4.5).
     *
     * @param emss the connection's effective maximum segment size in octets
     * @param markers whether the peer demands markers
     * @return 128..64768
     */
    public static int mulpdu(int emss, boolean markers) {
        // RFC 5044 §4.5: MULPDU = EMSS - (6 + 4 * Ceiling(EMSS / 512) + EMSS mod 4),
        // without markers EMSS - (6 + EMSS mod 4)
        int markerBytes = markers ? Markers.BYTES * Math.ceilDiv(emss, Markers.SPACING) : 0;
        int mulpdu = emss - (FRAME_BYTES + markerBytes + (emss & ALIGN_MASK));
        return Math.clamp(mulpdu, MIN_MULPDU, MAX_MULPDU);
    }

    /** ULPDU_Length of the FPDU at {@code offset}, 0..65535. */
    public static int ulpduLength(MemorySegment segment, long offset) {
        return Short.toUnsignedInt(segment.get(Wire.U16, offset));
    }

    /** Writes ULPDU_Length at {@code offset}. */
    public static void emitLength(MemorySegment segment, long offset, int ulpduLength) {
        segment.set(Wire.U16, offset, (short) ulpduLength);
    }

    /**
     * Writes ULPDU_Length and a tagged header behind it, {@value #LENGTH_BYTES} and {@value DdpHeader#TAGGED_BYTES}
     * octets: two words, so that what reads them next need not wait for single octets to arrive in memory.
     *
     * @param last whether this is the message's last segment
     * @param opcode RDMA Write or RDMA Read Response
     * @param to tagged offset of this segment's first payload octet
     */
    public static void emitTagged(
            MemorySegment segment, long offset, int ulpduLength, boolean last, Opcode opcode, int stag, long to) {
        emitTagged(segment, offset, ulpduLength, DdpHeader.taggedControls(last, opcode), stag, to);
    }

    /** The same, of both control octets. */
    public static void emitTagged(
            MemorySegment segment, long offset, int ulpduLength, int controls, int stag, long to) {
        segment.set(Wire.U64, offset, first(ulpduLength, controls, stag));
        segment.set(Wire.U64, offset + Long.BYTES, to);
    }

    /**
     * Writes ULPDU_Length and an untagged header behind it, {@value #LENGTH_BYTES} and
     * {@value DdpHeader#UNTAGGED_BYTES} octets, to the queue that belongs to the opcode; as words, for the same reason.
     *
     * @param last whether this is the message's last segment
     * @param invalidateStag the STag to invalidate, or 0
     * @param mo offset of this segment's first payload octet in the message
     */
    public static void emitUntagged(
            MemorySegment segment,
            long offset,
            int ulpduLength,
            boolean last,
            Opcode opcode,
            int invalidateStag,
            int msn,
            int mo) {
        segment.set(Wire.U64, offset, first(ulpduLength, DdpHeader.untaggedControls(last, opcode), invalidateStag));
        segment.set(Wire.U64, offset + Long.BYTES, (long) opcode.queue() << 32 | Integer.toUnsignedLong(msn));
        segment.set(Wire.U32, offset + 2 * Long.BYTES, mo);
    }

    /** The header of a segment that is a message, and has no STag to invalidate, of both control octets. */
    public static void emitUntagged(
            MemorySegment segment, long offset, int ulpduLength, int controls, int queue, int msn) {
        segment.set(Wire.U64, offset, first(ulpduLength, controls, 0));
        segment.set(Wire.U64, offset + Long.BYTES, (long) queue << 32 | Integer.toUnsignedLong(msn));
        segment.set(Wire.U32, offset + 2 * Long.BYTES, 0);
    }

    private static long first(int ulpduLength, int controls, int stag) {
        return (long) ulpduLength << 48 | (long) controls << 32 | Integer.toUnsignedLong(stag);
    }

    /**
     * The first eight octets of the FPDU at {@code offset}: ULPDU_Length, both control octets, and four that are the
     * STag of a tagged segment.
     */
    public static long first(MemorySegment segment, long offset) {
        return segment.get(Wire.U64, offset);
    }

    /** ULPDU_Length of what {@link #first(MemorySegment, long)} has read, 0..65535. */
    public static int ulpduLength(long first) {
        return (int) (first >>> 48);
    }

    /** The DDP control octet of it. */
    public static int ddpControl(long first) {
        return (int) (first >>> 40) & 0xFF;
    }

    /** The RDMAP control octet of it. */
    public static int rdmapControl(long first) {
        return (int) (first >>> 32) & 0xFF;
    }

    /** Both control octets of it, the DDP one in bits 8 to 15. */
    public static int controls(long first) {
        return (int) (first >>> 32) & 0xFFFF;
    }

    /** The STag of a tagged segment, of it. */
    public static int stag(long first) {
        return (int) first;
    }

    /** The second eight octets: a tagged offset, or a queue number and behind it an MSN. */
    public static long second(MemorySegment segment, long offset) {
        return segment.get(Wire.U64, offset + Long.BYTES);
    }

    /** The MO of an untagged segment. */
    public static int mo(MemorySegment segment, long offset) {
        return segment.get(Wire.U32, offset + 2 * Long.BYTES);
    }

    /**
     * Writes the zero octets that follow a ULPDU.
     *
     * @param offset where the ULPDU ends
     * @return the number of octets written, 0..3
     */
    public static int emitPad(MemorySegment segment, long offset, int ulpduLength) {
        int pad = pad(ulpduLength);
        for (int i = 0; i < pad; i++) {
            segment.set(Wire.OCTET, offset + i, (byte) 0);
        }
        return pad;
    }
}

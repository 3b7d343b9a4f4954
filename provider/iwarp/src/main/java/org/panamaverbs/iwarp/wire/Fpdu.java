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
        // RFC 5044 §4.5: MULPDU = EMSS - (6 + 4 * Ceiling(EMSS / 512) + EMSS mod 4), without markers EMSS - (6 + EMSS
        // mod 4)
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

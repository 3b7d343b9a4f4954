package org.panamaverbs.iwarp.wire;

import java.lang.foreign.MemorySegment;

/**
 * Emits the header of a Terminate (RFC 5040 §4.8), right behind the untagged DDP header. {@link Terminate} reads one.
 *
 * <pre>
 *  0               1               2                    3          4
 *  | Layer | EType | Error Code    | M D R | Rsvd 5     | Rsvd     |
 *  4                    6                                20 or 24      48 or 52
 *  | DDP Segment Length | terminated DDP header 14 or 18 | Read Request header 28 |
 *
 *  octet 2: M 0x80 the length is valid, D 0x40 DDP header included, R 0x20 RDMAP header included
 * </pre>
 *
 * <p>What is not included is not there at all; the length is there with the DDP header.
 */
public final class TerminateHeader {
    /** Size without any returned header. */
    public static final int MIN_BYTES = 4;
    /** Size with an untagged DDP header and a Read Request header. */
    public static final int MAX_BYTES = 52;

    /** Where M, D, R and the reserved bits lie, two octets. */
    public static final int FLAGS = 2;

    static final int CODE = 1;
    static final int SEGMENT_LENGTH = 4;
    /** Where the returned DDP header begins, if there is one. */
    public static final int DDP_HEADER = 6;

    static final int FLAG_M = 0x80;
    static final int FLAG_D = 0x40;
    static final int FLAG_R = 0x20;

    private static final int LAYER_SHIFT = 4;

    private TerminateHeader() {}

    /** Writes the {@value #MIN_BYTES} octets of a Terminate that returns no header, and returns their number. */
    public static int emit(MemorySegment segment, long offset, TerminateCode code) {
        emitControl(segment, offset, code, 0);
        return MIN_BYTES;
    }

    /**
     * Writes a Terminate that returns the DDP header of the segment at fault.
     *
     * @param segmentLength length of the whole DDP segment at fault, which is its ULPDU_Length, in octets
     * @param headers where that segment's headers are
     * @param headersOffset where its DDP header begins
     * @param readRequest whether to return the {@value ReadRequestView#BYTES} octets behind the DDP header as well;
     *     only for an RDMA Read Request, whose DDP header is untagged
     * @return octets written
     */
    public static int emit(
            MemorySegment segment,
            long offset,
            TerminateCode code,
            int segmentLength,
            MemorySegment headers,
            long headersOffset,
            boolean readRequest) {
        emitControl(segment, offset, code, FLAG_M | FLAG_D | (readRequest ? FLAG_R : 0));
        segment.set(Wire.U16, offset + SEGMENT_LENGTH, (short) segmentLength);
        int ddpHeader = DdpHeader.size(headers.get(Wire.OCTET, headersOffset));
        int bytes = ddpHeader + (readRequest ? ReadRequestView.BYTES : 0);
        MemorySegment.copy(headers, headersOffset, segment, offset + DDP_HEADER, bytes);
        return DDP_HEADER + bytes;
    }

    private static void emitControl(MemorySegment segment, long offset, TerminateCode code, int flags) {
        segment.set(Wire.OCTET, offset, (byte) (code.layer() << LAYER_SHIFT | code.errorType()));
        segment.set(Wire.OCTET, offset + CODE, (byte) code.code());
        segment.set(Wire.U16, offset + FLAGS, (short) (flags << Byte.SIZE));
    }
}

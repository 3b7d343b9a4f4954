package org.panamaverbs.iwarp.wire;

import java.lang.foreign.MemorySegment;

/**
 * A Terminate as received; {@link TerminateHeader} draws its layout. Reading is forgiving, because the stream is over
 * anyway and the peer's reason is worth having: it accepts the bit order of Linux siw on little-endian hosts, error
 * type 3 for MPA errors, both meanings of the segment length, and messages that end before what their flags promise.
 *
 * @param code the peer's reason
 * @param segmentLength DDP Segment Length as received, or -1 when absent; {@link #ulpduLength} interprets it
 * @param ddpHeader returned DDP header, 14 or 18 octets, or empty
 * @param rdmapHeader returned Read Request header, 28 octets, or empty
 * @param siwLayout whether the bits stood as siw puts them
 */
public record Terminate(
        TerminateCode code, int segmentLength, Octets ddpHeader, Octets rdmapHeader, boolean siwLayout) {
    /** {@link #segmentLength} when the Terminate has none. */
    public static final int NO_LENGTH = -1;

    private static final int NIBBLE = 4;
    private static final int NIBBLE_MASK = 0x0F;

    // siw declares its bit fields low bits first: M, D and R land
    // at the bottom of the octet, the nibbles change places.
    private static final int SIW_FLAG_M = 0x01;
    private static final int SIW_FLAG_D = 0x02;
    private static final int SIW_FLAG_R = 0x04;
    private static final int SIW_FLAGS = SIW_FLAG_M | SIW_FLAG_D | SIW_FLAG_R;
    private static final int RFC_FLAGS = TerminateHeader.FLAG_M | TerminateHeader.FLAG_D | TerminateHeader.FLAG_R;

    /**
     * Reads a Terminate. Never fails: octets that are missing count as zero.
     *
     * @param offset where the Terminate header begins, right behind the DDP header
     * @param length octets of the message, as received
     * @param setup whether this is the first FPDU of a connection's initiator, the only place where the errors of
     *     connection set-up can appear; it settles what a few headerless encodings mean
     */
    public static Terminate decode(MemorySegment segment, long offset, int length, boolean setup) {
        int first = octet(segment, offset, length, 0);
        int code = octet(segment, offset, length, TerminateHeader.CODE);
        int flags = octet(segment, offset, length, TerminateHeader.FLAGS);
        boolean siw = isSiwLayout(first, code, flags, setup);
        int layer = siw ? first & NIBBLE_MASK : first >>> NIBBLE;
        int errorType = siw ? first >>> NIBBLE : first & NIBBLE_MASK;
        boolean hasD = (flags & (siw ? SIW_FLAG_D : TerminateHeader.FLAG_D)) != 0;
        boolean hasM = (flags & (siw ? SIW_FLAG_M : TerminateHeader.FLAG_M)) != 0;
        boolean hasR = (flags & (siw ? SIW_FLAG_R : TerminateHeader.FLAG_R)) != 0;

        int segmentLength = NO_LENGTH;
        if (hasM && length >= TerminateHeader.DDP_HEADER) {
            segmentLength = Short.toUnsignedInt(segment.get(Wire.U16, offset + TerminateHeader.SEGMENT_LENGTH));
        }
        Octets ddpHeader = Octets.EMPTY;
        Octets rdmapHeader = Octets.EMPTY;
        if (hasD && length > TerminateHeader.DDP_HEADER) {
            int ddpBytes = DdpHeader.size(octet(segment, offset, length, TerminateHeader.DDP_HEADER));
            ddpHeader = whole(segment, offset, length, TerminateHeader.DDP_HEADER, ddpBytes);
            // siw sets R for a Send with Invalidate too, without the octets; R also never goes with a tagged header.
            if (hasR && ddpBytes == DdpHeader.UNTAGGED_BYTES) {
                int rdmapOffset = TerminateHeader.DDP_HEADER + ddpBytes;
                rdmapHeader = whole(segment, offset, length, rdmapOffset, ReadRequestView.BYTES);
            }
        }
        return new Terminate(TerminateCode.lookup(layer, errorType, code), segmentLength, ddpHeader, rdmapHeader, siw);
    }

    private static boolean isSiwLayout(int first, int code, int flags, boolean setup) {
        if ((flags & RFC_FLAGS) != 0) {
            return false;
        }
        if ((flags & SIW_FLAGS) != 0) {
            return true;
        }
        // No headers, so only the meaning can tell. Where both readings exist, set-up errors belong to set-up.
        if (first == 0x20 && (code == 0x05 || code == 0x06)) {
            return !setup;
        }
        if (first == 0x02 && (code == 0x06 || code == 0x07)) {
            return setup;
        }
        int high = first >>> NIBBLE;
        int low = first & NIBBLE_MASK;
        return high != low && !TerminateCode.isKnown(high, low, code) && TerminateCode.isKnown(low, high, code);
    }

    private static int octet(MemorySegment segment, long offset, int length, int index) {
        return index < length ? Byte.toUnsignedInt(segment.get(Wire.OCTET, offset + index)) : 0;
    }

    private static Octets whole(MemorySegment segment, long offset, int length, int from, int bytes) {
        return from + bytes <= length ? Octets.copyOf(segment, offset + from, bytes) : Octets.EMPTY;
    }

    /**
     * ULPDU_Length of the segment at fault, or -1 when unknown. Some peers report only the payload; a length that is
     * shorter than the returned header, or comes from siw, is taken as that.
     */
    public int ulpduLength() {
        if (segmentLength == NO_LENGTH || ddpHeader.isEmpty()) {
            return segmentLength;
        }
        boolean payloadOnly = siwLayout || segmentLength < ddpHeader.size();
        return payloadOnly ? segmentLength + headerBytes() : segmentLength;
    }

    private int headerBytes() {
        Opcode opcode = Opcode.ofControl(ddpHeader.at(DdpHeader.RDMAP_CONTROL));
        return ddpHeader.size() + (opcode == null ? 0 : opcode.headerBytes());
    }
}

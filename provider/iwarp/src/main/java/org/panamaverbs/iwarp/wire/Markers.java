package org.panamaverbs.iwarp.wire;

import java.lang.foreign.MemorySegment;

/**
 * The arithmetic of MPA markers (RFC 5044 §4.3):
 *
 * <pre>
 *  | 00 00 | FPDUPTR |      at each stream position that is a multiple of 512
 * </pre>
 *
 * <p>Positions count from the first octet after the MPA start-up frame of a direction, where the first marker stands;
 * markers themselves count. FPDUPTR is the distance from the ULPDU_Length of the FPDU a marker lies in to the marker,
 * and 0 for a marker between two FPDUs, which belongs to the one that follows. ULPDU_Length never counts markers. As
 * FPDUs are multiples of four octets, a marker splits neither ULPDU_Length nor the CRC field.
 *
 * <p>A position may be the full count or the count modulo 512: every method gives the same answer for both.
 */
public final class Markers {
    /** Distance between two markers, in octets. */
    public static final int SPACING = 512;
    /** Size of a marker. */
    public static final int BYTES = 4;
    /** Octets of FPDU between two markers. */
    public static final int DATA_BETWEEN = SPACING - BYTES;

    private static final int POSITION_MASK = SPACING - 1;
    private static final int POINTER_OFFSET = 2;

    private Markers() {}

    /** True when the octet at {@code position} is the first of a marker. */
    public static boolean isDue(long position) {
        return (position & POSITION_MASK) == 0;
    }

    /** Octets of FPDU data from {@code position} to the next marker: 0 (a marker is due now) to 511. */
    public static int bytesToNext(long position) {
        return (int) (-position & POSITION_MASK);
    }

    /**
     * Number of markers sent with an FPDU. A marker due exactly behind its last octet is left to the next FPDU.
     *
     * @param position stream position at which the FPDU's turn begins, before a leading marker
     * @param fpduBytes size of the FPDU without markers
     */
    public static int count(long position, int fpduBytes) {
        int first = bytesToNext(position);
        return first >= fpduBytes ? 0 : 1 + (fpduBytes - first - 1) / DATA_BETWEEN;
    }

    /** Size on the wire of an FPDU of {@code fpduBytes} whose turn begins at {@code position}, markers included. */
    public static int sizeWithMarkers(long position, int fpduBytes) {
        return fpduBytes + BYTES * count(position, fpduBytes);
    }

    /**
     * FPDUPTR of one of the markers sent with an FPDU.
     *
     * @param position stream position at which the FPDU's turn begins, before a leading marker
     * @param index 0 for the first of {@link #count} markers
     */
    public static int fpduPointer(long position, int index) {
        int first = bytesToNext(position);
        if (first > 0) {
            return first + index * SPACING;
        }
        // The leading marker lies in front of ULPDU_Length, so the distances of the others are four octets shorter.
        return index == 0 ? 0 : index * SPACING - BYTES;
    }

    /** Writes a marker; {@code fpduPointer} is 0..65535. */
    public static void emit(MemorySegment segment, long offset, int fpduPointer) {
        segment.set(Wire.U32, offset, fpduPointer & 0xFFFF);
    }

    /** FPDUPTR of the marker at {@code offset}, 0..65535. The reserved half is not looked at. */
    public static int fpduPointer(MemorySegment segment, long offset) {
        return Short.toUnsignedInt(segment.get(Wire.U16, offset + POINTER_OFFSET));
    }
}

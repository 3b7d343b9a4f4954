package org.panamaverbs.iwarp.wire;

import java.lang.foreign.MemorySegment;

/**
 * Whole FPDUs made of, and taken apart with, nothing but the wire layer's parts. For tests, which do not mind copies.
 */
public final class Framing {
    private Framing() {}

    /** Emits a DDP segment or the like at offset 0 of a heap segment and returns the octets it wrote. */
    public interface Emitter {
        /** Writes, and returns how many octets. */
        int emit(MemorySegment segment);
    }

    /** A DDP segment of what {@code emitter} writes. */
    public static byte[] ulpdu(Emitter emitter) {
        byte[] room = new byte[Fpdu.MAX_ULPDU];
        int length = emitter.emit(MemorySegment.ofArray(room));
        return java.util.Arrays.copyOf(room, length);
    }

    /** The FPDU around a ULPDU, without markers. */
    public static byte[] fpdu(byte... ulpdu) {
        byte[] bytes = new byte[Fpdu.size(ulpdu.length)];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        Fpdu.emitLength(segment, 0, ulpdu.length);
        MemorySegment.copy(MemorySegment.ofArray(ulpdu), 0, segment, Fpdu.LENGTH_BYTES, ulpdu.length);
        Fpdu.emitPad(segment, Fpdu.LENGTH_BYTES + ulpdu.length, ulpdu.length);
        Crc32c crc = new Crc32c();
        crc.update(segment, 0, Fpdu.crcOffset(ulpdu.length));
        crc.emit(segment, Fpdu.crcOffset(ulpdu.length));
        return bytes;
    }

    /** The FPDU around a ULPDU on a stream with markers, where its turn begins at {@code position}. */
    public static byte[] fpduWithMarkers(long position, byte... ulpdu) {
        MemorySegment plain = MemorySegment.ofArray(fpdu(ulpdu));
        int plainBytes = (int) plain.byteSize();
        byte[] bytes = new byte[Markers.sizeWithMarkers(position, plainBytes)];
        MemorySegment wire = MemorySegment.ofArray(bytes);
        int from = 0;
        int to = 0;
        for (int index = 0; from < plainBytes; ) {
            if (Markers.isDue(position + to)) {
                Markers.emit(wire, to, Markers.fpduPointer(position, index++));
                to += Markers.BYTES;
            }
            int run = Math.min(plainBytes - from, Markers.bytesToNext(position + to));
            MemorySegment.copy(plain, from, wire, to, run);
            from += run;
            to += run;
        }
        Crc32c crc = new Crc32c();
        crc.update(wire, 0, bytes.length - Fpdu.CRC_BYTES);
        crc.emit(wire, bytes.length - Fpdu.CRC_BYTES);
        return bytes;
    }

    /**
     * The ULPDU of one whole FPDU; a wrong length, pad or CRC is an {@link AssertionError}.
     *
     * @param markers whether the stream has markers
     * @param position where the FPDU's turn begins in the stream; without markers it does not matter
     */
    public static byte[] open(byte[] wire, boolean markers, long position) {
        return open(wire, true, markers, position);
    }

    /** The same, where the CRC counts only if {@code withCrc}. */
    public static byte[] open(byte[] wire, boolean withCrc, boolean markers, long position) {
        byte[] plain = markers ? stripMarkers(wire, position) : wire;
        MemorySegment segment = MemorySegment.ofArray(plain);
        int length = Fpdu.ulpduLength(segment, 0);
        if (plain.length != Fpdu.size(length)) {
            throw new AssertionError(
                    "FPDU has %d octets, ULPDU_Length %d wants %d".formatted(plain.length, length, Fpdu.size(length)));
        }
        MemorySegment covered = MemorySegment.ofArray(wire);
        Crc32c crc = new Crc32c();
        crc.update(covered, 0, wire.length - Fpdu.CRC_BYTES);
        if (withCrc && !crc.matches(covered, wire.length - Fpdu.CRC_BYTES)) {
            throw new AssertionError("CRC mismatch, expected 0x%08x".formatted(crc.wireValue()));
        }
        for (int i = Fpdu.LENGTH_BYTES + length; i < Fpdu.crcOffset(length); i++) {
            if (plain[i] != 0) {
                throw new AssertionError("pad octet %d is not zero".formatted(i));
            }
        }
        return java.util.Arrays.copyOfRange(plain, Fpdu.LENGTH_BYTES, Fpdu.LENGTH_BYTES + length);
    }

    private static byte[] stripMarkers(byte[] wire, long position) {
        MemorySegment segment = MemorySegment.ofArray(wire);
        byte[] plain = new byte[wire.length];
        int from = 0;
        int to = 0;
        for (int index = 0; from < wire.length; ) {
            if (Markers.isDue(position + from)) {
                int pointer = Markers.fpduPointer(segment, from);
                if (pointer != Markers.fpduPointer(position, index)) {
                    throw new AssertionError("marker %d has FPDUPTR %d".formatted(index, pointer));
                }
                index++;
                from += Markers.BYTES;
            }
            int run = Math.min(wire.length - from, Markers.bytesToNext(position + from));
            System.arraycopy(wire, from, plain, to, run);
            from += run;
            to += run;
        }
        return java.util.Arrays.copyOf(plain, to);
    }
}

package org.panamaverbs.cli.decode;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.panamaverbs.iwarp.wire.Crc32c;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.EnhancedBlock;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.Markers;
import org.panamaverbs.iwarp.wire.MpaFrame;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.Opcode;

/** Writes streams of MPA frames and FPDUs, with and without CRCs and markers. */
final class Fpdus {
    private final boolean crc;
    private final boolean markers;
    private final ByteArrayOutputStream stream = new ByteArrayOutputStream();
    private int messages;

    Fpdus(boolean crc, boolean markers) {
        this.crc = crc;
        this.markers = markers;
    }

    /** FPDUs with CRCs and without markers. */
    Fpdus() {
        this(true, false);
    }

    /** An MPA frame of revision 1. */
    static byte[] mpa(boolean reply, boolean crc, boolean markers) {
        return new MpaFrame(reply, markers, crc, false, 1, null, Octets.EMPTY).encode();
    }

    /** An MPA frame of this revision, with CRC and without markers. */
    static byte[] mpa(boolean reply, int revision) {
        EnhancedBlock block = revision == 2 ? EnhancedBlock.clientServer(4, 3) : null;
        return new MpaFrame(reply, false, true, false, revision, block, Octets.EMPTY).encode();
    }

    /** A Reply that rejects the connection. */
    static byte[] reject() {
        return new MpaFrame(true, false, true, true, 1, null, Octets.of((byte) 7)).encode();
    }

    /** The next Send, with so many octets of noise that depends on {@code seed}. */
    Fpdus send(int payloadBytes, long seed) {
        byte[] ulpdu = new byte[DdpHeader.UNTAGGED_BYTES + payloadBytes];
        byte[] payload = new byte[payloadBytes];
        new Random(seed).nextBytes(payload);
        messages++;
        DdpHeader.emitUntagged(MemorySegment.ofArray(ulpdu), 0, true, Opcode.SEND, 0, messages, 0);
        System.arraycopy(payload, 0, ulpdu, DdpHeader.UNTAGGED_BYTES, payloadBytes);
        return ulpdu(ulpdu);
    }

    /** A DDP segment of the caller. */
    Fpdus ulpdu(byte[] ulpdu) {
        byte[] plain = new byte[Fpdu.size(ulpdu.length)];
        Fpdu.emitLength(MemorySegment.ofArray(plain), 0, ulpdu.length);
        System.arraycopy(ulpdu, 0, plain, Fpdu.LENGTH_BYTES, ulpdu.length);
        long position = stream.size();
        byte[] wire = new byte[markers ? Markers.sizeWithMarkers(position, plain.length) : plain.length];
        int at = 0;
        int index = 0;
        for (int i = 0; i < plain.length; i++) {
            if (markers && Markers.isDue(position + at)) {
                Markers.emit(MemorySegment.ofArray(wire), at, Markers.fpduPointer(position, index));
                index++;
                at += Markers.BYTES;
            }
            wire[at] = plain[i];
            at++;
        }
        if (crc) {
            Crc32c sum = new Crc32c();
            sum.update(MemorySegment.ofArray(wire), 0, wire.length - Fpdu.CRC_BYTES);
            sum.emit(MemorySegment.ofArray(wire), wire.length - Fpdu.CRC_BYTES);
        }
        stream.writeBytes(wire);
        return this;
    }

    byte[] octets() {
        return stream.toByteArray();
    }

    /** What Sends of these payload lengths are decoded to. */
    static java.util.List<String> sends(int... payloadBytes) {
        int[] lengths = Arrays.copyOf(payloadBytes, payloadBytes.length);
        java.util.List<String> sends = new java.util.ArrayList<>();
        for (int i = 0; i < lengths.length; i++) {
            sends.add("send MSN %d MO 0, %d octets, last".formatted(i + 1, lengths[i]));
        }
        return sends;
    }
}

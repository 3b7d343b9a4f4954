package org.panamaverbs.cli.decode;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.iwarp.wire.AtomicRequestView;
import org.panamaverbs.iwarp.wire.AtomicResponseView;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.ReadRequestView;

/** DDP segments, each as the one FPDU with a CRC that it comes in. */
final class Ulpdus {
    static final int SOURCE_STAG = 0x5000;

    private Ulpdus() {}

    private static byte[] fpdu(byte[] ulpdu) {
        return new Fpdus().ulpdu(ulpdu).octets();
    }

    /** A segment of a Write or Read Response. */
    static byte[] tagged(Opcode opcode, int stag, long to, int length, boolean last) {
        byte[] ulpdu = new byte[DdpHeader.TAGGED_BYTES + length];
        DdpHeader.emitTagged(MemorySegment.ofArray(ulpdu), 0, last, opcode, stag, to);
        return fpdu(ulpdu);
    }

    /** A segment of an untagged message with so many zeros behind the DDP header. */
    static byte[] untagged(Opcode opcode, int msn, int mo, int length, boolean last) {
        byte[] ulpdu = new byte[DdpHeader.UNTAGGED_BYTES + length];
        DdpHeader.emitUntagged(MemorySegment.ofArray(ulpdu), 0, last, opcode, 0, msn, mo);
        return fpdu(ulpdu);
    }

    /** A whole Send of one octet. */
    static byte[] send(int msn) {
        return untagged(Opcode.SEND, msn, 0, 1, true);
    }

    static byte[] immediate(int msn) {
        return untagged(Opcode.IMMEDIATE, msn, 0, Opcode.IMMEDIATE.headerBytes(), true);
    }

    static byte[] readRequest(int msn, int sinkStag, long sinkTo, int size) {
        byte[] ulpdu = message(Opcode.READ_REQUEST, msn);
        ReadRequestView.emit(
                MemorySegment.ofArray(ulpdu), DdpHeader.UNTAGGED_BYTES, sinkStag, sinkTo, size, SOURCE_STAG, 0);
        return fpdu(ulpdu);
    }

    static byte[] fetchAdd(int msn, int id) {
        byte[] ulpdu = message(Opcode.ATOMIC_REQUEST, msn);
        AtomicRequestView.emitFetchAdd(
                MemorySegment.ofArray(ulpdu), DdpHeader.UNTAGGED_BYTES, id, SOURCE_STAG, 0, 1, 0);
        return fpdu(ulpdu);
    }

    static byte[] atomicResponse(int msn, int id) {
        byte[] ulpdu = message(Opcode.ATOMIC_RESPONSE, msn);
        AtomicResponseView.emit(MemorySegment.ofArray(ulpdu), DdpHeader.UNTAGGED_BYTES, id, 7);
        return fpdu(ulpdu);
    }

    private static byte[] message(Opcode opcode, int msn) {
        byte[] ulpdu = new byte[DdpHeader.UNTAGGED_BYTES + opcode.headerBytes()];
        DdpHeader.emitUntagged(MemorySegment.ofArray(ulpdu), 0, true, opcode, 0, msn, 0);
        return ulpdu;
    }

    /** The segments of a Read Response of so many octets each, the last one last. */
    static byte[][] readResponse(int sinkStag, long sinkTo, int... lengths) {
        byte[][] fpdus = new byte[lengths.length][];
        long to = sinkTo;
        for (int i = 0; i < lengths.length; i++) {
            fpdus[i] = tagged(Opcode.READ_RESPONSE, sinkStag, to, lengths[i], i == lengths.length - 1);
            to += lengths[i];
        }
        return fpdus;
    }
}

package org.panamaverbs.iwarp.wire;

import java.lang.foreign.MemorySegment;

/** The ULPDUs of the worked examples, made by the emitters. */
final class Ulpdus {
    static final int TARGET = 0x12345678;
    static final long IMMEDIATE = 0x0102030405060708L;

    private Ulpdus() {}

    static byte[] terminate(TerminateCode code, byte[] atFault, boolean readRequest) {
        MemorySegment fault = MemorySegment.ofArray(atFault);
        return Framing.ulpdu(at -> {
            DdpHeader.emitUntagged(at, 0, true, Opcode.TERMINATE, 0, 1, 0);
            return DdpHeader.UNTAGGED_BYTES
                    + TerminateHeader.emit(at, DdpHeader.UNTAGGED_BYTES, code, atFault.length, fault, 0, readRequest);
        });
    }

    static byte[] fetchAdd(int msn, long to) {
        return Framing.ulpdu(at -> {
            DdpHeader.emitUntagged(at, 0, true, Opcode.ATOMIC_REQUEST, 0, msn, 0);
            AtomicRequestView.emitFetchAdd(at, DdpHeader.UNTAGGED_BYTES, 0x11223344, TARGET, to, 5, 0);
            return DdpHeader.UNTAGGED_BYTES + AtomicRequestView.BYTES;
        });
    }

    static byte[] compareSwap(int msn, int requestId, long swap, long compare) {
        return Framing.ulpdu(at -> {
            DdpHeader.emitUntagged(at, 0, true, Opcode.ATOMIC_REQUEST, 0, msn, 0);
            AtomicRequestView.emitCompareSwap(
                    at, DdpHeader.UNTAGGED_BYTES, requestId, TARGET, 0x4000, swap, -1, compare, -1);
            return DdpHeader.UNTAGGED_BYTES + AtomicRequestView.BYTES;
        });
    }

    static byte[] draftSwap() {
        return Framing.ulpdu(at -> {
            DdpHeader.emitUntagged(at, 0, true, Opcode.ATOMIC_REQUEST, 0, 4, 0);
            AtomicRequestView.emitDraftSwap(at, DdpHeader.UNTAGGED_BYTES, 0x11223346, TARGET, 0x4000, 7);
            return DdpHeader.UNTAGGED_BYTES + AtomicRequestView.BYTES;
        });
    }

    static byte[] untagged(Opcode opcode, int msn, byte[] payload) {
        return Framing.ulpdu(at -> emitUntagged(at, true, opcode, 0, msn, 0, payload));
    }

    static int emitUntagged(MemorySegment at, boolean last, Opcode opcode, int stag, int msn, int mo, byte[] payload) {
        DdpHeader.emitUntagged(at, 0, last, opcode, stag, msn, mo);
        MemorySegment.copy(MemorySegment.ofArray(payload), 0, at, DdpHeader.UNTAGGED_BYTES, payload.length);
        return DdpHeader.UNTAGGED_BYTES + payload.length;
    }

    static int emitTagged(MemorySegment at, Opcode opcode, int stag, long to, byte[] payload) {
        DdpHeader.emitTagged(at, 0, true, opcode, stag, to);
        MemorySegment.copy(MemorySegment.ofArray(payload), 0, at, DdpHeader.TAGGED_BYTES, payload.length);
        return DdpHeader.TAGGED_BYTES + payload.length;
    }

    static int emitReadRequest(MemorySegment at, int msn, int sink, long sinkTo, int size, int source, long sourceTo) {
        DdpHeader.emitUntagged(at, 0, true, Opcode.READ_REQUEST, 0, msn, 0);
        ReadRequestView.emit(at, DdpHeader.UNTAGGED_BYTES, sink, sinkTo, size, source, sourceTo);
        return DdpHeader.UNTAGGED_BYTES + ReadRequestView.BYTES;
    }

    static int emitImmediate(MemorySegment at, Opcode opcode, int msn) {
        DdpHeader.emitUntagged(at, 0, true, opcode, 0, msn, 0);
        ImmediateDataView.emit(at, DdpHeader.UNTAGGED_BYTES, IMMEDIATE);
        return DdpHeader.UNTAGGED_BYTES + ImmediateDataView.BYTES;
    }
}

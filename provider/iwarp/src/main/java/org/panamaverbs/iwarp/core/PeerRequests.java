package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.iwarp.core.memory.AccessCheck;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.wire.AtomicRequestView;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.ReadRequestView;
import org.panamaverbs.memory.Access;

/**
 * The messages of queue 1, which the peer answers (RFC 5040 §4.4, RFC 7306 §5): Read and Atomic Requests of the send
 * queue, and the Read that says that this side is ready to receive. Each is noted as outstanding when it is written.
 */
final class PeerRequests {
    /** An STag of which nothing is accessed, where zero means something else. */
    static final int NON_ZERO_STAG = 1;

    private final SendRing sends;
    private final OutstandingRequests outstanding;
    private final Protection protection;
    private final FpduWriter writer;
    private final MemorySegment header;
    // The number of the next message on queue 1 (RFC 5041 §5.2).
    private int msn = 1;
    // The peer takes a Swap as the draft has it; agreed at set-up.
    private boolean draftSwap;

    PeerRequests(SendRing sends, OutstandingRequests outstanding, Protection protection, FpduWriter writer) {
        this.sends = sends;
        this.outstanding = outstanding;
        this.protection = protection;
        this.writer = writer;
        header = writer.header();
    }

    void start(Negotiated negotiated) {
        draftSwap = negotiated.draftSwap();
    }

    /** Writes a Read of nothing. */
    void readyToReceive() {
        DdpHeader.emitUntagged(header, 0, true, Opcode.READ_REQUEST, 0, msn, 0);
        ReadRequestView.emit(header, DdpHeader.UNTAGGED_BYTES, NON_ZERO_STAG, 0, 0, NON_ZERO_STAG, 0);
        writer.headerOnly(DdpHeader.UNTAGGED_BYTES + ReadRequestView.BYTES);
        outstanding.add(OutstandingRequests.OWN, msn++, false);
    }

    /** Writes the Read at {@code position} of the send ring; answers SUCCESS, or with what the request fails. */
    WcStatus read(long position) {
        int slot = sends.slot(position);
        long length = sends.totalBytes(slot);
        int at = sends.firstSge(slot);
        boolean hasSink = sends.sgeCount(slot) > 0;
        int sinkStag = hasSink ? sends.sgeLkey(at) : NON_ZERO_STAG;
        long sinkTo = hasSink ? sends.sgeAddress(at) : 0;
        if (length > 0 && protection.probe(sinkStag, sinkTo, length, Access.LOCAL_WRITE) != AccessCheck.OK) {
            return WcStatus.LOCAL_PROTECTION_ERROR;
        }
        DdpHeader.emitUntagged(header, 0, true, Opcode.READ_REQUEST, 0, msn, 0);
        ReadRequestView.emit(
                header,
                DdpHeader.UNTAGGED_BYTES,
                sinkStag,
                sinkTo,
                (int) length,
                sends.rkey(slot),
                sends.remoteAddress(slot));
        writer.headerOnly(DdpHeader.UNTAGGED_BYTES + ReadRequestView.BYTES);
        outstanding.add(position, msn++, false);
        return WcStatus.SUCCESS;
    }

    /** Writes the atomic at {@code position} of the send ring; answers SUCCESS, or with what the request fails. */
    WcStatus atomic(long position) {
        int slot = sends.slot(position);
        int at = sends.firstSge(slot);
        if (protection.probe(sends.sgeLkey(at), sends.sgeAddress(at), Long.BYTES, Access.LOCAL_WRITE)
                != AccessCheck.OK) {
            return WcStatus.LOCAL_PROTECTION_ERROR;
        }
        DdpHeader.emitUntagged(header, 0, true, Opcode.ATOMIC_REQUEST, 0, msn, 0);
        emitAtomic(slot, (int) position);
        writer.headerOnly(DdpHeader.UNTAGGED_BYTES + AtomicRequestView.BYTES);
        outstanding.add(position, msn++, true);
        return WcStatus.SUCCESS;
    }

    private void emitAtomic(int slot, int id) {
        int offset = DdpHeader.UNTAGGED_BYTES;
        SendOpcode operation = sends.operation(slot);
        int rkey = sends.rkey(slot);
        long to = sends.remoteAddress(slot);
        if (operation == SendOpcode.FETCH_ADD || operation == SendOpcode.MASKED_FETCH_ADD) {
            long mask = operation == SendOpcode.FETCH_ADD ? 0 : sends.mask(slot);
            AtomicRequestView.emitFetchAdd(header, offset, id, rkey, to, sends.immediate(slot), mask);
            return;
        }
        boolean masked = operation == SendOpcode.MASKED_CMP_SWAP;
        long compareMask = masked ? sends.mask(slot) : -1L;
        long swapMask = masked ? sends.swapMask(slot) : -1L;
        long swap = sends.swap(slot);
        if (draftSwap && compareMask == 0 && swapMask == -1L) {
            AtomicRequestView.emitDraftSwap(header, offset, id, rkey, to, swap);
            return;
        }
        long compare = sends.immediate(slot);
        AtomicRequestView.emitCompareSwap(header, offset, id, rkey, to, swap, swapMask, compare, compareMask);
    }
}

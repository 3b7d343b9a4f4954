package org.panamaverbs.iwarp.core;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.iwarp.wire.AtomicOpcode;
import org.panamaverbs.iwarp.wire.AtomicRequestView;
import org.panamaverbs.iwarp.wire.AtomicResponseView;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.ImmediateDataView;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.ReadRequestView;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MaskedAtomics;

/**
 * Turns work requests and responses into FPDUs: one message after the other, each cut into segments of at most MULPDU
 * (RFC 5041 §5.2). Requests of the send queue and responses to the peer take turns; within each the order is kept.
 */
final class Transmitter {
    private static final long BATCH_BYTES = 512 * 1024;
    private static final int NON_ZERO_STAG = 1;
    private static final long ALIGNMENT = Long.BYTES - 1;

    /** The message that is being cut into segments. */
    private enum Message {
        NONE,
        SEND,
        WRITE,
        READ_RESPONSE
    }

    private final StreamConfig config;
    private final SendRing sends;
    private final OutstandingRequests outstanding;
    private final InboundRequests inbound;
    private final Protection protection;
    private final LocalOperations local;
    private final Gather gather;
    private final Offender offender;
    private final MemorySegment header;

    private int mulpdu = Fpdu.MIN_MULPDU;
    private boolean mayTransmit;
    private boolean responseTurn;
    private boolean retrySoon;
    private boolean anySent;
    private Rtr pendingRtr = Rtr.NONE;
    private int pendingNudges;
    private @Nullable Fault terminate;
    private boolean terminateBuilt;
    private boolean stopped;

    // The send queue: given out up to next; nothing from limit on is sent while draining.
    private long next;
    private long written;
    private long limit = Long.MAX_VALUE;

    private Message message = Message.NONE;
    private long messageOffset;
    private int messageMsn;
    private int piece;
    private long pieceOffset;

    private int sendMsn = 1;
    private int requestMsn = 1;
    private int atomicResponseMsn = 1;

    Transmitter(
            StreamConfig config,
            SendRing sends,
            OutstandingRequests outstanding,
            InboundRequests inbound,
            Protection protection,
            LocalOperations local,
            Gather gather,
            Offender offender,
            Arena arena) {
        this.config = config;
        this.sends = sends;
        this.outstanding = outstanding;
        this.inbound = inbound;
        this.protection = protection;
        this.local = local;
        this.gather = gather;
        this.offender = offender;
        header = arena.allocate(128, 8);
    }

    void start(Negotiated negotiated) {
        mulpdu = Fpdu.mulpdu(negotiated.emss(), negotiated.markersOut());
        gather.start(negotiated.crc(), negotiated.markersOut());
        // RFC 5044 §7.1.2: the responder sends nothing before it has validated an FPDU of the initiator.
        mayTransmit = negotiated.initiator();
        if (negotiated.initiator()) {
            pendingRtr = negotiated.rtr();
        }
    }

    /** The initiator's first FPDU is here. */
    void allow() {
        mayTransmit = true;
    }

    boolean isAllowed() {
        return mayTransmit;
    }

    /** Tells whether anything was sent yet. */
    boolean hasSent() {
        return anySent;
    }

    /** Has a zero-length Write sent for its own sake. */
    void nudge() {
        pendingNudges++;
    }

    /** Sends a Terminate after the batch that is under way, and nothing after it. */
    void terminate(Fault fault) {
        terminate = fault;
        message = Message.NONE;
        pendingRtr = Rtr.NONE;
        pendingNudges = 0;
        mayTransmit = true;
    }

    boolean terminateSent() {
        return terminateBuilt && gather.isEmpty();
    }

    /** Sends nothing any more. */
    void stop() {
        stopped = true;
        message = Message.NONE;
    }

    /** Sends nothing that is posted from now on. */
    void drain() {
        limit = sends.published();
    }

    /** Tells whether something may be sent now; a request that waits for ORD or a fence does not count. */
    boolean wantsTransmit() {
        if (!gather.isEmpty()) {
            return true;
        }
        if (stopped || terminateBuilt) {
            return false;
        }
        if (terminate != null) {
            return true;
        }
        return mayTransmit
                && (message != Message.NONE
                        || pendingRtr != Rtr.NONE
                        || pendingNudges > 0
                        || !inbound.isEmpty()
                        || sendIsReady());
    }

    /** Tells whether everything up to the drain limit is sent and answered. */
    boolean isDrained(boolean answersWillCome) {
        boolean answered = outstanding.isEmpty() || !answersWillCome;
        boolean sent = next == Math.min(limit, sends.published()) || (!answersWillCome && !sendIsReady());
        return gather.isEmpty() && message == Message.NONE && inbound.isEmpty() && answered && sent;
    }

    /** Tells whether a local request waits for another thread to leave a window. */
    boolean retrySoon() {
        return retrySoon;
    }

    private boolean sendIsReady() {
        if (next >= Math.min(limit, sends.published())) {
            return false;
        }
        int slot = sends.slot(next);
        if ((sends.flags[slot] & SendFlag.FENCE) != 0 && !outstanding.isEmpty()) {
            return false;
        }
        return !needsResponse(sends.operation[slot]) || !outstanding.isFull();
    }

    static boolean needsResponse(SendOpcode operation) {
        return switch (operation) {
            case RDMA_READ, FETCH_ADD, CMP_SWAP, MASKED_FETCH_ADD, MASKED_CMP_SWAP -> true;
            default -> false;
        };
    }

    /** Builds the next batch, if the last one is written; answers the fault that it ran into. */
    @Nullable Fault fill() {
        if (!gather.isEmpty()) {
            return null;
        }
        retrySoon = false;
        Fault fault = null;
        while (fault == null && gather.batchBytes() < BATCH_BYTES && gather.hasRoom(roomToAsk(), config.maxSendSge())) {
            int before = (int) gather.batchBytes();
            fault = step();
            if (fault == null && gather.batchBytes() == before && !sendIsReadyAgain()) {
                break;
            }
        }
        gather.seal();
        return fault;
    }

    // A local request builds nothing; the next one may.
    private boolean sendIsReadyAgain() {
        return terminate == null && !stopped && mayTransmit && !retrySoon && sendIsReady();
    }

    private int roomToAsk() {
        return Math.min(mulpdu, gather.maxPayload());
    }

    private @Nullable Fault step() {
        if (stopped || terminateBuilt) {
            return null;
        }
        if (terminate != null) {
            buildTerminate(terminate);
            return null;
        }
        if (message == Message.READ_RESPONSE) {
            return responseSegment();
        }
        if (message != Message.NONE) {
            return sendSegment();
        }
        if (!mayTransmit) {
            return null;
        }
        if (pendingRtr != Rtr.NONE) {
            buildRtr();
            return null;
        }
        if (pendingNudges > 0) {
            pendingNudges--;
            buildTagged(Opcode.RDMA_WRITE, NON_ZERO_STAG, 0);
            return null;
        }
        boolean response = !inbound.isEmpty() && (responseTurn || !sendIsReady());
        responseTurn = !response;
        if (response) {
            return inbound.isAtomic() ? atomicResponse() : beginReadResponse();
        }
        return sendIsReady() ? beginSend() : null;
    }

    private @Nullable Fault beginSend() {
        int slot = sends.slot(next);
        return switch (sends.operation[slot]) {
            case SEND, SEND_WITH_INVALIDATE, SEND_WITH_IMMEDIATE -> {
                messageMsn = sendMsn++;
                begin(Message.SEND);
                yield sendSegment();
            }
            case RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE -> {
                begin(Message.WRITE);
                yield sendSegment();
            }
            case IMMEDIATE -> {
                buildImmediate(slot);
                finishSend(slot);
                yield null;
            }
            case RDMA_READ -> readRequest(slot);
            case FETCH_ADD, CMP_SWAP, MASKED_FETCH_ADD, MASKED_CMP_SWAP -> atomicRequest(slot);
            case LOCAL_INVALIDATE -> localInvalidate(slot);
            case BIND_WINDOW -> bind(slot);
        };
    }

    private void begin(Message kind) {
        message = kind;
        messageOffset = 0;
        piece = 0;
        pieceOffset = 0;
    }

    private void finishSend(int slot) {
        sends.state[slot] = SendRing.SENT;
        message = Message.NONE;
        next++;
    }

    private @Nullable Fault sendSegment() {
        int slot = sends.slot(next);
        boolean tagged = message == Message.WRITE;
        long remaining = sends.totalBytes[slot] - messageOffset;
        int headerBytes = tagged ? DdpHeader.TAGGED_BYTES : DdpHeader.UNTAGGED_BYTES;
        int payload = payload(remaining, headerBytes);
        boolean last = payload == remaining;
        if (tagged) {
            long to = sends.remoteAddress[slot] + messageOffset;
            DdpHeader.emitTagged(header, 0, last, Opcode.RDMA_WRITE, sends.rkey[slot], to);
        } else {
            boolean invalidate = sends.operation[slot] == SendOpcode.SEND_WITH_INVALIDATE;
            boolean solicited = (sends.flags[slot] & SendFlag.SOLICITED) != 0;
            Opcode opcode = invalidate
                    ? solicited ? Opcode.SEND_SE_INVALIDATE : Opcode.SEND_INVALIDATE
                    : solicited ? Opcode.SEND_SE : Opcode.SEND;
            int stag = invalidate ? (int) sends.immediate[slot] : 0;
            DdpHeader.emitUntagged(header, 0, last, opcode, stag, messageMsn, (int) messageOffset);
        }
        gather.beginFpdu(headerBytes + payload);
        gather.append(header, 0, headerBytes);
        if (!appendSendPayload(slot, payload)) {
            gather.abandonFpdu();
            return failSend(slot, WcStatus.LOCAL_PROTECTION_ERROR);
        }
        gather.endFpdu();
        messageOffset += payload;
        if (last) {
            if (sends.operation[slot] == SendOpcode.RDMA_WRITE_WITH_IMMEDIATE) {
                // RFC 7306 §6: the Write and, right behind it, the Immediate Data message.
                buildImmediate(slot);
            }
            finishSend(slot);
        }
        return null;
    }

    private int payload(long remaining, int headerBytes) {
        int most = Math.min(mulpdu - headerBytes, gather.maxPayload());
        // A full segment needs no pad, as siw does it.
        return (int) Math.min(remaining, most & ~3);
    }

    private boolean appendSendPayload(int slot, int payload) {
        if ((sends.flags[slot] & SendFlag.INLINE) != 0) {
            gather.append(sends.inline, sends.inlineOffset(slot) + messageOffset, payload);
            return true;
        }
        int todo = payload;
        while (todo > 0) {
            int at = slot * sends.maxSge + piece;
            int run = (int) Math.min(todo, sends.sgeLength[at] - pieceOffset);
            if (run > 0) {
                int lkey = sends.sgeLkey[at];
                if (protection.enter(lkey, sends.sgeAddress[at] + pieceOffset, run, Protection.ANY) != AccessCheck.OK) {
                    return false;
                }
                gather.appendPayload(protection, run, lkey);
            }
            todo -= run;
            pieceOffset += run;
            if (pieceOffset == sends.sgeLength[at]) {
                piece++;
                pieceOffset = 0;
            }
        }
        return true;
    }

    private void buildImmediate(int slot) {
        boolean solicited = (sends.flags[slot] & SendFlag.SOLICITED) != 0;
        Opcode opcode = solicited ? Opcode.IMMEDIATE_SE : Opcode.IMMEDIATE;
        DdpHeader.emitUntagged(header, 0, true, opcode, 0, sendMsn++, 0);
        ImmediateDataView.emit(header, DdpHeader.UNTAGGED_BYTES, sends.immediate[slot]);
        buildHeaderOnly(DdpHeader.UNTAGGED_BYTES + ImmediateDataView.BYTES);
    }

    private void buildHeaderOnly(int ulpduLength) {
        gather.beginFpdu(ulpduLength);
        gather.append(header, 0, ulpduLength);
        gather.endFpdu();
    }

    private void buildTagged(Opcode opcode, int stag, long to) {
        DdpHeader.emitTagged(header, 0, true, opcode, stag, to);
        buildHeaderOnly(DdpHeader.TAGGED_BYTES);
    }

    private @Nullable Fault readRequest(int slot) {
        long length = sends.totalBytes[slot];
        int at = slot * sends.maxSge;
        boolean hasSink = sends.sgeCount[slot] > 0;
        int sinkStag = hasSink ? sends.sgeLkey[at] : NON_ZERO_STAG;
        long sinkTo = hasSink ? sends.sgeAddress[at] : 0;
        if (outstanding.limit() == 0) {
            return failSend(slot, WcStatus.LOCAL_QP_OPERATION_ERROR);
        }
        if (length > 0 && protection.probe(sinkStag, sinkTo, length, Access.LOCAL_WRITE) != AccessCheck.OK) {
            return failSend(slot, WcStatus.LOCAL_PROTECTION_ERROR);
        }
        DdpHeader.emitUntagged(header, 0, true, Opcode.READ_REQUEST, 0, requestMsn, 0);
        ReadRequestView.emit(
                header,
                DdpHeader.UNTAGGED_BYTES,
                sinkStag,
                sinkTo,
                (int) length,
                sends.rkey[slot],
                sends.remoteAddress[slot]);
        buildHeaderOnly(DdpHeader.UNTAGGED_BYTES + ReadRequestView.BYTES);
        outstanding.add(next, requestMsn++, false);
        finishSend(slot);
        return null;
    }

    private @Nullable Fault atomicRequest(int slot) {
        int at = slot * sends.maxSge;
        if (outstanding.limit() == 0) {
            return failSend(slot, WcStatus.LOCAL_QP_OPERATION_ERROR);
        }
        if (protection.probe(sends.sgeLkey[at], sends.sgeAddress[at], Long.BYTES, Access.LOCAL_WRITE)
                != AccessCheck.OK) {
            return failSend(slot, WcStatus.LOCAL_PROTECTION_ERROR);
        }
        SendOpcode operation = sends.operation[slot];
        int rkey = sends.rkey[slot];
        long to = sends.remoteAddress[slot];
        DdpHeader.emitUntagged(header, 0, true, Opcode.ATOMIC_REQUEST, 0, requestMsn, 0);
        if (operation == SendOpcode.FETCH_ADD || operation == SendOpcode.MASKED_FETCH_ADD) {
            long mask = operation == SendOpcode.FETCH_ADD ? 0 : sends.mask[slot];
            AtomicRequestView.emitFetchAdd(
                    header, DdpHeader.UNTAGGED_BYTES, (int) next, rkey, to, sends.immediate[slot], mask);
        } else {
            boolean masked = operation == SendOpcode.MASKED_CMP_SWAP;
            AtomicRequestView.emitCompareSwap(
                    header,
                    DdpHeader.UNTAGGED_BYTES,
                    (int) next,
                    rkey,
                    to,
                    sends.swap[slot],
                    masked ? sends.swapMask[slot] : -1L,
                    sends.immediate[slot],
                    masked ? sends.mask[slot] : -1L);
        }
        buildHeaderOnly(DdpHeader.UNTAGGED_BYTES + AtomicRequestView.BYTES);
        outstanding.add(next, requestMsn++, true);
        finishSend(slot);
        return null;
    }

    private @Nullable Fault localInvalidate(int slot) {
        if (!local.invalidate(sends.rkey[slot])) {
            return failSend(slot, WcStatus.LOCAL_PROTECTION_ERROR);
        }
        finishSend(slot);
        return null;
    }

    private @Nullable Fault bind(int slot) {
        int at = slot * sends.maxSge;
        LocalOperations.Outcome outcome = local.bind(
                sends.window[slot],
                sends.rkey[slot],
                sends.sgeLkey[at],
                sends.sgeAddress[at],
                sends.totalBytes[slot],
                (int) sends.mask[slot],
                sends.immediate[slot] != 0);
        return switch (outcome) {
            case DONE -> {
                finishSend(slot);
                yield null;
            }
            case BUSY -> {
                retrySoon = true;
                yield null;
            }
            case REFUSED -> failSend(slot, WcStatus.MEMORY_WINDOW_BIND_ERROR);
        };
    }

    private Fault failSend(int slot, WcStatus status) {
        sends.status[slot] = status;
        sends.state[slot] = SendRing.FAILED;
        offender.clear();
        // RFC 5040 §7.1: an error while a message is built sends a Terminate in its place, without headers.
        return Fault.local(
                TerminateCode.RDMAP_LOCAL_CATASTROPHIC,
                sends.operation[slot] + " with wr_id " + sends.wrId[slot] + ": " + status.text());
    }

    private @Nullable Fault beginReadResponse() {
        long size = inbound.size();
        // RFC 5040 §5.2.1: a zero-length request is answered without looking at STag and TO.
        if (size > 0) {
            AccessCheck check =
                    protection.probe(inbound.sourceStag(), inbound.sourceTo(), size, Access.REMOTE_READ);
            if (check != AccessCheck.OK) {
                return failResponse(Protection.remoteCode(check), 0);
            }
        }
        begin(Message.READ_RESPONSE);
        return responseSegment();
    }

    private @Nullable Fault responseSegment() {
        long remaining = inbound.size() - messageOffset;
        int payload = payload(remaining, DdpHeader.TAGGED_BYTES);
        boolean last = payload == remaining;
        DdpHeader.emitTagged(
                header, 0, last, Opcode.READ_RESPONSE, inbound.sinkStag(), inbound.sinkTo() + messageOffset);
        gather.beginFpdu(DdpHeader.TAGGED_BYTES + payload);
        gather.append(header, 0, DdpHeader.TAGGED_BYTES);
        if (payload > 0) {
            int stag = inbound.sourceStag();
            AccessCheck check =
                    protection.enter(stag, inbound.sourceTo() + messageOffset, payload, Access.REMOTE_READ);
            if (check != AccessCheck.OK) {
                gather.abandonFpdu();
                return failResponse(Protection.remoteCode(check), messageOffset);
            }
            gather.appendPayload(protection, payload, stag);
        }
        gather.endFpdu();
        messageOffset += payload;
        if (last) {
            message = Message.NONE;
            inbound.removeOldest();
        }
        return null;
    }

    private @Nullable Fault atomicResponse() {
        AccessCheck check =
                protection.enter(inbound.sourceStag(), inbound.sourceTo(), Long.BYTES, Access.REMOTE_ATOMIC);
        if (check != AccessCheck.OK) {
            return failResponse(Protection.remoteCode(check), 0);
        }
        MemorySegment cell = protection.segment();
        long offset = protection.offset();
        // RFC 7306 §5.1: the address must be 64-bit aligned, whatever the tagged offset looks like.
        if ((cell.address() + offset & ALIGNMENT) != 0) {
            protection.leave();
            return failResponse(TerminateCode.STREAM_CATASTROPHIC, 0);
        }
        long original = inbound.atomicOperation() == AtomicOpcode.FETCH_ADD.code()
                ? MaskedAtomics.fetchAdd(cell, offset, inbound.data(), inbound.mask())
                : MaskedAtomics.cmpSwap(
                        cell, offset, inbound.compare(), inbound.compareMask(), inbound.data(), inbound.mask());
        protection.leave();
        DdpHeader.emitUntagged(header, 0, true, Opcode.ATOMIC_RESPONSE, 0, atomicResponseMsn++, 0);
        AtomicResponseView.emit(header, DdpHeader.UNTAGGED_BYTES, inbound.requestId(), original);
        buildHeaderOnly(DdpHeader.UNTAGGED_BYTES + AtomicResponseView.BYTES);
        inbound.removeOldest();
        return null;
    }

    private Fault failResponse(TerminateCode code, long sent) {
        offender.request(inbound, sent);
        return Fault.local(
                code,
                "%s of STag 0x%08x at 0x%x"
                        .formatted(inbound.isAtomic() ? "Atomic" : "Read", inbound.sourceStag(), inbound.sourceTo()));
    }

    private void buildRtr() {
        switch (pendingRtr) {
            case WRITE -> buildTagged(Opcode.RDMA_WRITE, NON_ZERO_STAG, 0);
            case SEND -> {
                DdpHeader.emitUntagged(header, 0, true, Opcode.SEND, 0, sendMsn++, 0);
                buildHeaderOnly(DdpHeader.UNTAGGED_BYTES);
            }
            case READ -> {
                DdpHeader.emitUntagged(header, 0, true, Opcode.READ_REQUEST, 0, requestMsn, 0);
                ReadRequestView.emit(
                        header, DdpHeader.UNTAGGED_BYTES, NON_ZERO_STAG, 0, 0, NON_ZERO_STAG, 0);
                buildHeaderOnly(DdpHeader.UNTAGGED_BYTES + ReadRequestView.BYTES);
                outstanding.add(OutstandingRequests.OWN, requestMsn++, false);
            }
            case NONE -> {}
        }
        pendingRtr = Rtr.NONE;
    }

    private void buildTerminate(Fault fault) {
        DdpHeader.emitUntagged(header, 0, true, Opcode.TERMINATE, 0, 1, 0);
        int bytes = offender.emit(header, DdpHeader.UNTAGGED_BYTES, fault.code());
        buildHeaderOnly(DdpHeader.UNTAGGED_BYTES + bytes);
        terminateBuilt = true;
    }

    /** The batch is written: Sends and Writes in it are done (RFC 5040 §5.5). */
    void batchWritten() {
        anySent = true;
        for (; written < next; written++) {
            int slot = sends.slot(written);
            if (sends.state[slot] == SendRing.SENT && !needsResponse(sends.operation[slot])) {
                sends.state[slot] = SendRing.DONE;
            }
        }
    }
}

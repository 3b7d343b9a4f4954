package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.iwarp.core.memory.AccessCheck;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.Rtr;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.ImmediateDataView;
import org.panamaverbs.iwarp.wire.Opcode;

/** The requester: turns the work requests of the send queue into messages, in posting order (RFC 5040 §5). */
final class SendMessages {
    private final SendRing sends;
    private final OutstandingRequests outstanding;
    private final Protection protection;
    private final DirectRequests direct;
    private final LocalOperations local;
    private final FpduWriter writer;
    private final TerminatedHeaders terminatedHeaders;
    private final MemorySegment header;
    private final PeerRequests peerRequests;
    private final PredictedSend predicted;

    // Positions of the send ring: all before next are given out, all before written have left in a batch. Nothing from
    // limit on is sent once this side drains.
    private long next;
    private long written;
    private long limit = Long.MAX_VALUE;
    // What is next is carried out on memory of the peer by the next pass, and not sent.
    private boolean goesOn;
    // A bind or invalidation met somebody in the window, in the fill that is under way.
    private boolean retrySoon;
    // The invalidation that is next is carried out but for that.
    private boolean invalidated;

    // The message under way, which is that of next: set by beginMessage, moved on by each segment that was built.
    private boolean inMessage;
    private boolean tagged;
    private long messageOffset;
    private int messageMsn;
    // Where its payload goes on: so many octets into that entry of its gather list.
    private int piece;
    private long pieceOffset;

    // The number of the next message on queue 0 (RFC 5041 §5.2): of a Send.
    private int sendMsn = 1;

    public SendMessages(
            SendRing sends,
            OutstandingRequests outstanding,
            Protection protection,
            DirectRequests direct,
            LocalOperations local,
            FpduWriter writer,
            TerminatedHeaders terminatedHeaders) {
        this.sends = sends;
        this.outstanding = outstanding;
        this.protection = protection;
        this.direct = direct;
        this.local = local;
        this.writer = writer;
        this.terminatedHeaders = terminatedHeaders;
        header = writer.header();
        peerRequests = new PeerRequests(sends, outstanding, protection, writer);
        predicted = new PredictedSend(sends, protection, writer);
    }

    void start(Negotiated negotiated) {
        peerRequests.start(negotiated);
    }

    /** Tells whether a message has begun and not ended. */
    boolean inMessage() {
        return inMessage;
    }

    /** Drops the message at hand, or what is carried out in its place. */
    void abandon() {
        inMessage = false;
        goesOn = false;
        direct.abandon();
    }

    /** Sends nothing that is posted from now on. */
    void drain() {
        limit = sends.published();
    }

    /** Tells whether everything up to the drain limit was given out. */
    boolean isExhausted() {
        return !inMessage && next == Math.min(limit, sends.published());
    }

    /** Tells whether a local request waits for another thread or the peer to leave a window. */
    boolean retrySoon() {
        return retrySoon;
    }

    void clearRetry() {
        retrySoon = false;
    }

    /** Tells whether the next request may begin: it waits neither for ORD nor for a fence. */
    boolean isReady() {
        if (goesOn || next >= Math.min(limit, sends.published())) {
            return false;
        }
        return outstanding.isEmpty() || mayOvertake(sends.slot(next));
    }

    /**
     * Tells whether the request at {@code slot} may begin although there are requests that the peer has not answered.
     */
    private boolean mayOvertake(int slot) {
        boolean fenced = (sends.flags(slot) & SendFlag.FENCE) != 0;
        return !fenced && (!sends.needsResponse(slot) || !outstanding.isFull());
    }

    /** Tells whether the next request may begin and stays on this side. */
    boolean localIsReady() {
        return isReady() && nextIsLocal();
    }

    /** Tells whether the next request, of which there is one, stays on this side. */
    boolean nextIsLocal() {
        return sends.isLocal(sends.slot(next));
    }

    /**
     * Carries out on memory of the peer what was published, as far as that goes in one pass, if all before it is done.
     * A request that was begun so goes on in any case: nothing but answers can have been sent since.
     *
     * @param isFirst whether nothing else is to be sent
     * @return whether there was something, and nothing of it is left
     */
    boolean carryOut(boolean isFirst) {
        long end = Math.min(limit, sends.published());
        boolean underWay = direct.isUnderWay();
        goesOn = false;
        boolean isNext = next < end && sends.head() == next;
        if (!isNext || !(underWay || (isFirst && direct.isCaughtUp()))) {
            direct.abandon();
            return false;
        }
        direct.beginPass();
        while (next < end) {
            int slot = sends.slot(next);
            if (!direct.carryOut(slot)) {
                return false;
            }
            if (!direct.isUnderWay()) {
                sends.sent(slot);
                sends.done(slot);
                next++;
            }
            if (next < end && (underWay || direct.isPassOver())) {
                goesOn = true;
                return false;
            }
        }
        return true;
    }

    /** Tells whether {@link #carryOut} is to be called again, and what is next is not to be sent meanwhile. */
    boolean goesOn() {
        return goesOn;
    }

    /** Tells whether all that was posted is done, and the next request may be carried out. */
    boolean isIdle() {
        return next == sends.tail() && next == sends.head() && next < limit;
    }

    /** A request that was not in the queue was carried out, and has passed it. */
    void passed() {
        next++;
    }

    /** Returns the number of the Send that would be next. */
    int nextMsn() {
        return sendMsn;
    }

    /** A Send that was not in the queue was written, with {@link #nextMsn}, and has passed it. */
    void passedSend() {
        sendMsn++;
        next++;
        written = next;
    }

    /** The batch is written: Sends and Writes in it are done (RFC 5040 §5.5). */
    void batchWritten() {
        for (; written < next; written++) {
            int slot = sends.slot(written);
            if (sends.state(slot) == RequestState.SENT && !sends.needsResponse(slot)) {
                sends.done(slot);
            }
        }
    }

    /** Writes the ready-to-receive message (RFC 6581 §9.2). */
    void readyToReceive(Rtr rtr) {
        switch (rtr) {
            case WRITE -> writer.emptyTagged(Opcode.RDMA_WRITE, PeerRequests.NON_ZERO_STAG, 0);
            case SEND -> {
                DdpHeader.emitUntagged(header, 0, true, Opcode.SEND, 0, sendMsn++, 0);
                writer.headerOnly(DdpHeader.UNTAGGED_BYTES);
            }
            case READ -> peerRequests.readyToReceive();
            case NONE, WAIVED -> {}
        }
    }

    /** Writes a zero-length RDMA Write that means nothing. */
    void probe() {
        writer.emptyTagged(Opcode.RDMA_WRITE, PeerRequests.NON_ZERO_STAG, 0);
    }

    /** Returns how many requests were built by prediction. */
    long predicted() {
        return predicted.total();
    }

    /** Builds what is next as long as it is expected; tells whether that was something. No message is under way. */
    boolean buildPredicted() {
        long end = Math.min(limit, sends.published());
        if (goesOn || next >= end) {
            return false;
        }
        int built = predicted.build(next, end, sendMsn);
        sendMsn += predicted.sent();
        next += built;
        return built > 0;
    }

    /** Begins the next request; answers the fault it runs into. */
    @Nullable
    Fault begin() {
        int slot = sends.slot(next);
        return switch (sends.operation(slot)) {
            case SEND, SEND_WITH_INVALIDATE -> {
                messageMsn = sendMsn++;
                yield beginMessage(slot, false);
            }
            case RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE -> beginMessage(slot, true);
            case IMMEDIATE -> {
                buildImmediate(slot);
                finishSend(slot);
                yield null;
            }
            case RDMA_READ -> asked(slot, peerRequests.read(next));
            case FETCH_ADD, CMP_SWAP, MASKED_FETCH_ADD, MASKED_CMP_SWAP -> asked(slot, peerRequests.atomic(next));
            case LOCAL_INVALIDATE -> localInvalidate(slot);
            case BIND_WINDOW -> bind(slot);
            default -> throw new AssertionError(sends.operation(slot) + " was admitted");
        };
    }

    private @Nullable Fault beginMessage(int slot, boolean isTagged) {
        inMessage = true;
        tagged = isTagged;
        messageOffset = 0;
        piece = 0;
        pieceOffset = 0;
        return segment(slot);
    }

    private void finishSend(int slot) {
        sends.sent(slot);
        inMessage = false;
        next++;
    }

    // What was carried out here is done, whatever becomes of the batch.
    private @Nullable Fault finishLocal(int slot) {
        finishSend(slot);
        sends.done(slot);
        return null;
    }

    /** Writes the next segment of the message at hand, unless that is better begun with the next batch. */
    @Nullable
    Fault segment() {
        return segment(sends.slot(next));
    }

    private @Nullable Fault segment(int slot) {
        long left = sends.totalBytes(slot) - messageOffset;
        int payload = writer.payload(left, tagged ? DdpHeader.TAGGED_BYTES : DdpHeader.UNTAGGED_BYTES);
        Appended appended = build(slot, payload, payload == left);
        if (appended == Appended.TOO_MUCH) {
            payload = writer.shortPayload(payload);
            if (payload == 0) {
                return null;
            }
            appended = build(slot, payload, payload == left);
        }
        if (appended != Appended.DONE) {
            return failSend(slot, WcStatus.LOCAL_PROTECTION_ERROR);
        }
        messageOffset += payload;
        if (payload == left) {
            if (tagged && sends.operation(slot) == SendOpcode.RDMA_WRITE_WITH_IMMEDIATE) {
                // RFC 7306 §6: the Write and, right behind it, the Immediate Data message.
                buildImmediate(slot);
            }
            finishSend(slot);
        }
        return null;
    }

    /** Builds a segment of {@code payload} octets; if that fails nothing has changed. */
    private Appended build(int slot, int payload, boolean last) {
        int flags = sends.flags(slot);
        int pieceBefore = piece;
        long offsetBefore = pieceOffset;
        if (tagged) {
            long to = sends.remoteAddress(slot) + messageOffset;
            writer.beginTagged(last, Opcode.RDMA_WRITE, sends.rkey(slot), to, payload);
        } else {
            boolean invalidate = sends.operation(slot) == SendOpcode.SEND_WITH_INVALIDATE;
            boolean solicited = (flags & SendFlag.SOLICITED) != 0;
            Opcode opcode = invalidate
                    ? solicited ? Opcode.SEND_SE_INVALIDATE : Opcode.SEND_INVALIDATE
                    : solicited ? Opcode.SEND_SE : Opcode.SEND;
            int stag = invalidate ? (int) sends.immediate(slot) : 0;
            writer.beginUntagged(last, opcode, stag, messageMsn, (int) messageOffset, payload);
        }
        Appended appended = appendPayload(slot, payload, (flags & SendFlag.INLINE) != 0);
        if (appended == Appended.DONE) {
            writer.end();
        } else {
            writer.abandon();
            piece = pieceBefore;
            pieceOffset = offsetBefore;
        }
        return appended;
    }

    private Appended appendPayload(int slot, int payload, boolean inline) {
        if (inline) {
            writer.append(sends.inline(), sends.inlineOffset(slot) + messageOffset, payload);
            return Appended.DONE;
        }
        int todo = payload;
        while (todo > 0) {
            int at = sends.firstSge(slot) + piece;
            long length = sends.sgeLength(at);
            int run = (int) Math.min(todo, length - pieceOffset);
            if (run > 0) {
                int lkey = sends.sgeLkey(at);
                if (protection.enter(lkey, sends.sgeAddress(at) + pieceOffset, run, Protection.ANY) != AccessCheck.OK) {
                    return Appended.GONE;
                }
                Appended appended = writer.append(protection, run, lkey);
                if (appended != Appended.DONE) {
                    return appended;
                }
            }
            todo -= run;
            pieceOffset += run;
            if (pieceOffset == length) {
                piece++;
                pieceOffset = 0;
            }
        }
        return Appended.DONE;
    }

    private void buildImmediate(int slot) {
        boolean solicited = (sends.flags(slot) & SendFlag.SOLICITED) != 0;
        Opcode opcode = solicited ? Opcode.IMMEDIATE_SE : Opcode.IMMEDIATE;
        DdpHeader.emitUntagged(header, 0, true, opcode, 0, sendMsn++, 0);
        ImmediateDataView.emit(header, DdpHeader.UNTAGGED_BYTES, sends.immediate(slot));
        writer.headerOnly(DdpHeader.UNTAGGED_BYTES + ImmediateDataView.BYTES);
    }

    /** Ends the beginning of a request that the peer answers, as {@code status} says. */
    private @Nullable Fault asked(int slot, WcStatus status) {
        if (status != WcStatus.SUCCESS) {
            return failSend(slot, status);
        }
        finishSend(slot);
        return null;
    }

    private @Nullable Fault localInvalidate(int slot) {
        int stag = sends.rkey(slot);
        if (!invalidated && !local.invalidate(stag)) {
            return failSend(slot, WcStatus.LOCAL_PROTECTION_ERROR);
        }
        invalidated = local.isLingering(stag);
        retrySoon |= invalidated;
        return invalidated ? null : finishLocal(slot);
    }

    private @Nullable Fault bind(int slot) {
        int at = sends.firstSge(slot);
        LocalOperations.Outcome outcome = local.bind(
                sends.window(slot),
                sends.rkey(slot),
                sends.sgeLkey(at),
                sends.sgeAddress(at),
                sends.totalBytes(slot),
                (int) sends.mask(slot),
                sends.immediate(slot) != 0);
        return switch (outcome) {
            case DONE -> finishLocal(slot);
            case BUSY -> {
                retrySoon = true;
                yield null;
            }
            case REFUSED -> failSend(slot, WcStatus.MEMORY_WINDOW_BIND_ERROR);
        };
    }

    private Fault failSend(int slot, WcStatus status) {
        sends.fail(slot, status, 0);
        terminatedHeaders.clear();
        // RFC 5040 §7.1: an error while a message is built sends a Terminate in its place, without headers.
        TerminateReason reason = status == WcStatus.LOCAL_PROTECTION_ERROR
                ? TerminateReason.LOCAL_PROTECTION
                : TerminateReason.LOCAL_REQUEST;
        return Fault.local(reason, sends.operation(slot) + " with wr_id " + sends.wrId(slot) + ": " + status.text());
    }
}

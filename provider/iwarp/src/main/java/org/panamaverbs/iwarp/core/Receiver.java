package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.iwarp.core.memory.AccessCheck;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.Rtr;
import org.panamaverbs.iwarp.wire.AtomicRequestView;
import org.panamaverbs.iwarp.wire.AtomicResponseView;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.ImmediateDataView;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.ReadRequestView;
import org.panamaverbs.iwarp.wire.TaggedView;
import org.panamaverbs.iwarp.wire.Terminate;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.iwarp.wire.UntaggedView;
import org.panamaverbs.memory.Access;

/**
 * What the segments of the peer mean: {@link #onHeader} judges one by its headers, in the order of RFC 5041 §7.1 and
 * RFC 5040 §7.2, and aims the {@link Placement} at where its payload lands; {@link #onSegment} delivers it once it is
 * complete. Each answers what to terminate with, null if all is well.
 */
final class Receiver {
    // What the header buffer of a receiver holds behind the DDP header.
    private static final int MAX_TERMINATE_BYTES = 64;

    private final Protection protection;
    private final LocalOperations local;
    private final ReceiveSource receives;
    private final SendRing sends;
    private final OutstandingRequests outstanding;
    private final InboundRequests inbound;
    private final Completions completions;
    private final Placement placement;
    private final ReceiverListener listener;

    // What was agreed on; set when the stream starts.
    private boolean initiator;
    private boolean draftSwap;
    private boolean noReads;
    private boolean rtrSendExpected;
    // Once the first segment of the peer is here, for ever.
    private boolean sawSegment;

    // The segment at hand, from its headers to its delivery: of the views those count that its opcode has.
    private final TaggedView tagged = new TaggedView();
    private final UntaggedView untagged = new UntaggedView();
    private final ReadRequestView readRequest = new ReadRequestView();
    private final AtomicRequestView atomicRequest = new AtomicRequestView();
    private final AtomicResponseView atomicResponse = new AtomicResponseView();
    private final ImmediateDataView immediate = new ImmediateDataView();
    private Opcode opcode = Opcode.TERMINATE;

    // The MSNs that the next messages of the peer have, one for each queue that counts (RFC 5041 §4.3).
    private int sendMsn = 1;
    private int requestMsn = 1;
    private int atomicResponseMsn = 1;

    // The message on queue 0 that is under way, Send or Immediate Data, and its receive, until that is completed.
    private final ReceiveSlot slot;
    private boolean underWay;
    // So many octets of it are delivered.
    private long messageOffset;
    // What its receive completes with if it is not finished: other than flushed once local memory was refused.
    private WcStatus failure = WcStatus.WR_FLUSH_ERROR;
    // It is the ready-to-receive Send, which takes no receive; from its header to its delivery.
    private boolean swallowed;

    public Receiver(
            StreamConfig config,
            Protection protection,
            LocalOperations local,
            ReceiveSource receives,
            SendRing sends,
            OutstandingRequests outstanding,
            InboundRequests inbound,
            Completions completions,
            Placement placement,
            ReceiverListener listener) {
        this.protection = protection;
        this.local = local;
        this.receives = receives;
        this.sends = sends;
        this.outstanding = outstanding;
        this.inbound = inbound;
        this.completions = completions;
        this.placement = placement;
        this.listener = listener;
        slot = new ReceiveSlot(config.maxRecvSge());
    }

    public void start(Negotiated negotiated) {
        initiator = negotiated.initiator();
        draftSwap = negotiated.draftSwap();
        noReads = negotiated.ird() == 0;
        rtrSendExpected = !initiator && negotiated.rtr() == Rtr.SEND;
    }

    /** Tells whether the first segment was here, and no message on queue 0 is under way. */
    boolean isBetweenMessages() {
        return sawSegment && !underWay;
    }

    /** Returns queue number and MSN of the Send that is next behind {@code more} of them. */
    long expectedSend(int more) {
        return (long) Opcode.QN_SEND << Integer.SIZE | Integer.toUnsignedLong(sendMsn + more);
    }

    /** Delivers Sends of one segment, whose payload is in the memory of the receives that {@code run} has. */
    void onReceives(CompletionRun run) {
        sendMsn += run.count();
        completions.received(run);
        stopIfOverrun();
    }

    /** Completes the receive of a message that will not be finished. */
    public void abandonMessage(@Nullable Fault fault) {
        if (underWay) {
            boolean tooLong = fault != null && fault.code().equals(TerminateCode.UNTAGGED_TOO_LONG);
            completions.receiveFailed(slot.wrId, tooLong ? WcStatus.LOCAL_LENGTH_ERROR : failure);
            // Behind it: a completion that fails is repeated when the stream ends.
            underWay = false;
        }
    }

    /** Judges the segment whose headers are at {@code at}; of one that is all header, all its octets are there. */
    @Nullable
    TerminateCode onHeader(boolean isTagged, MemorySegment headers, long at, int ulpduLength) {
        return isTagged ? onTagged(headers, at, ulpduLength) : onUntagged(headers, at, ulpduLength);
    }

    private @Nullable TerminateCode onTagged(MemorySegment headers, long at, int ulpduLength) {
        TerminateCode code = tagged.wrap(headers, at, ulpduLength).check();
        if (code != null) {
            return code;
        }
        opcode = tagged.opcode();
        return opcode == Opcode.RDMA_WRITE ? onWrite() : onReadResponse();
    }

    private @Nullable TerminateCode onWrite() {
        int length = tagged.payloadLength();
        // RFC 5041 §5.2: STag and TO of a zero-length message are not looked at.
        if (length == 0) {
            return null;
        }
        AccessCheck check = protection.probe(tagged.stag(), tagged.to(), length, Access.REMOTE_WRITE);
        placement.tagged(tagged.stag(), tagged.to(), true);
        return check == AccessCheck.OK ? null : Protection.taggedCode(check);
    }

    private @Nullable TerminateCode onReadResponse() {
        if (outstanding.isEmpty() || outstanding.oldestIsAtomic()) {
            return TerminateCode.UNEXPECTED_OPCODE;
        }
        long sequence = outstanding.oldest();
        long total = 0;
        int length = tagged.payloadLength();
        if (sequence != OutstandingRequests.OWN) {
            int at = sends.firstSge(sends.slot(sequence));
            total = sends.totalBytes(sends.slot(sequence));
            // RFC 5040 §5.2.2: the response must match the request's sink.
            if (length > 0 && tagged.stag() != sends.sgeLkey(at)) {
                return TerminateCode.TAGGED_INVALID_STAG;
            }
            if (length > 0 && tagged.to() != sends.sgeAddress(at) + outstanding.received()) {
                return TerminateCode.TAGGED_BOUNDS;
            }
        }
        long after = outstanding.received() + length;
        if (after > total || tagged.last() != (after == total)) {
            return TerminateCode.TAGGED_BOUNDS;
        }
        placement.tagged(tagged.stag(), tagged.to(), false);
        return null;
    }

    private @Nullable TerminateCode onUntagged(MemorySegment headers, long at, int ulpduLength) {
        TerminateCode code = untagged.wrap(headers, at, ulpduLength).check();
        if (code != null) {
            return code;
        }
        opcode = untagged.opcode();
        return switch (opcode.queue()) {
            case Opcode.QN_SEND -> onQueue0();
            case Opcode.QN_REQUEST -> onRequest(headers, at);
            case Opcode.QN_ATOMIC_RESPONSE -> onAtomicResponse(headers, at);
            default -> onTerminate();
        };
    }

    private @Nullable TerminateCode onQueue0() {
        if (untagged.msn() != sendMsn) {
            return TerminateCode.UNTAGGED_MSN_RANGE;
        }
        if (opcode.hasImmediate()) {
            TerminateCode code = opcode.checkLength(untagged.payloadLength());
            if (code != null) {
                return code;
            }
            if (underWay || untagged.mo() != 0 || !untagged.last()) {
                return TerminateCode.UNTAGGED_INVALID_MO;
            }
            return takeReceive();
        }
        if (!underWay) {
            swallowed = rtrSendExpected && !sawSegment && untagged.last() && untagged.payloadLength() == 0;
            if (untagged.mo() != 0) {
                return TerminateCode.UNTAGGED_INVALID_MO;
            }
            if (swallowed) {
                return null;
            }
            TerminateCode code = takeReceive();
            if (code != null) {
                return code;
            }
        }
        if (untagged.mo() != (int) messageOffset) {
            return TerminateCode.UNTAGGED_INVALID_MO;
        }
        if (messageOffset + untagged.payloadLength() > slot.totalBytes) {
            return TerminateCode.UNTAGGED_TOO_LONG;
        }
        placement.untagged(slot, messageOffset);
        return null;
    }

    private @Nullable TerminateCode takeReceive() {
        messageOffset = 0;
        failure = WcStatus.WR_FLUSH_ERROR;
        if (!receives.take(slot)) {
            return TerminateCode.UNTAGGED_NO_BUFFER;
        }
        underWay = true;
        return null;
    }

    private @Nullable TerminateCode onRequest(MemorySegment headers, long at) {
        if (untagged.msn() != requestMsn) {
            return TerminateCode.UNTAGGED_MSN_RANGE;
        }
        boolean read = opcode == Opcode.READ_REQUEST;
        TerminateCode code = inOneSegment(opcode.checkLength(untagged.payloadLength()));
        if (code != null) {
            return code;
        }
        // RFC 5040 §6.1: requests beyond IRD find no buffer on queue 1.
        if (inbound.isFull()) {
            return TerminateCode.UNTAGGED_NO_BUFFER;
        }
        if (read) {
            readRequest.wrap(headers, at + DdpHeader.UNTAGGED_BYTES);
            // The slot that is there with IRD 0 is for an empty ready-to-receive Read.
            return noReads && readRequest.size() > 0 ? TerminateCode.UNTAGGED_NO_BUFFER : null;
        }
        if (noReads) {
            return TerminateCode.UNTAGGED_NO_BUFFER;
        }
        return atomicRequest.wrap(headers, at + DdpHeader.UNTAGGED_BYTES).check(draftSwap);
    }

    // A Terminate is short (RFC 5040 §4.8: 52 octets at most) and comes whole in one segment.
    private @Nullable TerminateCode onTerminate() {
        if (untagged.msn() != 1) {
            return TerminateCode.UNTAGGED_MSN_RANGE;
        }
        return inOneSegment(untagged.payloadLength() > MAX_TERMINATE_BYTES ? TerminateCode.UNTAGGED_TOO_LONG : null);
    }

    // RFC 5041 §7.1: a message of one segment begins at MO 0 and ends with its only segment.
    private @Nullable TerminateCode inOneSegment(@Nullable TerminateCode lengthVerdict) {
        boolean whole = untagged.mo() == 0 && untagged.last();
        return lengthVerdict != null || whole ? lengthVerdict : TerminateCode.UNTAGGED_INVALID_MO;
    }

    private @Nullable TerminateCode onAtomicResponse(MemorySegment headers, long at) {
        if (outstanding.isEmpty() || !outstanding.oldestIsAtomic()) {
            return TerminateCode.UNTAGGED_NO_BUFFER;
        }
        if (untagged.msn() != atomicResponseMsn) {
            return TerminateCode.UNTAGGED_MSN_RANGE;
        }
        TerminateCode code = inOneSegment(opcode.checkLength(untagged.payloadLength()));
        if (code != null) {
            return code;
        }
        atomicResponse.wrap(headers, at + DdpHeader.UNTAGGED_BYTES);
        return atomicResponse.requestId() == (int) outstanding.oldest() ? null : TerminateCode.OPERATION_UNSPECIFIED;
    }

    /** Delivers the segment at hand, whose headers are at {@code at}: it is complete and its CRC is right. */
    @Nullable
    TerminateCode onSegment(MemorySegment headers, long at) {
        boolean first = !sawSegment;
        if (first) {
            sawSegment = true;
            listener.onFirstSegment();
        }
        return switch (opcode) {
            case RDMA_WRITE -> null;
            case READ_RESPONSE -> afterReadResponse();
            case SEND, SEND_SE, SEND_INVALIDATE, SEND_SE_INVALIDATE -> afterSend();
            case IMMEDIATE, IMMEDIATE_SE -> afterImmediate(headers, at);
            case READ_REQUEST -> {
                inbound.addRead(requestMsn++, readRequest);
                yield null;
            }
            case ATOMIC_REQUEST -> {
                inbound.addAtomic(requestMsn++, atomicRequest);
                yield null;
            }
            case ATOMIC_RESPONSE -> afterAtomicResponse();
            case TERMINATE -> {
                int length = untagged.payloadLength();
                listener.onTerminate(
                        Terminate.decode(headers, at + DdpHeader.UNTAGGED_BYTES, length, first && !initiator));
                yield null;
            }
        };
    }

    private @Nullable TerminateCode afterReadResponse() {
        outstanding.receive(tagged.payloadLength());
        if (tagged.last()) {
            finishOldest();
        }
        return null;
    }

    private void finishOldest() {
        long sequence = outstanding.oldest();
        outstanding.removeOldest();
        if (sequence != OutstandingRequests.OWN) {
            sends.done(sends.slot(sequence));
            completions.retire();
            stopIfOverrun();
        }
    }

    private @Nullable TerminateCode afterSend() {
        if (swallowed) {
            // RFC 6581 §9.2: the ready-to-receive Send belongs to the connection set-up, not to the application.
            swallowed = false;
            sendMsn++;
            return null;
        }
        messageOffset += untagged.payloadLength();
        if (!untagged.last()) {
            return null;
        }
        int flags = opcode.solicits() ? CompletionSink.SOLICITED : 0;
        int stag = 0;
        if (opcode.invalidates()) {
            stag = untagged.invalidateStag();
            // RFC 5040 §5.3: an STag that is not of this stream alone cannot be invalidated by the peer.
            if (!local.invalidate(stag)) {
                return TerminateCode.PROTECTION_CANNOT_INVALIDATE;
            }
            flags |= CompletionSink.HAS_INVALIDATED_STAG;
        }
        finishReceive(WcOpcode.RECV, messageOffset, flags, Integer.toUnsignedLong(stag));
        return null;
    }

    private @Nullable TerminateCode afterImmediate(MemorySegment headers, long at) {
        int flags = CompletionSink.HAS_IMMEDIATE | (opcode.solicits() ? CompletionSink.SOLICITED : 0);
        long value = immediate.wrap(headers, at + DdpHeader.UNTAGGED_BYTES).immediate();
        finishReceive(WcOpcode.RECV_IMMEDIATE, 0, flags, value);
        return null;
    }

    private void finishReceive(WcOpcode completed, long byteCount, int flags, long immediateOrStag) {
        completions.received(slot.wrId, completed, byteCount, flags, immediateOrStag);
        stopIfOverrun();
        // Behind it: a receive whose completion fails is flushed when the stream ends.
        underWay = false;
        sendMsn++;
    }

    // RFC 5040 §8.1.1: the stream is over, also for what came together with the message.
    private void stopIfOverrun() {
        if (completions.overrun()) {
            listener.onOverrun();
        }
    }

    private @Nullable TerminateCode afterAtomicResponse() {
        atomicResponseMsn++;
        int at = sends.firstSge(sends.slot(outstanding.oldest()));
        AccessCheck check = protection.enter(sends.sgeLkey(at), sends.sgeAddress(at), Long.BYTES, Access.LOCAL_WRITE);
        if (check != AccessCheck.OK || !protection.storeAndLeave(atomicResponse.original())) {
            onLocalRefusal();
            return TerminateCode.RDMAP_LOCAL_CATASTROPHIC;
        }
        finishOldest();
        return null;
    }

    /** Hears that the local memory of the message at hand refused the payload. */
    void onLocalRefusal() {
        if (opcode.isSend()) {
            failure = WcStatus.LOCAL_PROTECTION_ERROR;
            return;
        }
        long sequence = outstanding.isEmpty() ? OutstandingRequests.OWN : outstanding.oldest();
        if (sequence != OutstandingRequests.OWN) {
            sends.fail(sends.slot(sequence), WcStatus.LOCAL_PROTECTION_ERROR, 0);
        }
    }
}

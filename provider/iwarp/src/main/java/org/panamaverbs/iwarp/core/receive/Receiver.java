package org.panamaverbs.iwarp.core.receive;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.iwarp.core.fault.Fault;
import org.panamaverbs.iwarp.core.memory.AccessCheck;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.Rtr;
import org.panamaverbs.iwarp.core.work.CompletionSink;
import org.panamaverbs.iwarp.core.work.InboundRequests;
import org.panamaverbs.iwarp.core.work.LocalOperations;
import org.panamaverbs.iwarp.core.work.OutstandingRequests;
import org.panamaverbs.iwarp.core.work.ReceiveSource;
import org.panamaverbs.iwarp.core.work.SendRing;
import org.panamaverbs.iwarp.core.work.StreamConfig;
import org.panamaverbs.iwarp.wire.AtomicRequestView;
import org.panamaverbs.iwarp.wire.AtomicResponseView;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.ImmediateDataView;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.ReadRequestView;
import org.panamaverbs.iwarp.wire.Terminate;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.memory.Access;

/** What the segments of the peer mean: validation in the order of RFC 5041 §7.1 and RFC 5040 §7.2, then delivery. */
public final class Receiver implements SegmentHandler {
    // What the header buffer of a receiver holds behind the DDP header.
    private static final int MAX_TERMINATE_BYTES = 64;

    private final Protection protection;
    private final LocalOperations local;
    private final ReceiveSource receives;
    private final SendRing sends;
    private final OutstandingRequests outstanding;
    private final InboundRequests inbound;
    private final ReceiverListener listener;

    private final DdpSegment ddp = new DdpSegment();
    private final IncomingMessage message;
    private final ExpectedMsns expected = new ExpectedMsns();

    // What was agreed on; set when the stream starts.
    private boolean initiator;
    private boolean draftSwap;
    private boolean noReads;
    private boolean rtrSendExpected;
    // Once the first segment of the peer is here, for ever.
    private boolean sawSegment;

    /** The MSNs that the next messages of the peer have, one for each queue that counts (RFC 5041 §4.3). */
    private static final class ExpectedMsns {
        int send = 1;
        int request = 1;
        int atomicResponse = 1;
    }

    public Receiver(
            StreamConfig config,
            Protection protection,
            LocalOperations local,
            ReceiveSource receives,
            SendRing sends,
            OutstandingRequests outstanding,
            InboundRequests inbound,
            ReceiverListener listener) {
        this.protection = protection;
        this.local = local;
        this.receives = receives;
        this.sends = sends;
        this.outstanding = outstanding;
        this.inbound = inbound;
        this.listener = listener;
        message = new IncomingMessage(config.maxRecvSge());
    }

    public void start(Negotiated negotiated) {
        initiator = negotiated.initiator();
        draftSwap = negotiated.draftSwap();
        noReads = negotiated.ird() == 0;
        rtrSendExpected = !initiator && negotiated.rtr() == Rtr.SEND;
    }

    public boolean sawSegment() {
        return sawSegment;
    }

    /** Completes the receive of a message that will not be finished. */
    public void abandonMessage(@Nullable Fault fault) {
        if (message.underWay) {
            boolean tooLong = fault != null && fault.code().equals(TerminateCode.UNTAGGED_TOO_LONG);
            listener.onReceiveFailed(message.slot.wrId, tooLong ? WcStatus.LOCAL_LENGTH_ERROR : message.failure);
            // Behind it: a completion that fails is repeated when the stream ends.
            message.underWay = false;
        }
    }

    @Override
    public @Nullable TerminateCode onHeader(
            MemorySegment segment, int collected, int ulpduLength, Placement placement) {
        ddp.header = segment;
        return DdpHeader.isTagged(segment, 0)
                ? onTagged(segment, ulpduLength, placement)
                : onUntagged(segment, ulpduLength, placement);
    }

    private @Nullable TerminateCode onTagged(MemorySegment segment, int ulpduLength, Placement placement) {
        TerminateCode code = ddp.tagged.wrap(segment, 0, ulpduLength).check();
        if (code != null) {
            return code;
        }
        ddp.opcode = ddp.tagged.opcode();
        return ddp.opcode == Opcode.RDMA_WRITE ? onWrite(placement) : onReadResponse(placement);
    }

    private @Nullable TerminateCode onWrite(Placement placement) {
        int length = ddp.tagged.payloadLength();
        // RFC 5041 §5.2: STag and TO of a zero-length message are not looked at.
        if (length == 0) {
            return null;
        }
        AccessCheck check = protection.probe(ddp.tagged.stag(), ddp.tagged.to(), length, Access.REMOTE_WRITE);
        placement.tagged(ddp.tagged.stag(), ddp.tagged.to(), true);
        return check == AccessCheck.OK ? null : Protection.taggedCode(check);
    }

    private @Nullable TerminateCode onReadResponse(Placement placement) {
        if (outstanding.isEmpty() || outstanding.oldestIsAtomic()) {
            return TerminateCode.UNEXPECTED_OPCODE;
        }
        long sequence = outstanding.oldest();
        long total = 0;
        int length = ddp.tagged.payloadLength();
        if (sequence != OutstandingRequests.OWN) {
            int at = sends.firstSge(sends.slot(sequence));
            total = sends.totalBytes(sends.slot(sequence));
            // RFC 5040 §5.2.2: the response must match the request's sink.
            if (length > 0 && ddp.tagged.stag() != sends.sgeLkey(at)) {
                return TerminateCode.TAGGED_INVALID_STAG;
            }
            if (length > 0 && ddp.tagged.to() != sends.sgeAddress(at) + outstanding.received()) {
                return TerminateCode.TAGGED_BOUNDS;
            }
        }
        long after = outstanding.received() + length;
        if (after > total || ddp.tagged.last() != (after == total)) {
            return TerminateCode.TAGGED_BOUNDS;
        }
        placement.tagged(ddp.tagged.stag(), ddp.tagged.to(), false);
        return null;
    }

    private @Nullable TerminateCode onUntagged(MemorySegment segment, int ulpduLength, Placement placement) {
        TerminateCode code = ddp.untagged.wrap(segment, 0, ulpduLength).check();
        if (code != null) {
            return code;
        }
        ddp.opcode = ddp.untagged.opcode();
        return switch (ddp.opcode.queue()) {
            case Opcode.QN_SEND -> onQueue0(placement);
            case Opcode.QN_REQUEST -> onRequest(segment);
            case Opcode.QN_ATOMIC_RESPONSE -> onAtomicResponse(segment);
            default -> onTerminate();
        };
    }

    private @Nullable TerminateCode onQueue0(Placement placement) {
        if (ddp.untagged.msn() != expected.send) {
            return TerminateCode.UNTAGGED_MSN_RANGE;
        }
        if (ddp.opcode.hasImmediate()) {
            TerminateCode code = ImmediateDataView.checkLength(ddp.untagged.payloadLength());
            if (code != null) {
                return code;
            }
            if (message.underWay || ddp.untagged.mo() != 0 || !ddp.untagged.last()) {
                return TerminateCode.UNTAGGED_INVALID_MO;
            }
            return takeReceive();
        }
        if (!message.underWay) {
            message.swallowed =
                    rtrSendExpected && !sawSegment && ddp.untagged.last() && ddp.untagged.payloadLength() == 0;
            if (ddp.untagged.mo() != 0) {
                return TerminateCode.UNTAGGED_INVALID_MO;
            }
            if (message.swallowed) {
                return null;
            }
            TerminateCode code = takeReceive();
            if (code != null) {
                return code;
            }
        }
        if (ddp.untagged.mo() != (int) message.offset) {
            return TerminateCode.UNTAGGED_INVALID_MO;
        }
        if (message.offset + ddp.untagged.payloadLength() > message.slot.totalBytes) {
            return TerminateCode.UNTAGGED_TOO_LONG;
        }
        placement.untagged(message.slot, message.offset);
        return null;
    }

    private @Nullable TerminateCode takeReceive() {
        message.prepare();
        if (!receives.take(message.slot)) {
            return TerminateCode.UNTAGGED_NO_BUFFER;
        }
        message.underWay = true;
        return null;
    }

    private @Nullable TerminateCode onRequest(MemorySegment segment) {
        if (ddp.untagged.msn() != expected.request) {
            return TerminateCode.UNTAGGED_MSN_RANGE;
        }
        boolean read = ddp.opcode == Opcode.READ_REQUEST;
        int length = ddp.untagged.payloadLength();
        TerminateCode code =
                inOneSegment(read ? ReadRequestView.checkLength(length) : AtomicRequestView.checkLength(length));
        if (code != null) {
            return code;
        }
        // RFC 5040 §6.1: requests beyond IRD find no buffer on queue 1.
        if (inbound.isFull()) {
            return TerminateCode.UNTAGGED_NO_BUFFER;
        }
        if (read) {
            ddp.readRequest.wrap(segment, DdpHeader.UNTAGGED_BYTES);
            // The slot that is there with IRD 0 is for an empty ready-to-receive Read.
            return noReads && ddp.readRequest.size() > 0 ? TerminateCode.UNTAGGED_NO_BUFFER : null;
        }
        if (noReads) {
            return TerminateCode.UNTAGGED_NO_BUFFER;
        }
        return ddp.atomicRequest.wrap(segment, DdpHeader.UNTAGGED_BYTES).check(draftSwap);
    }

    // A Terminate is short (RFC 5040 §4.8: 52 octets at most) and comes whole in one segment.
    private @Nullable TerminateCode onTerminate() {
        if (ddp.untagged.msn() != 1) {
            return TerminateCode.UNTAGGED_MSN_RANGE;
        }
        return inOneSegment(
                ddp.untagged.payloadLength() > MAX_TERMINATE_BYTES ? TerminateCode.UNTAGGED_TOO_LONG : null);
    }

    // RFC 5041 §7.1: a message of one segment begins at MO 0 and ends with its only segment.
    private @Nullable TerminateCode inOneSegment(@Nullable TerminateCode lengthVerdict) {
        boolean whole = ddp.untagged.mo() == 0 && ddp.untagged.last();
        return lengthVerdict != null || whole ? lengthVerdict : TerminateCode.UNTAGGED_INVALID_MO;
    }

    private @Nullable TerminateCode onAtomicResponse(MemorySegment segment) {
        if (outstanding.isEmpty() || !outstanding.oldestIsAtomic()) {
            return TerminateCode.UNTAGGED_NO_BUFFER;
        }
        if (ddp.untagged.msn() != expected.atomicResponse) {
            return TerminateCode.UNTAGGED_MSN_RANGE;
        }
        TerminateCode code = inOneSegment(AtomicResponseView.checkLength(ddp.untagged.payloadLength()));
        if (code != null) {
            return code;
        }
        ddp.atomicResponse.wrap(segment, DdpHeader.UNTAGGED_BYTES);
        return ddp.atomicResponse.requestId() == (int) outstanding.oldest()
                ? null
                : TerminateCode.OPERATION_UNSPECIFIED;
    }

    @Override
    public @Nullable TerminateCode onSegment() {
        boolean first = !sawSegment;
        if (first) {
            sawSegment = true;
            listener.onFirstSegment();
        }
        return switch (ddp.opcode) {
            case RDMA_WRITE -> null;
            case READ_RESPONSE -> afterReadResponse();
            case SEND, SEND_SE, SEND_INVALIDATE, SEND_SE_INVALIDATE -> afterSend();
            case IMMEDIATE, IMMEDIATE_SE -> afterImmediate();
            case READ_REQUEST -> {
                inbound.addRead(expected.request++, ddp.readRequest);
                yield null;
            }
            case ATOMIC_REQUEST -> {
                inbound.addAtomic(expected.request++, ddp.atomicRequest);
                yield null;
            }
            case ATOMIC_RESPONSE -> afterAtomicResponse();
            case TERMINATE -> {
                int length = ddp.untagged.payloadLength();
                listener.onTerminate(
                        Terminate.decode(ddp.header, DdpHeader.UNTAGGED_BYTES, length, first && !initiator));
                yield null;
            }
        };
    }

    private @Nullable TerminateCode afterReadResponse() {
        outstanding.receive(ddp.tagged.payloadLength());
        if (ddp.tagged.last()) {
            finishOldest();
        }
        return null;
    }

    private void finishOldest() {
        long sequence = outstanding.oldest();
        outstanding.removeOldest();
        if (sequence != OutstandingRequests.OWN) {
            sends.done(sends.slot(sequence));
            listener.onResponded();
        }
    }

    private @Nullable TerminateCode afterSend() {
        if (message.swallowed) {
            // RFC 6581 §9.2: the ready-to-receive Send belongs to the connection set-up, not to the application.
            message.swallowed = false;
            expected.send++;
            return null;
        }
        message.offset += ddp.untagged.payloadLength();
        if (!ddp.untagged.last()) {
            return null;
        }
        int flags = ddp.opcode.solicits() ? CompletionSink.SOLICITED : 0;
        int stag = 0;
        if (ddp.opcode.invalidates()) {
            stag = ddp.untagged.invalidateStag();
            // RFC 5040 §5.3: an STag that is not of this stream alone cannot be invalidated by the peer.
            if (!local.invalidate(stag)) {
                return TerminateCode.PROTECTION_CANNOT_INVALIDATE;
            }
            flags |= CompletionSink.HAS_INVALIDATED_STAG;
        }
        finishReceive(WcOpcode.RECV, message.offset, flags, Integer.toUnsignedLong(stag));
        return null;
    }

    private @Nullable TerminateCode afterImmediate() {
        int flags = CompletionSink.HAS_IMMEDIATE | (ddp.opcode.solicits() ? CompletionSink.SOLICITED : 0);
        long value = ddp.immediate.wrap(ddp.header, DdpHeader.UNTAGGED_BYTES).immediate();
        finishReceive(WcOpcode.RECV_IMMEDIATE, 0, flags, value);
        return null;
    }

    private void finishReceive(WcOpcode completed, long byteCount, int flags, long immediateOrStag) {
        listener.onReceived(message.slot.wrId, completed, byteCount, flags, immediateOrStag);
        // Behind it: a receive whose completion fails is flushed when the stream ends.
        message.underWay = false;
        expected.send++;
    }

    private @Nullable TerminateCode afterAtomicResponse() {
        expected.atomicResponse++;
        int at = sends.firstSge(sends.slot(outstanding.oldest()));
        AccessCheck check = protection.enter(sends.sgeLkey(at), sends.sgeAddress(at), Long.BYTES, Access.LOCAL_WRITE);
        if (check != AccessCheck.OK || !protection.storeAndLeave(ddp.atomicResponse.original())) {
            onLocalRefusal();
            return TerminateCode.RDMAP_LOCAL_CATASTROPHIC;
        }
        finishOldest();
        return null;
    }

    @Override
    public void onLocalRefusal() {
        if (ddp.opcode.isSend()) {
            message.failure = WcStatus.LOCAL_PROTECTION_ERROR;
            return;
        }
        long sequence = outstanding.isEmpty() ? OutstandingRequests.OWN : outstanding.oldest();
        if (sequence != OutstandingRequests.OWN) {
            sends.fail(sends.slot(sequence), WcStatus.LOCAL_PROTECTION_ERROR, 0);
        }
    }
}

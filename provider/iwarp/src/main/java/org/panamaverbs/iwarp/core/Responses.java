package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.wire.AtomicOpcode;
import org.panamaverbs.iwarp.wire.AtomicResponseView;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MaskedAtomics;

/**
 * The responder: answers the peer's Reads and carries out its Atomics, in the order they came (RFC 5040 §5.2, RFC 7306
 * §5).
 */
final class Responses {
    private static final long ALIGNMENT = Long.BYTES - 1;

    private final InboundRequests inbound;
    private final Protection protection;
    private final SegmentWriter writer;
    private final Offender offender;
    private final MemorySegment header;
    private boolean inMessage;
    private long messageOffset;
    private int atomicResponseMsn = 1;

    Responses(InboundRequests inbound, Protection protection, SegmentWriter writer, Offender offender) {
        this.inbound = inbound;
        this.protection = protection;
        this.writer = writer;
        this.offender = offender;
        header = writer.header();
    }

    /** Tells whether a Read Response has begun and not ended. */
    boolean inMessage() {
        return inMessage;
    }

    /** Drops the response at hand. */
    void abandon() {
        inMessage = false;
    }

    /** The octets of the stream up to {@code position} are written. */
    void written(long position) {
        inbound.written(position);
    }

    /** Tells whether a request waits. */
    boolean isReady() {
        return !inbound.isEmpty();
    }

    /** Begins the response to the oldest request; answers the fault it runs into. */
    @Nullable
    Fault begin() {
        if (inbound.isAtomic()) {
            return atomicResponse();
        }
        long size = inbound.size();
        // RFC 5040 §5.2.1: a zero-length request is answered without looking at STag and TO.
        if (size > 0) {
            AccessCheck check = protection.probe(inbound.sourceStag(), inbound.sourceTo(), size, Access.REMOTE_READ);
            if (check != AccessCheck.OK) {
                return failResponse(Protection.remoteCode(check), 0);
            }
        }
        inMessage = true;
        messageOffset = 0;
        return segment();
    }

    /** Writes the next segment of the Read Response at hand. */
    @Nullable
    Fault segment() {
        long remaining = inbound.size() - messageOffset;
        int payload = writer.payload(remaining, DdpHeader.TAGGED_BYTES);
        boolean last = payload == remaining;
        DdpHeader.emitTagged(
                header, 0, last, Opcode.READ_RESPONSE, inbound.sinkStag(), inbound.sinkTo() + messageOffset);
        writer.begin(DdpHeader.TAGGED_BYTES, payload);
        if (payload > 0) {
            int stag = inbound.sourceStag();
            AccessCheck check = protection.enter(stag, inbound.sourceTo() + messageOffset, payload, Access.REMOTE_READ);
            if (check != AccessCheck.OK) {
                writer.abandon();
                return failResponse(Protection.remoteCode(check), messageOffset);
            }
            writer.appendVolatile(protection, payload, stag);
        }
        writer.end();
        messageOffset += payload;
        if (last) {
            inMessage = false;
            inbound.answered(writer.position());
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
        long original;
        try {
            original = carryOut(cell, offset);
        } finally {
            protection.leave();
        }
        DdpHeader.emitUntagged(header, 0, true, Opcode.ATOMIC_RESPONSE, 0, atomicResponseMsn++, 0);
        AtomicResponseView.emit(header, DdpHeader.UNTAGGED_BYTES, inbound.requestId(), original);
        writer.headerOnly(DdpHeader.UNTAGGED_BYTES + AtomicResponseView.BYTES);
        inbound.answered(writer.position());
        return null;
    }

    private long carryOut(MemorySegment cell, long offset) {
        return inbound.atomicOperation() == AtomicOpcode.FETCH_ADD.code()
                ? MaskedAtomics.fetchAdd(cell, offset, inbound.data(), inbound.mask())
                : MaskedAtomics.cmpSwap(
                        cell, offset, inbound.compare(), inbound.compareMask(), inbound.data(), inbound.mask());
    }

    private Fault failResponse(TerminateCode code, long sent) {
        offender.request(inbound, sent);
        return Fault.local(code, "");
    }
}

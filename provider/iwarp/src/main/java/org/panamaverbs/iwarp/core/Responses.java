package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.memory.AccessCheck;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.wire.AtomicOpcode;
import org.panamaverbs.iwarp.wire.AtomicResponseView;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MaskedAtomics;
import org.panamaverbs.memory.access.FaultSafeMemory;

/**
 * The responder: answers the peer's Reads and carries out its Atomics, in the order they came (RFC 5040 §5.2, RFC 7306
 * §5).
 */
final class Responses {
    private static final long ALIGNMENT = Long.BYTES - 1;

    private final InboundRequests inbound;
    private final Protection protection;
    private final FpduWriter writer;
    private final TerminatedHeaders terminatedHeaders;
    private final MemorySegment header;
    private boolean inMessage;
    private long messageOffset;
    private int atomicResponseMsn = 1;

    public Responses(
            InboundRequests inbound, Protection protection, FpduWriter writer, TerminatedHeaders terminatedHeaders) {
        this.inbound = inbound;
        this.protection = protection;
        this.writer = writer;
        this.terminatedHeaders = terminatedHeaders;
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

    /** Writes the next segment of the Read Response at hand, unless that is better begun with the next batch. */
    @Nullable
    Fault segment() {
        int payload = writer.payload(inbound.size() - messageOffset, DdpHeader.TAGGED_BYTES);
        AccessCheck check = build(payload);
        if (check == null) {
            payload = writer.shortPayload(payload);
            check = payload == 0 ? null : build(payload);
        }
        if (check == null) {
            return null;
        }
        if (check != AccessCheck.OK) {
            return failResponse(Protection.remoteCode(check), messageOffset);
        }
        messageOffset += payload;
        if (messageOffset == inbound.size()) {
            inMessage = false;
            inbound.answered(writer.position());
        }
        return null;
    }

    /** Builds a segment of {@code payload} octets; answers null if there is no memory for so many. */
    private @Nullable AccessCheck build(int payload) {
        boolean last = messageOffset + payload == inbound.size();
        writer.beginTagged(last, Opcode.READ_RESPONSE, inbound.sinkStag(), inbound.sinkTo() + messageOffset, payload);
        if (payload > 0) {
            int stag = inbound.sourceStag();
            long from = inbound.sourceTo() + messageOffset;
            AccessCheck check = protection.enter(stag, from, payload, Access.REMOTE_READ);
            Appended appended =
                    check == AccessCheck.OK ? writer.appendVolatile(protection, payload, stag) : Appended.GONE;
            if (appended != Appended.DONE) {
                writer.abandon();
                if (appended == Appended.TOO_MUCH) {
                    return null;
                }
                return check == AccessCheck.OK ? protection.failure(stag, from, payload, Access.REMOTE_READ) : check;
            }
        }
        writer.end();
        return AccessCheck.OK;
    }

    private @Nullable Fault atomicResponse() {
        AccessCheck check =
                protection.enter(inbound.sourceStag(), inbound.sourceTo(), Long.BYTES, Access.REMOTE_ATOMIC);
        if (check != AccessCheck.OK) {
            return failResponse(Protection.remoteCode(check), 0);
        }
        long original;
        try {
            // RFC 7306 §5.1: the address must be 64-bit aligned, whatever the tagged offset looks like.
            if ((protection.segment().address() + protection.offset() & ALIGNMENT) != 0) {
                return failResponse(TerminateCode.STREAM_CATASTROPHIC, 0);
            }
            original = carryOut(protection.segment(), protection.offset(), protection.mayVanish());
        } catch (InternalError e) {
            FaultSafeMemory.gone(protection.mayVanish(), e);
            return failResponse(Protection.remoteCode(AccessCheck.FAULT), 0);
        } catch (IllegalStateException e) {
            if (protection.region().isAlive()) {
                throw e;
            }
            return failResponse(Protection.remoteCode(AccessCheck.INVALID_STAG), 0);
        } finally {
            protection.leave();
        }
        DdpHeader.emitUntagged(header, 0, true, Opcode.ATOMIC_RESPONSE, 0, atomicResponseMsn++, 0);
        AtomicResponseView.emit(header, DdpHeader.UNTAGGED_BYTES, inbound.requestId(), original);
        writer.headerOnly(DdpHeader.UNTAGGED_BYTES + AtomicResponseView.BYTES);
        inbound.answered(writer.position());
        return null;
    }

    private long carryOut(MemorySegment cell, long offset, boolean mayVanish) {
        if (mayVanish) {
            // The virtual machine survives a read that fails, and not any atomic instruction.
            cell.get(ValueLayout.JAVA_LONG, offset);
            FaultSafeMemory.isThere();
        }
        long original = inbound.atomicOperation() == AtomicOpcode.FETCH_ADD.code()
                ? MaskedAtomics.fetchAdd(cell, offset, inbound.data(), inbound.mask())
                : MaskedAtomics.cmpSwap(
                        cell, offset, inbound.compare(), inbound.compareMask(), inbound.data(), inbound.mask());
        return mayVanish && !FaultSafeMemory.isThere() ? 0 : original;
    }

    private Fault failResponse(TerminateCode code, long sent) {
        terminatedHeaders.request(inbound, sent);
        return Fault.local(code, "");
    }
}

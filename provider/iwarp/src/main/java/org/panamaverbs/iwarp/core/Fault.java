package org.panamaverbs.iwarp.core;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.api.cm.TerminateCause.Origin;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.api.cm.TerminatedSegment;
import org.panamaverbs.iwarp.wire.Terminate;
import org.panamaverbs.iwarp.wire.TerminateCode;

/**
 * Why a stream failed.
 *
 * @param code layer, type and code, as in a Terminate (RFC 5040 §4.8)
 * @param origin who found it
 * @param reason the same as a type, finer for what this side does to itself
 * @param detail what was seen, with numbers; empty if the rest says it all
 * @param segment the headers of the segment it was found in; null without
 */
public record Fault(
        TerminateCode code,
        Origin origin,
        TerminateReason reason,
        String detail,
        @Nullable TerminatedSegment segment) {
    /** A completion queue of the stream has failed. */
    public static final Fault QUEUE_OVERRUN = local(TerminateReason.COMPLETION_QUEUE_OVERRUN, "");

    /** Returns a fault that this side found. */
    public static Fault local(TerminateCode code, String detail) {
        // Nothing else is refused with that code here.
        TerminateReason reason =
                code.equals(TerminateCode.PROTECTION_UNSPECIFIED) ? TerminateReason.MEMORY_FAULT : reason(code);
        return new Fault(code, Origin.LOCAL, reason, detail, null);
    }

    /** Returns a fault that this side found; {@code reason} must have numbers of its own. */
    public static Fault local(TerminateReason reason, String detail) {
        TerminateCode code = TerminateCode.lookup(reason.layer(), reason.errorType(), reason.errorCode());
        return new Fault(code, Origin.LOCAL, reason, detail, null);
    }

    /** Returns the fault behind a verdict on what the peer sent. */
    public static Fault received(TerminateCode code) {
        // What the peer sent is right, and what it is for is not there: RFC 5040 §7.1 leaves this code.
        return code.equals(TerminateCode.RDMAP_LOCAL_CATASTROPHIC)
                ? local(TerminateReason.LOCAL_PROTECTION, "the memory for the peer's data cannot be written")
                : local(code, "");
    }

    /** Returns a fault that the peer reported. */
    public static Fault remote(Terminate terminate) {
        TerminateCode code = terminate.code();
        return new Fault(code, Origin.REMOTE, reason(code), "", SegmentHeaders.of(terminate));
    }

    private static TerminateReason reason(TerminateCode code) {
        return TerminateReason.of(code.layer(), code.errorType(), code.code());
    }

    /** Returns this fault as found in {@code found}, null for no segment. */
    public Fault in(@Nullable TerminatedSegment found) {
        return found == null ? this : new Fault(code, origin, reason, detail, found);
    }

    /** Returns what kind of event it is on this side. */
    public StreamEvent event() {
        boolean peersFault = origin == Origin.LOCAL && code.errorType() != 0 && code.layer() != TerminateCode.LAYER_MPA;
        if (!peersFault) {
            return StreamEvent.FATAL;
        }
        // Protection of RDMAP and tagged buffers of DDP have the same number.
        return code.errorType() == 1 ? StreamEvent.ACCESS_ERROR : StreamEvent.REQUEST_ERROR;
    }

    /** Returns the fault as the application sees it. */
    public TerminateCause cause() {
        boolean known = reason != TerminateReason.UNREGISTERED;
        return new TerminateCause(
                origin,
                code.layer(),
                code.errorType(),
                code.code(),
                reason,
                known ? reason.text() : code.text(),
                reason.reference(),
                detail,
                segment);
    }

    /** Returns {@code layer << 12 | type << 8 | code}, what completions carry as vendor error. */
    public int vendorError() {
        return vendorError(code);
    }

    public static int vendorError(TerminateCode code) {
        return code.layer() << 12 | code.errorType() << 8 | code.code();
    }
}

package org.panamaverbs.iwarp.core;

import org.panamaverbs.api.TerminateCause;
import org.panamaverbs.iwarp.wire.TerminateCode;

/**
 * Why a stream failed.
 *
 * @param code layer, type and code, as in a Terminate (RFC 5040 §4.8)
 * @param origin who found it
 * @param detail what was seen, with numbers; empty if the code says it all
 */
public record Fault(TerminateCode code, TerminateCause.Origin origin, String detail) {
    /** Something on this side fails that the peer cannot help: completion queue overrun, local protection error. */
    public static final Fault LOCAL_CATASTROPHIC = local(TerminateCode.RDMAP_LOCAL_CATASTROPHIC, "");

    /** Returns a fault that this side found. */
    public static Fault local(TerminateCode code, String detail) {
        return new Fault(code, TerminateCause.Origin.LOCAL, detail);
    }

    /** Returns a fault that the peer reported. */
    public static Fault remote(TerminateCode code) {
        return new Fault(code, TerminateCause.Origin.REMOTE, "");
    }

    /** Returns what kind of event it is on this side. */
    StreamEvent event() {
        boolean peersFault = origin == TerminateCause.Origin.LOCAL
                && code.errorType() != 0
                && code.layer() != TerminateCode.LAYER_MPA;
        if (!peersFault) {
            return StreamEvent.FATAL;
        }
        // Protection of RDMAP and tagged buffers of DDP have the same number.
        return code.errorType() == 1 ? StreamEvent.ACCESS_ERROR : StreamEvent.REQUEST_ERROR;
    }

    /** Returns it as the application sees it. */
    public TerminateCause cause() {
        String text = detail.isEmpty() ? code.text() : code.text() + " (" + detail + ")";
        return new TerminateCause(origin, code.layer(), code.errorType(), code.code(), text, reference());
    }

    // The table has 5041#7.2.
    private String reference() {
        return code.isRegistered() ? "RFC " + code.rfc().replace("#", " §") : "";
    }

    /** Returns {@code layer << 12 | type << 8 | code}, what completions carry as vendor error. */
    public int vendorError() {
        return code.layer() << 12 | code.errorType() << 8 | code.code();
    }
}

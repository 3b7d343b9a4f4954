package org.panamaverbs.api.cm;

/**
 * Why an iWARP stream was terminated: the registered codes of a Terminate (RFC 5040 §4.8, RFC 5041 §7.2, RFC 5044 §8,
 * RFC 6581 §8), and local errors that share a code with others. Each has its usual cause and remedy, which the guide's
 * page {@code errors} lists as a table.
 */
public enum TerminateReason {
    /** 0/0. */
    RDMAP_LOCAL_CATASTROPHIC(0x0000, "RDMAP local catastrophic error", "RFC 5040 §4.8"),
    /** 0/1/00. */
    INVALID_STAG(0x0100, "remote protection error: invalid STag", "RFC 5040 §4.8"),
    /** 0/1/01. */
    BOUNDS(0x0101, "remote protection error: base or bounds violation", "RFC 5040 §4.8"),
    /** 0/1/02. */
    ACCESS_RIGHTS(0x0102, "remote protection error: access rights violation", "RFC 5040 §4.8"),
    /** 0/1/03. */
    STAG_NOT_ASSOCIATED(0x0103, "remote protection error: STag not associated with RDMAP Stream", "RFC 5040 §4.8"),
    /** 0/1/04. */
    TO_WRAP(0x0104, "remote protection error: TO wrap", "RFC 5040 §4.8"),
    /** 0/1/09. */
    PROTECTION_CANNOT_INVALIDATE(0x0109, "remote protection error: STag cannot be invalidated", "RFC 5040 §4.8"),
    /** 0/1/ff. */
    PROTECTION_UNSPECIFIED(0x01FF, "remote protection error: unspecified error", "RFC 5040 §4.8"),
    /** 0/2/05. */
    RDMAP_VERSION(0x0205, "remote operation error: invalid RDMAP version", "RFC 5040 §4.8"),
    /** 0/2/06. */
    UNEXPECTED_OPCODE(0x0206, "remote operation error: unexpected opcode", "RFC 5040 §4.8"),
    /** 0/2/07. */
    STREAM_CATASTROPHIC(
            0x0207, "remote operation error: catastrophic error, localized to RDMAP Stream", "RFC 5040 §4.8"),
    /** 0/2/08. */
    GLOBAL_CATASTROPHIC(0x0208, "remote operation error: catastrophic error, global", "RFC 5040 §4.8"),
    /** 0/2/09. */
    OPERATION_CANNOT_INVALIDATE(0x0209, "remote operation error: STag cannot be invalidated", "RFC 5040 §4.8"),
    /** 0/2/ff. */
    OPERATION_UNSPECIFIED(0x02FF, "remote operation error: unspecified error", "RFC 5040 §4.8"),
    /** 1/0/00. */
    DDP_LOCAL_CATASTROPHIC(0x1000, "DDP local catastrophic error", "RFC 5041 §7.2"),
    /** 1/1/00. */
    TAGGED_INVALID_STAG(0x1100, "tagged buffer error: invalid STag", "RFC 5041 §7.2"),
    /** 1/1/01. */
    TAGGED_BOUNDS(0x1101, "tagged buffer error: base or bounds violation", "RFC 5041 §7.2"),
    /** 1/1/02. */
    TAGGED_NOT_ASSOCIATED(0x1102, "tagged buffer error: STag not associated with DDP Stream", "RFC 5041 §7.2"),
    /** 1/1/03. */
    TAGGED_TO_WRAP(0x1103, "tagged buffer error: TO wrap", "RFC 5041 §7.2"),
    /** 1/1/04. */
    TAGGED_VERSION(0x1104, "tagged buffer error: invalid DDP version", "RFC 5041 §7.2"),
    /** 1/2/01. */
    UNTAGGED_INVALID_QN(0x1201, "untagged buffer error: invalid QN", "RFC 5041 §7.2"),
    /** 1/2/02. */
    UNTAGGED_NO_BUFFER(0x1202, "untagged buffer error: invalid MSN, no buffer available", "RFC 5041 §7.2"),
    /** 1/2/03. */
    UNTAGGED_MSN_RANGE(0x1203, "untagged buffer error: invalid MSN, range is not valid", "RFC 5041 §7.2"),
    /** 1/2/04. */
    UNTAGGED_INVALID_MO(0x1204, "untagged buffer error: invalid MO", "RFC 5041 §7.2"),
    /** 1/2/05. */
    UNTAGGED_TOO_LONG(0x1205, "untagged buffer error: DDP Message too long for available buffer", "RFC 5041 §7.2"),
    /** 1/2/06. */
    UNTAGGED_VERSION(0x1206, "untagged buffer error: invalid DDP version", "RFC 5041 §7.2"),
    /** 1/3. */
    DDP_LLP(0x1300, "error reserved for the LLP", "RFC 5041 §7.2"),
    /** 2/0/01. */
    MPA_CONNECTION_LOST(0x2001, "MPA error: TCP connection closed, terminated or lost", "RFC 5044 §8"),
    /** 2/0/02. */
    MPA_CRC(0x2002, "MPA error: CRC error", "RFC 5044 §8"),
    /** 2/0/03. */
    MPA_FRAMING(0x2003, "MPA error: marker and ULPDU_Length fields do not match", "RFC 5044 §8"),
    /** 2/0/04. */
    MPA_INVALID_FRAME(0x2004, "MPA error: invalid MPA Request or Reply Frame", "RFC 5044 §8"),
    /** 2/0/05. */
    MPA_LOCAL_CATASTROPHIC(0x2005, "MPA error: local catastrophic error", "RFC 6581 §8"),
    /** 2/0/06. */
    MPA_INSUFFICIENT_IRD(0x2006, "MPA error: insufficient IRD resources", "RFC 6581 §8"),
    /** 2/0/07. */
    MPA_NO_MATCHING_RTR(0x2007, "MPA error: no matching RTR option", "RFC 6581 §8"),
    /** A completion queue was overrun; the peer receives 0/0. */
    COMPLETION_QUEUE_OVERRUN(true, 0x0000, "completion queue overrun", "RFC 5040 §8.1.1"),
    /** Memory of a work request cannot be accessed; the peer receives 0/0. */
    LOCAL_PROTECTION(true, 0x0000, "local protection error", "RFC 5040 §7.1"),
    /** A work request cannot be carried out; the peer receives 0/0. */
    LOCAL_REQUEST(true, 0x0000, "a work request of this side cannot be executed", "RFC 5040 §7.1"),
    /** Registered memory cannot be accessed, such as that of a truncated file; the peer receives 0/1/ff. */
    MEMORY_FAULT(true, 0x01FF, "registered memory of this side no longer exists", "RFC 5040 §4.8"),
    /** Memory was deregistered while it was being sent; the peer sees a reset. */
    MEMORY_GONE(true, 0x2001, "memory was deregistered while it was being sent", "RFC 5044 §8"),
    /** The initiator sent nothing, and the acceptor may send only after it; the peer sees a reset. */
    NO_FIRST_FPDU(true, 0x2001, "the initiator sent no FPDU, and this side may send only after one", "RFC 5044 §7.1.2"),
    /** The peer closed the connection within an FPDU, without a Terminate. */
    PEER_CLOSED(true, 0x2001, "the peer closed the connection in the middle of an FPDU", "RFC 5044 §8"),
    /** The peer reset the connection, or its system did because its process ended. */
    PEER_RESET(true, 0x2001, "the peer reset the connection", "RFC 5044 §8"),
    /** The peer stopped answering; it sees a reset, if anything. */
    PEER_SILENT(true, 0x2001, "the peer no longer answers", "RFC 5044 §8"),
    /** An error in the provider; the peer sees a reset. */
    PROVIDER_FAILURE(true, 0x2001, "the provider failed internally", "RFC 5044 §8"),
    /** A code that no specification registers; {@link TerminateCause} has its numbers. */
    UNREGISTERED(true, -1, "no specification defines this code", "");

    private static final int LAYER_RDMAP = 0;
    private static final int LAYER_DDP = 1;
    private static final int LAYER_MPA = 2;
    // RFC 5041 §7.2: what the layer below has to say, in codes of its own.
    private static final int DDP_LLP_TYPE = 3;
    // Some adapters send the codes of MPA with this error type.
    private static final int MPA_ALIAS_TYPE = 3;

    private final boolean local;
    private final int numbers;
    private final String text;
    private final String reference;

    TerminateReason(int numbers, String text, String reference) {
        this(false, numbers, text, reference);
    }

    /** The numbers are layer, type and code as in {@link org.panamaverbs.api.WorkCompletion#vendorError()}. */
    TerminateReason(boolean local, int numbers, String text, String reference) {
        this.local = local;
        this.numbers = numbers;
        this.text = text;
        this.reference = reference;
    }

    /** Returns the reason registered for these numbers, {@link #UNREGISTERED} if there is none. */
    public static TerminateReason of(int layer, int errorType, int errorCode) {
        int type = layer == LAYER_MPA && errorType == MPA_ALIAS_TYPE ? 0 : errorType;
        for (TerminateReason reason : values()) {
            boolean sameCode = reason.errorCode() == errorCode || reason.anyCode();
            if (!reason.local && reason.layer() == layer && reason.errorType() == type && sameCode) {
                return reason;
            }
        }
        return UNREGISTERED;
    }

    /** Returns the layer: 0 RDMAP, 1 DDP, 2 MPA; -1 for {@link #UNREGISTERED}. */
    public int layer() {
        return numbers >> 12;
    }

    /** Returns the error type within the layer, 0 to 15; -1 for {@link #UNREGISTERED}. */
    public int errorType() {
        return numbers < 0 ? numbers : numbers >> 8 & 0xF;
    }

    /** Returns the error code within the type, 0 to 255; 0 if there is only one, -1 for {@link #UNREGISTERED}. */
    public int errorCode() {
        return numbers < 0 ? numbers : numbers & 0xFF;
    }

    /** Returns whether the error type has no codes, so that the code is ignored. */
    public boolean anyCode() {
        return (layer() == LAYER_RDMAP && errorType() == 0) || (layer() == LAYER_DDP && errorType() == DDP_LLP_TYPE);
    }

    /** Returns whether a specification registers this reason; others share the code of a registered one. */
    public boolean isRegistered() {
        return !local;
    }

    /** Returns the error's name. */
    public String text() {
        return text;
    }

    /** Returns the section that defines it, for example {@code RFC 5041 §7.2}; empty if none does. */
    public String reference() {
        return reference;
    }

    /** Returns the usual cause. */
    public String usualCause() {
        return TerminateGuide.usualCause(name());
    }

    /** Returns the remedy. */
    public String remedy() {
        return TerminateGuide.remedy(name());
    }
}

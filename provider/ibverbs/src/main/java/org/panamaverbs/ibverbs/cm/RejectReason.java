package org.panamaverbs.ibverbs.cm;

import org.panamaverbs.api.ConnectionException.Reason;

/** Why an InfiniBand or RoCE connection manager rejects, {@code enum ib_cm_rej_reason} of the kernel's rdma/ib_cm.h. */
enum RejectReason {
    NO_QP(1, Reason.RESET, "the peer is out of resources: it has no queue pair for the connection"),
    NO_RESOURCES(3, Reason.RESET, "the peer is out of resources"),
    TIMEOUT(4, Reason.RESET, "the peer gave up waiting"),
    UNSUPPORTED(5, Reason.NEGOTIATION, "the peer does not support the request"),
    INVALID_COMM_ID(6, Reason.RESET, "the peer no longer knows the connection"),
    INVALID_COMM_INSTANCE(7, Reason.RESET, "the peer no longer knows the connection"),
    INVALID_SERVICE_ID(8, Reason.REFUSED, "no listener at that address"),
    INVALID_TRANSPORT_TYPE(9, Reason.NEGOTIATION, "the peer listens for another service type"),
    STALE_CONN(
            10,
            Reason.RESET,
            "the peer still has a stale connection with this queue pair number, and a retry may succeed"),
    INVALID_GID(12, Reason.UNREACHABLE, "the peer does not have the GID; its address may have changed"),
    INVALID_MTU(26, Reason.NEGOTIATION, "the peer does not support the path MTU"),
    INSUFFICIENT_RESP_RESOURCES(27, Reason.NEGOTIATION, "the peer has too few responder resources"),
    CONSUMER_DEFINED(28, Reason.REJECTED, "the peer's application rejected the request"),
    INVALID_RNR_RETRY(29, Reason.NEGOTIATION, "the peer does not accept the receiver-not-ready retry count"),
    OTHER(-1, Reason.PROTOCOL, "see enum ib_cm_rej_reason in the kernel's rdma/ib_cm.h");

    private final int value;
    private final Reason meaning;
    private final String text;

    RejectReason(int value, Reason meaning, String text) {
        this.value = value;
        this.meaning = meaning;
        this.text = text;
    }

    /** Returns the reason with the number {@code value}. */
    static RejectReason of(int value) {
        for (RejectReason reason : values()) {
            if (reason.value == value) {
                return reason;
            }
        }
        return OTHER;
    }

    /** Returns what the reason is to the application. */
    Reason meaning() {
        return meaning;
    }

    /** Returns the reason in words. */
    String text() {
        return text;
    }
}

package org.panamaverbs.ibverbs.cm;

import org.panamaverbs.api.ConnectionException.Reason;

/** How a service id resolution was answered, {@code enum ib_cm_sidr_status} of the kernel's rdma/ib_cm.h. */
public enum SidrStatus {
    UNSUPPORTED(1, Reason.REFUSED, "no listener for datagrams at that address"),
    REJECT(2, Reason.REJECTED, "the peer's application rejected the request"),
    NO_QP(3, Reason.RESET, "the peer has no queue pair for the request"),
    REDIRECT(4, Reason.PROTOCOL, "the peer redirects, which the kernel does not follow"),
    UNSUPPORTED_VERSION(5, Reason.PROTOCOL, "the peer speaks another version"),
    OTHER(-1, Reason.PROTOCOL, "see enum ib_cm_sidr_status in the kernel's rdma/ib_cm.h");

    private final int value;
    private final Reason meaning;
    private final String text;

    SidrStatus(int value, Reason meaning, String text) {
        this.value = value;
        this.meaning = meaning;
        this.text = text;
    }

    /** Returns the status with the number {@code value}. */
    public static SidrStatus of(int value) {
        for (SidrStatus status : values()) {
            if (status.value == value) {
                return status;
            }
        }
        return OTHER;
    }

    /** Returns what the status is to the application. */
    public Reason meaning() {
        return meaning;
    }

    /** Returns the status in words. */
    public String text() {
        return text;
    }
}

package org.panamaverbs.api;

/** The status of a work completion, {@code enum ibv_wc_status}; {@link #code()} is libibverbs' number. */
public enum WcStatus {
    /** The operation succeeded. */
    SUCCESS(0, "success"),
    /** The message is longer than the posted buffers, or longer than 2^32-1 octets. */
    LOCAL_LENGTH_ERROR(1, "local length error"),
    /** The provider failed at the queue pair. */
    LOCAL_QP_OPERATION_ERROR(2, "local QP operation error"),
    /** The provider failed at the end-to-end context. */
    LOCAL_EEC_OPERATION_ERROR(3, "local EE context operation error"),
    /** A local buffer is not registered, too short, of another protection domain, or lacks the right. */
    LOCAL_PROTECTION_ERROR(4, "local protection error: check lkey, bounds, protection domain and LOCAL_WRITE"),
    /** The queue pair went to the error state before this request was done. */
    WR_FLUSH_ERROR(5, "work request flushed: the queue pair is in the error state"),
    /** Binding a memory window failed. */
    MEMORY_WINDOW_BIND_ERROR(
            6,
            "memory window bind error: the buffer needs MEMORY_WINDOW_BIND, and LOCAL_WRITE for remote write or atomic"),
    /** The peer answered what was not asked. */
    BAD_RESPONSE(7, "bad response"),
    /** Local access was refused while receiving. */
    LOCAL_ACCESS_ERROR(8, "local access error"),
    /** The peer refused the request as invalid. */
    REMOTE_INVALID_REQUEST(9, "remote invalid request"),
    /** The peer refused access: STag, bounds or rights. */
    REMOTE_ACCESS_ERROR(10, "remote access error: check rkey, bounds and remote rights"),
    /** The peer failed to carry the operation out. */
    REMOTE_OPERATION_ERROR(11, "remote operation error"),
    /** The peer does not answer. */
    RETRY_EXCEEDED(12, "transport retries exceeded: the peer does not answer"),
    /** The peer had no receive posted. */
    RNR_RETRY_EXCEEDED(13, "receiver-not-ready retries exceeded: the peer has no receive posted"),
    /** Reliable datagram: domain violation. */
    LOCAL_RDD_VIOLATION(14, "local RDD violation"),
    /** Reliable datagram: invalid request. */
    REMOTE_INVALID_RD_REQUEST(15, "remote invalid RD request"),
    /** The operation was aborted. */
    REMOTE_ABORTED(16, "remote aborted"),
    /** Invalid end-to-end context number. */
    INVALID_EECN(17, "invalid EE context number"),
    /** Invalid end-to-end context state. */
    INVALID_EEC_STATE(18, "invalid EE context state"),
    /** The stream or device failed. */
    FATAL_ERROR(19, "fatal error"),
    /** The response did not come in time. */
    RESPONSE_TIMEOUT(20, "response timeout"),
    /** Any other error; see the vendor error. */
    GENERAL_ERROR(21, "general error");

    private static final WcStatus[] BY_CODE = values();

    private final int code;
    private final String text;

    WcStatus(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /** Returns the number in {@code enum ibv_wc_status}. */
    public int code() {
        return code;
    }

    /** Returns what it means, with the remedy where there is a usual one. */
    public String text() {
        return text;
    }

    /** Returns the status with libibverbs' number {@code code}; {@link #GENERAL_ERROR} for unknown numbers. */
    public static WcStatus of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : GENERAL_ERROR;
    }
}

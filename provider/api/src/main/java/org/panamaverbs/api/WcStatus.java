package org.panamaverbs.api;

/** The status of a work completion, {@code enum ibv_wc_status}; {@link #code()} is libibverbs' number. */
public enum WcStatus {
    /** The operation succeeded. */
    SUCCESS(0, "success"),
    /** The message is longer than the posted buffers, or longer than 2^32-1 octets. */
    LOCAL_LENGTH_ERROR(1, "local length error: post receives as long as the longest message"),
    /** The provider failed at the queue pair. */
    LOCAL_QP_OPERATION_ERROR(
            2,
            "local QP operation error: check the lengths of the request, and the depths that the queue pair was made with"),
    /** The provider failed at the end-to-end context. */
    LOCAL_EEC_OPERATION_ERROR(3, "local EE context operation error: report it to the maker of the device"),
    /** A local buffer is not registered, too short, of another protection domain, or lacks the right. */
    LOCAL_PROTECTION_ERROR(4, "local protection error: check lkey, bounds, protection domain and LOCAL_WRITE"),
    /** The queue pair went to the error state before this request was done. */
    WR_FLUSH_ERROR(5, "work request flushed, the queue pair is in the error state: look for what failed first"),
    /** Binding a memory window failed. */
    MEMORY_WINDOW_BIND_ERROR(
            6,
            "memory window bind error: the buffer needs MEMORY_WINDOW_BIND, and LOCAL_WRITE for remote write or atomic"),
    /** The peer answered what was not asked. */
    BAD_RESPONSE(7, "bad response, the peer answered what was not asked: report it to the maker of its device"),
    /** Local access was refused while receiving. */
    LOCAL_ACCESS_ERROR(8, "local access error: compare the access of the peer with what was granted"),
    /** The peer refused the request as invalid. */
    REMOTE_INVALID_REQUEST(9, "remote invalid request: compare capabilities and depths of both sides"),
    /** The peer refused access: STag, bounds or rights. */
    REMOTE_ACCESS_ERROR(10, "remote access error: check rkey, bounds and remote rights"),
    /** The peer failed to carry the operation out. */
    REMOTE_OPERATION_ERROR(11, "remote operation error: look at the log of the peer"),
    /** The peer does not answer. */
    RETRY_EXCEEDED(12, "transport retries exceeded, the peer does not answer: check it and the network"),
    /** The peer had no receive posted. */
    RNR_RETRY_EXCEEDED(13, "receiver-not-ready retries exceeded: have the peer post receives first"),
    /** Reliable datagram: domain violation. */
    LOCAL_RDD_VIOLATION(14, "local RDD violation: report it to the maker of the device"),
    /** Reliable datagram: invalid request. */
    REMOTE_INVALID_RD_REQUEST(15, "remote invalid RD request: report it to the maker of the device"),
    /** The operation was aborted. */
    REMOTE_ABORTED(16, "remote aborted: look at the log of the peer"),
    /** Invalid end-to-end context number. */
    INVALID_EECN(17, "invalid EE context number: report it to the maker of the device"),
    /** Invalid end-to-end context state. */
    INVALID_EEC_STATE(18, "invalid EE context state: report it to the maker of the device"),
    /** The stream or device failed. */
    FATAL_ERROR(19, "fatal error: look at the terminate cause and at the log of the kernel"),
    /** The response did not come in time. */
    RESPONSE_TIMEOUT(20, "response timeout: check the peer and the network"),
    /** Any other error; see the vendor error. */
    GENERAL_ERROR(21, "general error: look the vendor error up with the maker of the device");

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

    /** Returns what it means, and the usual remedy behind a colon. */
    public String text() {
        return text;
    }

    /** Returns what it means, without a remedy. */
    public String meaning() {
        return text.split(": ", 2)[0];
    }

    /** Returns what is usually to be done about it; empty for {@link #SUCCESS}. */
    public String remedy() {
        String meaning = meaning();
        return meaning.equals(text) ? "" : text.substring(meaning.length() + 2);
    }

    /** Returns the status with libibverbs' number {@code code}; {@link #GENERAL_ERROR} for unknown numbers. */
    public static WcStatus of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : GENERAL_ERROR;
    }
}

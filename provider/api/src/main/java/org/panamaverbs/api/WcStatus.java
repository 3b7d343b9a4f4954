package org.panamaverbs.api;

/** The status of a work completion, {@code enum ibv_wc_status}; {@link #code()} is its number in libibverbs. */
public enum WcStatus {
    /** The operation succeeded. */
    SUCCESS(0, "success"),
    /** The message is longer than the posted buffers, or longer than 2^32-1 bytes. */
    LOCAL_LENGTH_ERROR(
            1, "local length error, the message is too long; remedy: post receives as long as the longest message"),
    /** The queue pair could not process the request. */
    LOCAL_QP_OPERATION_ERROR(
            2,
            "local QP operation error, the request does not fit its queue pair; remedy: check its lengths, and the"
                    + " depths that the queue pair was created with"),
    /** The end-to-end context could not process the request (reliable datagram). */
    LOCAL_EEC_OPERATION_ERROR(3, "local EE context operation error; remedy: report it to the vendor of the device"),
    /** A local buffer is not registered, too short, of another protection domain, or does not grant the right. */
    LOCAL_PROTECTION_ERROR(4, "local protection error; remedy: check lkey, bounds, protection domain and LOCAL_WRITE"),
    /** The queue pair entered the error state before the request was done. */
    WR_FLUSH_ERROR(
            5,
            "work request flushed, the queue pair is in the error state; remedy: find the completion that"
                    + " failed first"),
    /** Binding a memory window failed. */
    MEMORY_WINDOW_BIND_ERROR(
            6,
            "memory window bind error; remedy: register the buffer in the window's domain with MEMORY_WINDOW_BIND,"
                    + " and LOCAL_WRITE for remote write or atomic"),
    /** The peer sent a response without a request. */
    BAD_RESPONSE(
            7,
            "bad response, the peer answered without a request; remedy: report it to the vendor of the peer's"
                    + " device"),
    /** Local access was refused while receiving. */
    LOCAL_ACCESS_ERROR(
            8,
            "local access error, a peer's request was refused; remedy: compare the access of the peer with what was"
                    + " granted"),
    /** The peer refused the request as invalid. */
    REMOTE_INVALID_REQUEST(
            9,
            "remote invalid request; remedy: compare capabilities and depths of both sides, and align atomics to 8"
                    + " bytes"),
    /**
     * The peer refused access: rkey, bounds or rights. It must grant the right by its registration and by its queue
     * pair, {@link QueuePairConfig#withAccess}, which grants none by default.
     */
    REMOTE_ACCESS_ERROR(
            10,
            "remote access error; remedy: check rkey, bounds, and the peer's rights: of its registration and of its queue"
                    + " pair (withAccess)"),
    /** The peer could not carry out the operation. */
    REMOTE_OPERATION_ERROR(11, "remote operation error, the peer failed; remedy: check the peer's log"),
    /** The peer does not answer; the transport retries are used up. */
    RETRY_EXCEEDED(12, "transport retries exceeded, the peer does not answer; remedy: check the peer and the network"),
    /** The peer had no receive posted; the receiver-not-ready retries are used up. */
    RNR_RETRY_EXCEEDED(13, "receiver-not-ready retries exceeded; remedy: have the peer post receives first"),
    /** Reliable datagram: domain violation. */
    LOCAL_RDD_VIOLATION(14, "local RDD violation; remedy: report it to the vendor of the device"),
    /** Reliable datagram: invalid request. */
    REMOTE_INVALID_RD_REQUEST(15, "remote invalid RD request; remedy: report it to the vendor of the device"),
    /** The operation was aborted. */
    REMOTE_ABORTED(16, "remote aborted; remedy: check the peer's log"),
    /** Invalid end-to-end context number. */
    INVALID_EECN(17, "invalid EE context number; remedy: report it to the vendor of the device"),
    /** Invalid end-to-end context state. */
    INVALID_EEC_STATE(18, "invalid EE context state; remedy: report it to the vendor of the device"),
    /** The stream or device failed. */
    FATAL_ERROR(
            19,
            "fatal error, the stream or the device failed; remedy: check the terminate cause and the kernel's log"
                    + " (dmesg), then reopen the device"),
    /** The response did not come before the deadline. */
    RESPONSE_TIMEOUT(20, "response timeout; remedy: check the peer and the network"),
    /** Any other error; see {@link WorkCompletion#vendorError()}. */
    GENERAL_ERROR(21, "general error; remedy: look up the vendor error in the documentation of the device");

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

    /** Returns the meaning, followed by the usual remedy after {@code ; remedy:}. */
    public String text() {
        return text;
    }

    /** Returns the meaning without the remedy. */
    public String meaning() {
        return text.split("; remedy: ", 2)[0];
    }

    /** Returns the usual remedy; empty for {@link #SUCCESS}. */
    public String remedy() {
        String meaning = meaning();
        return meaning.equals(text) ? "" : text.substring(meaning.length() + "; remedy: ".length());
    }

    /** Returns the status with number {@code code} in libibverbs; {@link #GENERAL_ERROR} for unknown numbers. */
    public static WcStatus of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : GENERAL_ERROR;
    }
}

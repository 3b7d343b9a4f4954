package org.panamaverbs.api;

/**
 * What posting a work request answers: {@link #ACCEPTED}, or a negative status with nothing posted.
 *
 * <p>An accepted request ends in exactly one completion if it is signaled or fails, and in none otherwise. On a queue
 * pair in the error state requests are accepted and flushed, as verbs demand.
 */
public final class PostStatus {
    /** The work request is in the queue. */
    public static final int ACCEPTED = 0;
    /**
     * The queue is full: wait until requests complete (poll, so that the completion queue does not overrun), or make it
     * larger.
     */
    public static final int QUEUE_FULL = -1;
    /** The queue pair is not connected yet: connect first. */
    public static final int NOT_CONNECTED = -2;
    /** More scatter/gather entries than the queue was made for. */
    public static final int TOO_MANY_SEGMENTS = -3;
    /** More inline octets than the queue was made for. */
    public static final int INLINE_TOO_LONG = -4;
    /** A message longer than the device carries (iWARP: 2^32-1 octets). */
    public static final int MESSAGE_TOO_LONG = -5;
    /**
     * The request is malformed: an unknown flag, a negative length, an operation that this form of posting does not
     * take.
     */
    public static final int INVALID = -6;

    private PostStatus() {}

    /** Returns the name of {@code status} with its remedy; for messages, not for the data path. */
    public static String text(int status) {
        return switch (status) {
            case ACCEPTED -> "accepted";
            case QUEUE_FULL -> "queue full: poll completions or make the queue larger";
            case NOT_CONNECTED -> "not connected: connect the queue pair first";
            case TOO_MANY_SEGMENTS ->
                "too many scatter/gather entries: raise maxSendSge or maxRecvSge of the queue pair";
            case INLINE_TOO_LONG ->
                "inline data too long: raise maxInlineBytes of the queue pair or post without inline";
            case MESSAGE_TOO_LONG -> "message too long for the device: split it";
            case INVALID -> "invalid: check operation, flags and length";
            default -> status > 0 ? status + " accepted" : "unknown status " + status;
        };
    }

    /**
     * Returns {@code status} if it is not negative and throws otherwise; for code that has no answer to a refusal.
     *
     * @throws IllegalStateException with {@link #text(int)}
     */
    public static int check(int status) {
        if (status < 0) {
            throw new IllegalStateException("post refused: " + text(status));
        }
        return status;
    }
}

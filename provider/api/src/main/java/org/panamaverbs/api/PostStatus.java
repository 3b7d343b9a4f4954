package org.panamaverbs.api;

/**
 * What posting a work request answers: {@link #ACCEPTED}, or a negative status with nothing posted.
 *
 * <p>An accepted request ends in exactly one completion if it is signaled or fails, and in none otherwise. On a queue
 * pair in the error state requests are accepted and flushed, as verbs demand; for two drivers that refuse them see
 * {@link #NOT_CONNECTED}.
 *
 * <p>Of several faults of one post the first in this order is reported, on every device, whether the queue posts at
 * once or collects in a {@link Batch}:
 *
 * <ol>
 *   <li>the queue is closed, or receives are posted to a queue pair with a shared receive queue:
 *       {@link IllegalStateException}
 *   <li>the device or the service lacks the operation: {@link UnsupportedOperationException}; a device without
 *       datagrams says so on a closed queue pair as well
 *   <li>an object is of another domain or provider, or the rights of a window are not all of peers:
 *       {@link IllegalArgumentException}; then an object is closed: {@link IllegalStateException}; of a bind first the
 *       window and then the buffer
 *   <li>a range is not within its buffer, inline data or list: {@link IndexOutOfBoundsException}
 *   <li>the request is malformed, whatever the queue is like: {@link #INVALID}
 *   <li>{@link #NOT_CONNECTED}, of sends alone, before the connection
 *   <li>{@link #NO_INITIATOR_DEPTH}
 *   <li>{@link #TOO_MANY_SEGMENTS}
 *   <li>{@link #INLINE_TOO_LONG}
 *   <li>{@link #MESSAGE_TOO_LONG}
 *   <li>what only trying shows, in any order: {@link #QUEUE_FULL}, inline data that are gone ({@link #INVALID}), and
 *       what a driver refuses by itself
 * </ol>
 *
 * <p>The named operations of {@link SendQueue} and {@link ReceiveQueue} check their buffers before all this. A queue
 * pair whose batch is open takes no other sends: a provider that refuses them throws {@link IllegalStateException}
 * before it answers any status.
 */
public final class PostStatus {
    /** The work request is in the queue. */
    public static final int ACCEPTED = 0;
    /**
     * The queue is full: poll completions, or make it larger. A place of a send queue is free once the completion of
     * its request, or of a later one, was polled: of requests without {@link SendFlag#SIGNALED} signal one in n, with n
     * at most {@link QueuePairConfig#maxSendWr()}. A queue that is full of unsignaled ones stays so.
     */
    public static final int QUEUE_FULL = -1;
    /**
     * The queue pair is not connected yet: connect first. Also of one that has failed, receives included, on devices
     * whose driver takes nothing more then (erdma, cxgb4), which verbs does not allow for: what was posted before is
     * flushed, and this request has no completion.
     */
    public static final int NOT_CONNECTED = -2;
    /** More scatter/gather entries than the queue was created for. */
    public static final int TOO_MANY_SEGMENTS = -3;
    /** More inline bytes than the queue was created for. */
    public static final int INLINE_TOO_LONG = -4;
    /** A message longer than the device carries (iWARP: 2^32-1 bytes), or a receive of more than 2^32-1 bytes. */
    public static final int MESSAGE_TOO_LONG = -5;
    /**
     * The request is malformed: an operation that this form of posting does not take, an unknown flag,
     * {@link SendFlag#INLINE} with what is no Send or Write, a negative length, bytes of an
     * {@link SendOpcode#IMMEDIATE}, immediate data of more bytes than {@link Capabilities#immediateBytes()}; or its
     * inline data are gone, as their arena was closed or their file truncated. Where that is 4, immediate data are from
     * 0 to 2^32-1, or an {@code int} that was made a {@code long}.
     */
    public static final int INVALID = -6;
    /**
     * A Read, an atomic or another request that the peer answers, on a connection whose agreed initiator depth (ORD) is
     * 0: none may ever be outstanding. The depth is {@link Connection#initiatorDepth()}, or what an out-of-band
     * connection set as {@link QueuePairAttributes.Field#MAX_RD_ATOMIC}. Connect with an
     * {@link ConnectionConfig#initiatorDepth()} above 0 to a peer whose {@link ConnectionConfig#responderResources()}
     * are above 0. Where the device alone knows the depth the request completes with an error instead.
     */
    public static final int NO_INITIATOR_DEPTH = -7;
    /**
     * The driver refused for a reason that has no status of its own. What is answered is {@code DEVICE_REFUSED} less
     * the error number; {@link #errno} returns that. Nothing is posted. The kernel's log and {@code ibv_post_send(3)}
     * or {@code ibv_post_recv(3)} say what it means.
     */
    public static final int DEVICE_REFUSED = -1000;

    private PostStatus() {}

    /** Returns the name of {@code status} with its remedy; for messages, not for the data path. */
    public static String text(int status) {
        return switch (status) {
            case ACCEPTED -> "accepted";
            case QUEUE_FULL -> "queue full; remedy: poll completions or create a larger queue";
            case NOT_CONNECTED -> "not connected; remedy: connect the queue pair first, or replace it if it failed";
            case TOO_MANY_SEGMENTS ->
                "too many scatter/gather entries; remedy: raise maxSendSge or maxRecvSge of the queue pair";
            case INLINE_TOO_LONG ->
                "inline data too long; remedy: raise maxInlineBytes of the queue pair or post without inline";
            case MESSAGE_TOO_LONG -> "message too long for the device; remedy: split it";
            case INVALID -> "invalid; remedy: check operation, flags, length and immediate data";
            case NO_INITIATOR_DEPTH ->
                "the agreed initiator depth (ORD) is 0, so no Read or atomic may be outstanding; remedy: connect"
                        + " with an initiatorDepth above 0, and have the peer connect with responderResources above 0"
                        + " (ConnectionConfig.withDepths, or OutOfBandConfig's)";
            default -> {
                if (status > 0) {
                    yield status + " accepted";
                }
                yield errno(status) > 0
                        ? "refused by the driver with errno " + errno(status)
                                + "; remedy: check the state of the queue pair and the kernel's log (dmesg)"
                        : "unknown status " + status;
            }
        };
    }

    /** Returns the status for a driver that refused with {@code errno}, which is positive. */
    public static int ofErrno(int errno) {
        return DEVICE_REFUSED - errno;
    }

    /** Returns the error number of the driver that {@code status} holds, 0 if it holds none. */
    public static int errno(int status) {
        return Math.max(0, DEVICE_REFUSED - status);
    }

    /**
     * Returns {@code status} if it is not negative and throws otherwise; for code that has no answer to a refusal.
     *
     * @throws IllegalStateException with {@link #text(int)}
     */
    public static int check(int status) {
        if (status < 0) {
            throw refused(status);
        }
        return status;
    }

    private static IllegalStateException refused(int status) {
        return new IllegalStateException("post refused: " + text(status));
    }
}

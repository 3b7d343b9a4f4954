package org.panamaverbs.api;

import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.device.Capabilities;

/**
 * The result of posting a work request: {@link #ACCEPTED}, or a negative status with nothing posted.
 *
 * <p>An accepted request yields exactly one completion if it is signaled or fails, otherwise none. In the error state,
 * a queue pair accepts requests and flushes them, as the verbs require; {@link #NOT_CONNECTED} names two drivers that
 * refuse them.
 *
 * <p>If a post has several faults, the first in this order is reported, on every device and also by a {@link Batch}:
 *
 * <ol>
 *   <li>the queue is closed, or receives are posted to a queue pair with a shared receive queue:
 *       {@link IllegalStateException}
 *   <li>the device or the service does not support the operation: {@link UnsupportedOperationException}; a device
 *       without datagrams reports it before a closed queue pair
 *   <li>an object is of another domain or provider, or a window is to grant a right that is not a peer's:
 *       {@link IllegalArgumentException}; then an object is closed: {@link IllegalStateException}, of a bind first the
 *       window, then the buffer
 *   <li>a range is not within its buffer, inline data or list: {@link IndexOutOfBoundsException}
 *   <li>the request is malformed, whatever the state of the queue: {@link #INVALID}
 *   <li>{@link #NOT_CONNECTED}, sends only, before the connection
 *   <li>{@link #NO_INITIATOR_DEPTH}
 *   <li>{@link #TOO_MANY_SEGMENTS}
 *   <li>{@link #INLINE_TOO_LONG}
 *   <li>{@link #MESSAGE_TOO_LONG}
 *   <li>in any order: {@link #QUEUE_FULL}, inline data that is gone ({@link #INVALID}), and what the driver refuses
 * </ol>
 *
 * <p>The named operations of {@link SendQueue} and {@link ReceiveQueue} check their buffers first. While its batch is
 * open, a queue pair takes no other sends: a provider that refuses them throws {@link IllegalStateException} before it
 * returns any status.
 */
public final class PostStatus {
    /** The work request is in the queue. */
    public static final int ACCEPTED = 0;
    /**
     * The queue is full: poll completions, or create a larger queue ({@code ENOMEM}). An entry of a send queue is free
     * once the completion of its request, or of a later one, was polled. Signal one request in n, with n at most
     * {@link QueuePairConfig#maxSendWr()}: a queue full of unsignaled requests stays full.
     */
    public static final int QUEUE_FULL = -1;
    /**
     * The queue pair is not connected yet: connect first. Also returned, for receives as well, if it has failed and the
     * driver refuses further posts, as erdma and cxgb4 do contrary to the verbs: earlier requests are flushed, this one
     * has no completion.
     */
    public static final int NOT_CONNECTED = -2;
    /** More scatter/gather entries than the queue was created for. */
    public static final int TOO_MANY_SEGMENTS = -3;
    /** More inline bytes than the queue was created for. */
    public static final int INLINE_TOO_LONG = -4;
    /** A message longer than the device carries (iWARP: 2^32-1 bytes), or a receive of more than 2^32-1 bytes. */
    public static final int MESSAGE_TOO_LONG = -5;
    /**
     * The request is malformed:
     *
     * <ul>
     *   <li>an operation that this method does not post, or an unknown flag
     *   <li>{@link SendFlag#INLINE} for anything but a Send or Write
     *   <li>a negative length, or {@link SendOpcode#IMMEDIATE} with a payload
     *   <li>a {@link WorkRequest} with local memory of another form than its operation takes
     *   <li>immediate data of more than {@link Capabilities#immediateBytes()}: with 4 bytes, the range is 0 to 2^32-1,
     *       or a sign-extended {@code int}
     *   <li>inline data that is gone: its arena was closed or its file truncated
     * </ul>
     */
    public static final int INVALID = -6;
    /**
     * A Read, an atomic or another request that the peer answers, on a connection with an agreed initiator depth (ORD)
     * of 0. Connect with {@link ConnectionConfig#initiatorDepth()} above 0 to a peer whose
     * {@link ConnectionConfig#responderResources()} are above 0. The agreed depth is
     * {@link Connection#initiatorDepth()}, out of band {@link QueuePairAttributes.Field#MAX_RD_ATOMIC}. If only the
     * device knows the depth, the request completes with an error instead.
     */
    public static final int NO_INITIATOR_DEPTH = -7;
    /**
     * The driver refused for a reason without a status of its own; nothing is posted. The returned status is
     * {@code DEVICE_REFUSED} less the error number, which {@link #errno} extracts. The kernel's log and
     * {@code ibv_post_send(3)} or {@code ibv_post_recv(3)} explain it.
     */
    public static final int DEVICE_REFUSED = -1000;

    private PostStatus() {}

    /** Returns the meaning of {@code status} with its remedy; for messages, not for the data path. */
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

    /** Returns whether the queue was full ({@link #QUEUE_FULL}): poll completions, and post again. */
    public static boolean isFull(int status) {
        return status == QUEUE_FULL;
    }

    /** Returns whether nothing was posted, for whatever reason, a full queue included; {@link #text} names it. */
    public static boolean isRefused(int status) {
        return status < ACCEPTED;
    }

    /** Returns the status of a driver that refused with {@code errno}, which is positive. */
    public static int ofErrno(int errno) {
        return DEVICE_REFUSED - errno;
    }

    /** Returns the driver's error number in {@code status}, 0 if it has none. */
    public static int errno(int status) {
        return Math.max(0, DEVICE_REFUSED - status);
    }

    /**
     * Returns {@code status} if it is not negative, or throws; for code that cannot handle a refusal.
     *
     * @throws IllegalStateException if {@code status} is negative, with {@link #text(int)}
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

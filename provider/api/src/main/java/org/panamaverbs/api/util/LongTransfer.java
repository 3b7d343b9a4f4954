package org.panamaverbs.api.util;

import java.util.Objects;
import org.panamaverbs.api.CheckReturnValue;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * A Write or Read of any length, split into several messages: for lengths beyond
 * {@link Capabilities#maxMessageBytes()}, and to let other messages pass in between. Bounds and rights of the whole are
 * checked on creation.
 *
 * <pre>{@code
 * var transfer = LongTransfer.write(7, buffer, 0, length, remote, 0, verbs.capabilities().maxMessageBytes());
 * while (!transfer.isCompleted()) {
 *     int status = transfer.post(queuePair);
 *     if (status != PostStatus.QUEUE_FULL) {
 *         PostStatus.check(status);
 *     }
 *     int count = queue.poll(completions, deadline);
 *     for (int i = 0; i < count; i++) {
 *         transfer.complete(completions.get(i));   // false for other requests
 *     }
 * }
 * if (transfer.status() != WcStatus.SUCCESS) {
 *     throw new IllegalStateException(transfer.toString());
 * }
 * }</pre>
 *
 * <p>Messages are posted in the order of their offsets, each signaled and with the same {@code wrId}, and complete in
 * that order. The rules of single Writes apply: iWARP may place them in any order, and the last completion says that
 * the local buffer is free. A Send after the last message is delivered when all are placed (RFC 5040 §5.5). Other
 * requests may be posted in between.
 *
 * <p>After a failure no further message is posted: the queue pair is in the error state, and how much memory was
 * changed is unknown. The transfer is completed when the other messages have completed or were flushed. Linux's siw may
 * never complete those behind a failed Read: {@link #status()} reports the failure, and the memory is free once the
 * queue pair is closed. One thread at a time uses a transfer. Posting and counting allocate nothing.
 */
public final class LongTransfer {
    /** Bytes that one work request takes at most: its length has 32 bits. */
    private static final long LONGEST_PIECE = 0xFFFF_FFFFL;

    private final SendOpcode operation;
    private final long wrId;
    private final RegisteredBuffer buffer;
    private final long offset;
    private final long length;
    private final long remoteAddress;
    private final int rkey;
    private final WorkRequest request;
    private final long pieceBytes;
    private final long pieces;

    /** How many pieces were accepted. */
    private long posted;
    /** How many of them have completed. */
    private long completed;

    private WcStatus status = WcStatus.SUCCESS;

    private LongTransfer(
            SendOpcode operation,
            long wrId,
            RegisteredBuffer buffer,
            long offset,
            long length,
            RemoteBuffer remote,
            long remoteOffset,
            long pieceBytes) {
        if (pieceBytes < 1 || pieceBytes > LONGEST_PIECE) {
            throw new IllegalArgumentException("pieceBytes must be 1 to " + LONGEST_PIECE + ", got " + pieceBytes);
        }
        Access right = operation == SendOpcode.RDMA_READ ? Access.REMOTE_READ : Access.REMOTE_WRITE;
        this.operation = operation;
        this.wrId = wrId;
        this.buffer = buffer;
        this.offset = offset;
        this.length = length;
        request = WorkRequest.of(operation).wrId(wrId).flags(SendFlag.SIGNALED);
        this.pieceBytes = pieceBytes;
        remoteAddress = remote.checkedOffset(remoteOffset, length, right);
        rkey = remote.rkey();
        Objects.checkFromIndexSize(offset, length, buffer.length());
        pieces = length == 0 ? 1 : (length - 1) / pieceBytes + 1;
    }

    /**
     * Creates a Write of a range of {@code buffer} into {@code remote}, without posting.
     *
     * @param wrId the id of all its completions; no other request of the queue may use it meanwhile
     * @param buffer source, memory of the queue pair's protection domain
     * @param offset first byte in {@code buffer}
     * @param length bytes, from 0
     * @param remote target, with {@link Access#REMOTE_WRITE}
     * @param remoteOffset first byte in {@code remote}
     * @param pieceBytes bytes per message, 1 to 2^32-1; {@link Capabilities#maxMessageBytes()} needs the fewest
     *     messages
     * @throws IndexOutOfBoundsException if the range is not within both buffers
     * @throws IllegalArgumentException if {@code remote} does not grant the right, or {@code pieceBytes} is out of
     *     range
     */
    public static LongTransfer write(
            long wrId,
            RegisteredBuffer buffer,
            long offset,
            long length,
            RemoteBuffer remote,
            long remoteOffset,
            long pieceBytes) {
        return new LongTransfer(SendOpcode.RDMA_WRITE, wrId, buffer, offset, length, remote, remoteOffset, pieceBytes);
    }

    /**
     * Creates a Read of a range of {@code remote} into {@code buffer}, without posting; otherwise as {@link #write}.
     *
     * @throws IllegalArgumentException if {@code remote} does not grant {@link Access#REMOTE_READ}, or
     *     {@code pieceBytes} is out of range
     */
    public static LongTransfer read(
            long wrId,
            RegisteredBuffer buffer,
            long offset,
            long length,
            RemoteBuffer remote,
            long remoteOffset,
            long pieceBytes) {
        return new LongTransfer(SendOpcode.RDMA_READ, wrId, buffer, offset, length, remote, remoteOffset, pieceBytes);
    }

    /**
     * Posts the next messages, with up to {@link QueuePairConfig#maxSendWr()} outstanding; otherwise as
     * {@link #post(SendQueue, int)}.
     */
    @CheckReturnValue
    public int post(QueuePair queuePair) {
        return post(queuePair, queuePair.config().maxSendWr());
    }

    /**
     * Posts the next messages, as many as {@code queue} takes; the next call continues.
     *
     * @param queue the same for all calls: a queue pair or its batch
     * @param outstanding limit of outstanding messages, at least 1. Needed because a device may flush posts to a failed
     *     queue pair at once, and so never be full
     * @return {@link PostStatus#ACCEPTED} if all are posted or one has failed; otherwise the status of the next
     *     message: {@link PostStatus#QUEUE_FULL} until completions are polled, {@link PostStatus#MESSAGE_TOO_LONG} if
     *     messages exceed the device's limit
     * @throws IllegalArgumentException if {@code outstanding} is less than 1
     * @throws IllegalStateException if the buffer or the queue is closed
     */
    @CheckReturnValue
    public int post(SendQueue queue, int outstanding) {
        if (outstanding < 1) {
            throw new IllegalArgumentException("outstanding must be at least 1, got " + outstanding);
        }
        while (posted < pieces && status == WcStatus.SUCCESS) {
            if (posted - completed >= outstanding) {
                return PostStatus.QUEUE_FULL;
            }
            long begin = posted * pieceBytes;
            long bytes = Math.min(pieceBytes, length - begin);
            int answer = queue.post(request.local(buffer, offset + begin, bytes).remote(remoteAddress + begin, rkey));
            if (answer != PostStatus.ACCEPTED) {
                return answer;
            }
            posted++;
        }
        return PostStatus.ACCEPTED;
    }

    /**
     * Counts {@code completion} if its {@code wrId} is this transfer's.
     *
     * @return whether it was counted
     */
    public boolean complete(WorkCompletion completion) {
        if (completion.wrId() != wrId || completed == posted) {
            return false;
        }
        completed++;
        if (status == WcStatus.SUCCESS) {
            status = completion.status();
        }
        return true;
    }

    /** Returns whether nothing is outstanding: all messages have completed, or after a failure all that were posted. */
    public boolean isCompleted() {
        return completed == posted && (posted == pieces || status != WcStatus.SUCCESS);
    }

    /** Returns success, or the status of the first message that failed. */
    public WcStatus status() {
        return status;
    }

    /** Returns the bytes of completed messages; meaningless after a failure. */
    public long completedBytes() {
        return completed == pieces ? length : completed * pieceBytes;
    }

    @Override
    public String toString() {
        return operation + " of " + length + " bytes, wr_id " + wrId + ": " + posted + " of " + pieces + " pieces"
                + " posted, " + completed + " completed, " + status.text();
    }
}

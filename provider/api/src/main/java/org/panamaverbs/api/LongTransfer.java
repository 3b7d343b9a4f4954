package org.panamaverbs.api;

import java.util.Objects;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * A Write or Read of any length, posted in pieces: no message is longer than {@link Capabilities#maxMessageBytes()},
 * and shorter ones let others pass on the way. Bounds and rights of the whole are checked when it is made.
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
 *         transfer.complete(completions.get(i));   // others are the application's
 *     }
 * }
 * }</pre>
 *
 * <p>The pieces are posted in the order of their offsets, each signaled and with the same {@code wrId}, and complete in
 * that order. What the peer may rely on is what holds for Writes of their own: pieces may be placed in any order on
 * iWARP, and the completion of the last says that the local buffer is free. A Send behind the last piece is delivered
 * when all are placed (RFC 5040 §5.5). Other requests may be posted between them.
 *
 * <p>After a piece has failed no further one is posted: the queue pair is in the error state, and how much of the
 * memory was changed is unknown. The transfer is completed when the pieces before it and behind it have completed,
 * flushed. Linux's siw may never complete those behind a Read that failed: there {@link #status()} tells, and the
 * memory is free once the queue pair is closed. One thread at a time uses a transfer. Posting and counting allocate
 * nothing.
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
            throw new IllegalArgumentException("pieces have 1 to " + LONGEST_PIECE + " bytes, not " + pieceBytes);
        }
        Access right = operation == SendOpcode.RDMA_READ ? Access.REMOTE_READ : Access.REMOTE_WRITE;
        this.operation = operation;
        this.wrId = wrId;
        this.buffer = buffer;
        this.offset = offset;
        this.length = length;
        this.rkey = remote.stagValue();
        this.pieceBytes = pieceBytes;
        remoteAddress = remote.checkedOffset(remoteOffset, length, right);
        Objects.checkFromIndexSize(offset, length, buffer.length());
        pieces = length == 0 ? 1 : (length - 1) / pieceBytes + 1;
    }

    /**
     * Returns a Write of {@code length} bytes of {@code buffer} from {@code offset} into {@code remote} from
     * {@code remoteOffset}, of which nothing is posted yet.
     *
     * @param wrId the id of all its completions, which no other request of the queue may have meanwhile
     * @param pieceBytes bytes a piece, 1 to 2^32-1; {@link Capabilities#maxMessageBytes()} makes the fewest
     * @throws IndexOutOfBoundsException if the bytes are not within both buffers
     * @throws IllegalArgumentException if {@code remote} lacks the right to be written, or {@code pieceBytes} is out of
     *     its range
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
     * Returns a Read of {@code length} bytes of {@code remote} from {@code remoteOffset} into {@code buffer} from
     * {@code offset}; otherwise as {@link #write}.
     *
     * @throws IllegalArgumentException if {@code remote} lacks the right to be read, or {@code pieceBytes} is out of
     *     its range
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
     * Posts what is not posted yet, as many pieces as {@code queuePair} was created for
     * ({@link QueuePairConfig#maxSendWr()}); otherwise as {@link #post(SendQueue, int)}.
     */
    @CheckReturnValue
    public int post(QueuePair queuePair) {
        return post(queuePair, queuePair.config().maxSendWr());
    }

    /**
     * Posts what is not posted yet, as much as {@code queue} takes; the next call goes on behind that.
     *
     * @param queue the same for all calls: a queue pair, or its batch
     * @param outstanding how many pieces are not completed at once, 1 or more, also where the queue takes more: a
     *     device may flush what is posted to a failed queue pair at once, and so never be full
     * @return {@link PostStatus#ACCEPTED} if all is posted or a piece has failed, else what the next piece was refused
     *     with: {@link PostStatus#QUEUE_FULL} until completions were polled, {@link PostStatus#MESSAGE_TOO_LONG} if
     *     pieces are longer than the device's messages
     * @throws IllegalArgumentException if {@code outstanding} is less than 1
     * @throws IllegalStateException if the buffer or the queue is closed
     */
    @CheckReturnValue
    public int post(SendQueue queue, int outstanding) {
        if (outstanding < 1) {
            throw new IllegalArgumentException("at least one piece is outstanding, not " + outstanding);
        }
        while (posted < pieces && status == WcStatus.SUCCESS) {
            if (posted - completed >= outstanding) {
                return PostStatus.QUEUE_FULL;
            }
            long begin = posted * pieceBytes;
            long bytes = Math.min(pieceBytes, length - begin);
            long address = buffer.checkedAddress(offset + begin, bytes);
            int answer = queue.post(
                    operation, wrId, address, bytes, buffer.lkey(), remoteAddress + begin, rkey, 0, SendFlag.SIGNALED);
            if (answer != PostStatus.ACCEPTED) {
                return answer;
            }
            posted++;
        }
        return PostStatus.ACCEPTED;
    }

    /**
     * Counts {@code completion} if it is one of this transfer's, by its {@code wrId}.
     *
     * @return whether it is
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

    /**
     * Returns whether nothing is outstanding any more: all pieces have completed, or those before and behind a failed
     * one.
     */
    public boolean isCompleted() {
        return completed == posted && (posted == pieces || status != WcStatus.SUCCESS);
    }

    /** Returns success, or the status of the first piece that failed. */
    public WcStatus status() {
        return status;
    }

    /** Returns the bytes whose pieces have completed; of no meaning after a failure. */
    public long completedBytes() {
        return completed == pieces ? length : completed * pieceBytes;
    }

    @Override
    public String toString() {
        return operation + " of " + length + " bytes, wr_id " + wrId + ": " + posted + " of " + pieces
                + " pieces posted, " + completed + " completed, " + status.text();
    }
}

package org.panamaverbs.sockets.stream;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.sockets.rsocket.IomapTable;
import org.panamaverbs.sockets.rsocket.Message;

/**
 * What a stream posts: bytes with their message, entries with theirs, messages alone, and Writes without a message:
 * bytes of mapped memory, and signs of life. A message is immediate data of the Write before it, or a Send of four
 * bytes behind it. Whoever has it holds the stream's lock.
 *
 * <p>Payload is copied into a ring first, whose places are free again when a signaled request behind them has
 * completed. One request in some is signaled.
 */
final class Transmitter {
    private static final ValueLayout.OfInt WORD = JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Places of the send queue that data leave: two grants, both ends and a sign of life, of two requests at most. */
    private static final int RESERVED_SENDS = 12;

    /** Those of them that grants leave. */
    private static final int RESERVED_ENDS = 4;

    /** Requests of which at least one is signaled. */
    private static final int SIGNAL_EVERY = 16;

    private static final int COUNT_BITS = 16;
    private static final int COUNT_MASK = (1 << COUNT_BITS) - 1;
    private static final long PUT_MASK = (1L << (Long.SIZE - COUNT_BITS)) - 1;

    private final StreamParts parts;
    private final Batch batch;
    private final WorkRequest request = WorkRequest.of(SendOpcode.RDMA_WRITE);
    private final ByteBuffer ring;
    private final int ringBytes;
    private final long ringAddress;
    private final MemorySegment scratch = MemorySegment.ofArray(new byte[IomapTable.ENTRY_BYTES]);
    private final int requestsAMessage;

    // Bytes put into the ring since the beginning, and those whose places are free again.
    private long put;
    private long freed;

    /** Bytes that were copied and are not posted. */
    private int copied;

    // Requests posted, and those that have completed.
    private int posted;
    private int completed;

    /** A request has failed since the peer does not answer. */
    private boolean unanswered;

    // What was posted without being signaled.
    private int unsignaledRequests;
    private int unsignaledBytes;

    Transmitter(StreamParts parts) {
        this(parts, 0);
    }

    /** Makes one of a stream into whose ring {@code begun} bytes were put before. */
    Transmitter(StreamParts parts, long begun) {
        this.parts = parts;
        put = begun;
        freed = begun;
        batch = parts.queuePair.batch();
        ringBytes = parts.sizes.sendBytes();
        ring = parts.own.segment().asSlice(0, ringBytes).asByteBuffer();
        ringAddress = parts.own.checkedAddress(0, ringBytes);
        requestsAMessage = parts.immediates ? 1 : 2;
    }

    /** Takes what has completed; false if a request has failed. */
    boolean poll(WorkCompletions completions) {
        int count;
        while ((count = parts.sends.poll(completions)) > 0) {
            for (int i = 0; i < count; i++) {
                WorkCompletion completion = completions.get(i);
                if (!completion.ok()) {
                    unanswered |= completion.status() == WcStatus.RETRY_EXCEEDED
                            || completion.status() == WcStatus.RESPONSE_TIMEOUT;
                    return false;
                }
                long wrId = completion.wrId();
                completed += ((int) (wrId & COUNT_MASK) - completed) & COUNT_MASK;
                freed += ((wrId >>> COUNT_BITS) - freed) & PUT_MASK;
            }
        }
        return true;
    }

    /** Tells whether a request has failed since the peer does not answer. */
    boolean isUnanswered() {
        return unanswered;
    }

    /** Returns how many bytes can be posted as one message, as far as this side's memory and queue go. */
    int room() {
        if (posted - completed > parts.sendDepth - RESERVED_SENDS) {
            return 0;
        }
        int toEnd = ringBytes - (int) (put % ringBytes);
        return (int) Math.min(toEnd, ringBytes - (put - freed));
    }

    /** Tells whether what was posted takes enough that it is worth to look what has completed. */
    boolean isHalfFull() {
        return put - freed > ringBytes / 2 || posted - completed > parts.sendDepth / 2;
    }

    /** Tells whether a message that takes no credit can be posted, with its entry. */
    boolean hasControlRoom() {
        return posted - completed <= parts.sendDepth - RESERVED_ENDS - requestsAMessage;
    }

    /** Gives back the pages of the ring that hold nothing of what is under way. */
    void trim() {
        drop();
        int from = (int) (freed % ringBytes);
        int to = (int) (put % ringBytes);
        if (from <= to && put - freed < ringBytes) {
            parts.discardSent(0, from);
            parts.discardSent(to, ringBytes - to);
        } else {
            parts.discardSent(to, from - to);
        }
    }

    /** Drops what was copied and is not posted. */
    void drop() {
        copied = 0;
    }

    /** Copies {@code bytes} bytes of {@code source} from its position on behind those copied before. */
    void copy(ByteBuffer source, int bytes) {
        int position = source.position();
        ring.put((int) (put % ringBytes) + copied, source, position, bytes);
        source.position(position + bytes);
        copied += bytes;
    }

    /**
     * Posts what was copied, at most {@link #room}, to {@code remoteAddress}, with {@code message}.
     *
     * @return a {@link PostStatus}
     */
    int data(long remoteAddress, int rkey, int message) {
        int bytes = copied;
        long address = putCopied();
        int lkey = parts.own.lkey();
        if (parts.immediates) {
            return submitted(
                    post(withMessage(message).local(address, bytes, lkey).remote(remoteAddress, rkey)));
        }
        int status = batch.post(request.opcode(SendOpcode.RDMA_WRITE)
                .local(address, bytes, lkey)
                .remote(remoteAddress, rkey));
        return status < 0 ? status : submitted(send(message, 2));
    }

    /** Posts what was copied without a message; otherwise as {@link #data}. */
    int direct(long remoteAddress, int rkey) {
        int bytes = copied;
        return write(putCopied(), bytes, parts.own.lkey(), remoteAddress, rkey);
    }

    /** Posts a Write of no bytes to no address by no key, as C asks for a sign of life; a {@link PostStatus}. */
    int keepalive() {
        return write(0, 0, 0, 0, 0);
    }

    private int write(long address, int bytes, int lkey, long remoteAddress, int rkey) {
        return submitted(post(request.opcode(SendOpcode.RDMA_WRITE)
                .local(address, bytes, lkey)
                .remote(remoteAddress, rkey)));
    }

    /** Begins a Write whose immediate data is {@code message}. */
    private WorkRequest withMessage(int message) {
        return request.opcode(SendOpcode.RDMA_WRITE_WITH_IMMEDIATE).immediate(Integer.toUnsignedLong(message));
    }

    /** Posts a request that is counted alone. */
    private int post(WorkRequest alone) {
        return batch.post(alone.wrId(wrId(1)).flags(flags(1)));
    }

    /** Counts what was copied as posted, and returns where it is. */
    private long putCopied() {
        long address = ringAddress + put % ringBytes;
        put += copied;
        unsignaledBytes += copied;
        copied = 0;
        return address;
    }

    /** Returns where an entry is written to before it is posted by {@link #entry}. */
    MemorySegment scratch() {
        return scratch;
    }

    /**
     * Posts the entry of {@code bytes} bytes in {@link #scratch} to {@code remoteAddress}, with {@code message}; a
     * {@link PostStatus}.
     */
    int entry(int bytes, long remoteAddress, int rkey, int message) {
        if (parts.immediates) {
            return submitted(post(withMessage(message).inline(scratch, 0, bytes).remote(remoteAddress, rkey)));
        }
        int status = batch.post(
                request.opcode(SendOpcode.RDMA_WRITE).inline(scratch, 0, bytes).remote(remoteAddress, rkey));
        return status < 0 ? status : submitted(send(message, 2));
    }

    /** Posts {@code message} alone, to a peer whose memory has {@code rkey} and {@code remoteAddress}. */
    int message(int message, long remoteAddress, int rkey) {
        if (parts.immediates) {
            return submitted(post(withMessage(message).remote(remoteAddress, rkey)));
        }
        return submitted(send(message, 1));
    }

    private int send(int message, int requests) {
        scratch.set(WORD, 0, message);
        return batch.sendInline(wrId(requests), scratch, 0, Message.BYTES, flags(requests));
    }

    private int submitted(int status) {
        if (status < 0) {
            return status;
        }
        int taken = batch.submit();
        // There is a place for each, by the count that is kept here.
        return taken >= 0 && batch.pending() > 0 ? PostStatus.QUEUE_FULL : taken;
    }

    /** Returns the id of a request that is the last of {@code requests}: what its completion says to be done. */
    private long wrId(int requests) {
        return (put << COUNT_BITS) | ((posted + requests) & COUNT_MASK);
    }

    /** Counts {@code requests} more, and returns whether the last of them is signaled. */
    private int flags(int requests) {
        posted += requests;
        unsignaledRequests += requests;
        if (unsignaledRequests < SIGNAL_EVERY && unsignaledBytes < ringBytes / 4) {
            return SendFlag.NONE;
        }
        unsignaledRequests = 0;
        unsignaledBytes = 0;
        return SendFlag.SIGNALED;
    }
}

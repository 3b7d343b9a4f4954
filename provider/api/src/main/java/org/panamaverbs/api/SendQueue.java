package org.panamaverbs.api;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.memory.STag;

/**
 * Where work requests are posted: a {@link QueuePair} posts each at once, its {@link Batch} collects them for one
 * doorbell.
 *
 * <p>The named operations check bounds and rights of both sides before anything is posted. The {@code post…} methods
 * are what they call: raw keys and addresses, as in {@code struct ibv_send_wr}, checked by the provider alone; a wrong
 * one ends in an error completion.
 *
 * <p>Common to all: {@code wrId} is opaque and comes back in the completion; {@code flags} are {@link SendFlag}s; the
 * answer is a {@link PostStatus}; local memory belongs to the provider from the post to the completion (of this or a
 * later signaled request), unless the data is inline. A completion of a Send or Write says that the local buffer is
 * free, not that the peer has the data (RFC 5040 §5.5). Nothing is allocated.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_send.3.html">ibv_post_send(3)</a>
 */
public interface SendQueue {
    /**
     * Posts {@code operation} with one local piece.
     *
     * @param operation a Send, Write or Read kind, or {@link SendOpcode#IMMEDIATE}
     * @param wrId the application's id
     * @param address the local address, {@code ibv_sge.addr}
     * @param length octets, 0 to 2^32-1
     * @param lkey the local key
     * @param remoteAddress the remote tagged offset; ignored by Sends
     * @param rkey the remote STag; ignored by Sends
     * @param immediate the immediate data, or the STag to invalidate for {@link SendOpcode#SEND_WITH_INVALIDATE}
     * @param flags {@link SendFlag}s
     * @return a {@link PostStatus}
     * @throws UnsupportedOperationException if the device lacks the operation, naming device and capability
     * @throws IllegalStateException if the queue pair is closed
     */
    int post(
            SendOpcode operation,
            long wrId,
            long address,
            long length,
            int lkey,
            long remoteAddress,
            int rkey,
            long immediate,
            int flags);

    /**
     * Posts {@code operation} with gathered local pieces (a Read has one, see {@link Capabilities#maxSgeRead()});
     * otherwise as the single form.
     */
    int post(SendOpcode operation, long wrId, SgList local, long remoteAddress, int rkey, long immediate, int flags);

    /**
     * Posts a Send or Write kind whose payload is copied out of {@code data}, any memory, also on the heap. At most
     * {@link QueuePairConfig#maxInlineBytes()}.
     */
    int postInline(
            SendOpcode operation,
            long wrId,
            MemorySegment data,
            long offset,
            long length,
            long remoteAddress,
            int rkey,
            long immediate,
            int flags);

    /**
     * Posts an atomic; the value before the operation lands in the 8 octets at {@code address}, in native byte order.
     *
     * @param operation {@link SendOpcode#FETCH_ADD}, {@link SendOpcode#CMP_SWAP} or a masked one
     * @param wrId the application's id
     * @param address the local address of the result
     * @param lkey the local key
     * @param remoteAddress the remote tagged offset, of a 64-bit aligned address
     * @param rkey the remote STag
     * @param compareOrAdd what to add, or to compare with
     * @param swap what to store; ignored by FetchAdd
     * @param compareOrFieldMask the bits to compare, or for FetchAdd the top bit of each field; only for the masked
     *     kinds
     * @param swapMask the bits to store; only for {@link SendOpcode#MASKED_CMP_SWAP}
     * @param flags {@link SendFlag}s
     * @return a {@link PostStatus}
     */
    int postAtomic(
            SendOpcode operation,
            long wrId,
            long address,
            int lkey,
            long remoteAddress,
            int rkey,
            long compareOrAdd,
            long swap,
            long compareOrFieldMask,
            long swapMask,
            int flags);

    /**
     * Posts the binding of {@code window} to a part of {@code buffer}; the window's STag is {@link MemoryWindow#stag()}
     * as soon as the post returns and valid once the request completes. Length 0 unbinds.
     *
     * <p>If the buffer lacks {@code MEMORY_WINDOW_BIND}, or {@code LOCAL_WRITE} for a window that can be written, the
     * request fails with {@link WcStatus#MEMORY_WINDOW_BIND_ERROR} and the queue pair with it.
     *
     * @throws IndexOutOfBoundsException if the part is not within the buffer
     */
    int postBind(
            long wrId, MemoryWindow window, RegisteredBuffer buffer, long offset, long length, int access, int flags);

    /** Posts the invalidation of {@code stag} of this side; when it completes no peer can use it any more. */
    int postLocalInvalidate(long wrId, int stag, int flags);

    /** Sends {@code length} octets of {@code buffer} from {@code offset} (RFC 5040 §5.3). */
    default int send(long wrId, RegisteredBuffer buffer, long offset, long length, int flags) {
        long address = buffer.checkedAddress(offset, length);
        return post(SendOpcode.SEND, wrId, address, length, buffer.lkey(), 0, 0, 0, flags);
    }

    /** Sends the gathered pieces of {@code list}. */
    default int send(long wrId, SgList list, int flags) {
        return post(SendOpcode.SEND, wrId, list, 0, 0, 0, flags);
    }

    /** Sends a copy of {@code data}; its length is limited by {@link QueuePairConfig#maxInlineBytes()}. */
    default int sendInline(long wrId, MemorySegment data, long offset, long length, int flags) {
        return postInline(SendOpcode.SEND, wrId, data, offset, length, 0, 0, 0, flags);
    }

    /** Sends, and has the peer invalidate its STag {@code stag} on delivery (RFC 5040 §5.3). */
    default int sendWithInvalidate(long wrId, RegisteredBuffer buffer, long offset, long length, STag stag, int flags) {
        long address = buffer.checkedAddress(offset, length);
        return post(
                SendOpcode.SEND_WITH_INVALIDATE,
                wrId,
                address,
                length,
                buffer.lkey(),
                0,
                0,
                Integer.toUnsignedLong(stag.value()),
                flags);
    }

    /** Sends with immediate data in the same message; only where {@link Capabilities#sendWithImmediate()}. */
    default int sendWithImmediate(
            long wrId, RegisteredBuffer buffer, long offset, long length, long immediate, int flags) {
        long address = buffer.checkedAddress(offset, length);
        return post(SendOpcode.SEND_WITH_IMMEDIATE, wrId, address, length, buffer.lkey(), 0, 0, immediate, flags);
    }

    /** Sends immediate data alone (RFC 7306 §6); it consumes a receive of the peer. */
    default int immediate(long wrId, long immediate, int flags) {
        return post(SendOpcode.IMMEDIATE, wrId, 0, 0, 0, 0, 0, immediate, flags);
    }

    /**
     * Writes {@code length} octets of {@code buffer} into {@code remote} from {@code remoteOffset} (RFC 5040 §5.1).
     *
     * @throws IndexOutOfBoundsException if they are not within both buffers
     * @throws IllegalArgumentException if {@code remote} lacks the right to be written
     */
    default int write(
            long wrId,
            RegisteredBuffer buffer,
            long offset,
            long length,
            RemoteBuffer remote,
            long remoteOffset,
            int flags) {
        long address = buffer.checkedAddress(offset, length);
        long target = remote.checkedOffset(remoteOffset, length, Access.REMOTE_WRITE);
        return post(SendOpcode.RDMA_WRITE, wrId, address, length, buffer.lkey(), target, remote.stagValue(), 0, flags);
    }

    /** Writes the gathered pieces of {@code list} into {@code remote} from {@code remoteOffset}. */
    default int write(long wrId, SgList list, RemoteBuffer remote, long remoteOffset, int flags) {
        long target = remote.checkedOffset(remoteOffset, list.totalBytes(), Access.REMOTE_WRITE);
        return post(SendOpcode.RDMA_WRITE, wrId, list, target, remote.stagValue(), 0, flags);
    }

    /** Writes a copy of {@code data}, at most {@link QueuePairConfig#maxInlineBytes()}. */
    default int writeInline(
            long wrId,
            MemorySegment data,
            long offset,
            long length,
            RemoteBuffer remote,
            long remoteOffset,
            int flags) {
        long target = remote.checkedOffset(remoteOffset, length, Access.REMOTE_WRITE);
        return postInline(SendOpcode.RDMA_WRITE, wrId, data, offset, length, target, remote.stagValue(), 0, flags);
    }

    /** Writes, then delivers immediate data to the peer (RFC 7306 §6); it consumes a receive of the peer. */
    default int writeWithImmediate(
            long wrId,
            RegisteredBuffer buffer,
            long offset,
            long length,
            RemoteBuffer remote,
            long remoteOffset,
            long immediate,
            int flags) {
        long address = buffer.checkedAddress(offset, length);
        long target = remote.checkedOffset(remoteOffset, length, Access.REMOTE_WRITE);
        return post(
                SendOpcode.RDMA_WRITE_WITH_IMMEDIATE,
                wrId,
                address,
                length,
                buffer.lkey(),
                target,
                remote.stagValue(),
                immediate,
                flags);
    }

    /**
     * Reads {@code length} octets of {@code remote} from {@code remoteOffset} into {@code buffer} (RFC 5040 §5.2).
     *
     * @throws IndexOutOfBoundsException if they are not within both buffers
     * @throws IllegalArgumentException if {@code remote} lacks the right to be read
     */
    default int read(
            long wrId,
            RegisteredBuffer buffer,
            long offset,
            long length,
            RemoteBuffer remote,
            long remoteOffset,
            int flags) {
        long address = buffer.checkedAddress(offset, length);
        long source = remote.checkedOffset(remoteOffset, length, Access.REMOTE_READ);
        return post(SendOpcode.RDMA_READ, wrId, address, length, buffer.lkey(), source, remote.stagValue(), 0, flags);
    }

    /**
     * Adds {@code add} to the 64-bit cell at {@code remoteOffset} of {@code remote}; the value before lands in 8 octets
     * of {@code result} from {@code resultOffset}, in native byte order (RFC 7306 §5.1.1).
     */
    default int fetchAdd(
            long wrId,
            RegisteredBuffer result,
            long resultOffset,
            RemoteBuffer remote,
            long remoteOffset,
            long add,
            int flags) {
        long address = result.checkedAddress(resultOffset, Long.BYTES);
        long target = remote.checkedAtomicOffset(remoteOffset);
        return postAtomic(
                SendOpcode.FETCH_ADD, wrId, address, result.lkey(), target, remote.stagValue(), add, 0, 0, 0, flags);
    }

    /** As {@link #fetchAdd}, with carries cut at each set bit of {@code fieldMask}, the top bit of a field. */
    default int maskedFetchAdd(
            long wrId,
            RegisteredBuffer result,
            long resultOffset,
            RemoteBuffer remote,
            long remoteOffset,
            long add,
            long fieldMask,
            int flags) {
        long address = result.checkedAddress(resultOffset, Long.BYTES);
        long target = remote.checkedAtomicOffset(remoteOffset);
        return postAtomic(
                SendOpcode.MASKED_FETCH_ADD,
                wrId,
                address,
                result.lkey(),
                target,
                remote.stagValue(),
                add,
                0,
                fieldMask,
                0,
                flags);
    }

    /**
     * Stores {@code swap} if the cell equals {@code compare}; the value before lands in {@code result} either way (RFC
     * 7306 §5.1.2).
     */
    default int cmpSwap(
            long wrId,
            RegisteredBuffer result,
            long resultOffset,
            RemoteBuffer remote,
            long remoteOffset,
            long compare,
            long swap,
            int flags) {
        long address = result.checkedAddress(resultOffset, Long.BYTES);
        long target = remote.checkedAtomicOffset(remoteOffset);
        return postAtomic(
                SendOpcode.CMP_SWAP,
                wrId,
                address,
                result.lkey(),
                target,
                remote.stagValue(),
                compare,
                swap,
                -1L,
                -1L,
                flags);
    }

    /**
     * As {@link #cmpSwap}, comparing only the bits of {@code compareMask} and storing only those of {@code swapMask}.
     */
    default int maskedCmpSwap(
            long wrId,
            RegisteredBuffer result,
            long resultOffset,
            RemoteBuffer remote,
            long remoteOffset,
            long compare,
            long swap,
            long compareMask,
            long swapMask,
            int flags) {
        long address = result.checkedAddress(resultOffset, Long.BYTES);
        long target = remote.checkedAtomicOffset(remoteOffset);
        return postAtomic(
                SendOpcode.MASKED_CMP_SWAP,
                wrId,
                address,
                result.lkey(),
                target,
                remote.stagValue(),
                compare,
                swap,
                compareMask,
                swapMask,
                flags);
    }

    /** Stores {@code value} whatever the cell holds: a masked CmpSwap whose compare mask is 0. */
    default int swap(
            long wrId,
            RegisteredBuffer result,
            long resultOffset,
            RemoteBuffer remote,
            long remoteOffset,
            long value,
            int flags) {
        return maskedCmpSwap(wrId, result, resultOffset, remote, remoteOffset, 0, value, 0, -1L, flags);
    }

    /** Binds {@code window} to a part of {@code buffer}, see {@link #postBind}. */
    default int bind(
            long wrId,
            MemoryWindow window,
            RegisteredBuffer buffer,
            long offset,
            long length,
            int flags,
            Access... access) {
        return postBind(wrId, window, buffer, offset, length, Access.mask(access), flags);
    }

    /** Invalidates {@code stag} of this side, see {@link #postLocalInvalidate}. */
    default int localInvalidate(long wrId, STag stag, int flags) {
        return postLocalInvalidate(wrId, stag.value(), flags);
    }
}

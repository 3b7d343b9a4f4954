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
 * <p>The named operations check bounds and rights of both sides before anything is posted. The {@code post…} methods of
 * {@link RawSendQueue} are what they call; which of several faults those tell, says {@link PostStatus}.
 *
 * <p>Common to all: {@code wrId} is opaque and comes back in the completion; {@code flags} are {@link SendFlag}s; the
 * answer is a {@link PostStatus}; local memory belongs to the provider from the post to the completion (of this or a
 * later signaled request), unless the data is inline. A completion of a Send or Write says that the local buffer is
 * free, not that the peer has the data (RFC 5040 §5.5). Nothing is allocated.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_send.3.html">ibv_post_send(3)</a>
 */
@CheckReturnValue
public interface SendQueue extends RawSendQueue {
    /** Sends {@code length} bytes of {@code buffer} from {@code offset} (RFC 5040 §5.3). */
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
        return sendWithInvalidate(wrId, buffer, offset, length, stag.value(), flags);
    }

    /**
     * Sends, and has the peer invalidate its STag of the bits {@code stag}, as a protocol of other programs gives it;
     * otherwise as with an {@link STag}.
     */
    default int sendWithInvalidate(long wrId, RegisteredBuffer buffer, long offset, long length, int stag, int flags) {
        long address = buffer.checkedAddress(offset, length);
        return post(
                SendOpcode.SEND_WITH_INVALIDATE,
                wrId,
                address,
                length,
                buffer.lkey(),
                0,
                0,
                Integer.toUnsignedLong(stag),
                flags);
    }

    /** Sends the gathered pieces of {@code list}, and has the peer invalidate its STag of the bits {@code stag}. */
    default int sendWithInvalidate(long wrId, SgList list, int stag, int flags) {
        return post(SendOpcode.SEND_WITH_INVALIDATE, wrId, list, 0, 0, Integer.toUnsignedLong(stag), flags);
    }

    /**
     * Sends with immediate data in the same message; only where {@link Capabilities#sendWithImmediate()}.
     *
     * @param immediate of up to {@link Capabilities#immediateBytes()}, more is {@link PostStatus#INVALID}
     */
    default int sendWithImmediate(
            long wrId, RegisteredBuffer buffer, long offset, long length, long immediate, int flags) {
        long address = buffer.checkedAddress(offset, length);
        return post(SendOpcode.SEND_WITH_IMMEDIATE, wrId, address, length, buffer.lkey(), 0, 0, immediate, flags);
    }

    /**
     * Sends immediate data alone (RFC 7306 §6); it consumes a receive of the peer.
     *
     * @param immediate of up to {@link Capabilities#immediateBytes()}, more is {@link PostStatus#INVALID}
     */
    default int immediate(long wrId, long immediate, int flags) {
        return post(SendOpcode.IMMEDIATE, wrId, 0, 0, 0, 0, 0, immediate, flags);
    }

    /**
     * Writes {@code length} bytes of {@code buffer} into {@code remote} from {@code remoteOffset} (RFC 5040 §5.1).
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

    /**
     * Writes, then delivers immediate data to the peer (RFC 7306 §6); it consumes a receive of the peer.
     *
     * @param immediate of up to {@link Capabilities#immediateBytes()}, more is {@link PostStatus#INVALID}
     */
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
     * Reads {@code length} bytes of {@code remote} from {@code remoteOffset} into {@code buffer} (RFC 5040 §5.2).
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
     * Adds {@code add} to the 64-bit cell at {@code remoteOffset} of {@code remote}; the value before lands in 8 bytes
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

    /**
     * Stores {@code value} in the 64-bit cell at {@code remoteOffset} of {@code remote} whatever it holds; the value
     * before lands in 8 bytes of {@code result} from {@code resultOffset}, in native byte order. One atomic operation,
     * one round trip, never emulated; it completes as {@link WcOpcode#CMP_SWAP}.
     *
     * <p>RFC 7306 §5.1 has no Swap of its own: this is its CmpSwap (§5.1.2) with compare mask 0, which always matches,
     * and every bit in the swap mask. Its predecessor, draft-ietf-storm-rdmap-ext-01 §5.1.2, has one, AOpCode 1; the
     * provider {@code iwarp} speaks that on connections with the option {@code draft.swap}, see
     * {@link ConnectionConfig#options()}. RFC 7306 reserves that code, so a peer without the option terminates the
     * stream, and this completes with {@link WcStatus#REMOTE_INVALID_REQUEST}.
     *
     * @param result with {@code LOCAL_WRITE}; its bytes belong to the provider until the request completes
     * @param resultOffset of 8 bytes of it
     * @param remote with {@code REMOTE_ATOMIC}
     * @param remoteOffset of a 64-bit aligned cell
     * @return a {@link PostStatus}
     * @throws IndexOutOfBoundsException if the 8 bytes are not within both buffers
     * @throws IllegalArgumentException if the cell is not aligned, or {@code remote} lacks the right
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#MASKED_ATOMICS}, naming it;
     *     over a plain CmpSwap there is {@link EmulatedMaskedAtomics#swap}, to be asked for by name
     */
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

    /** Invalidates the STag of the bits {@code stag} of this side, see {@link #postLocalInvalidate}. */
    default int localInvalidate(long wrId, int stag, int flags) {
        return postLocalInvalidate(wrId, stag, flags);
    }

    /**
     * Returns this queue as one whose requests are for the shared receive queue {@code number} of the peer
     * ({@code ibv_send_wr.qp_type.xrc.remote_srqn}). Only queue pairs of type {@link QueuePairType#XRC_SEND} have such,
     * and post nothing otherwise: Writes, Reads and atomics name one as well, in whose protection domain the peer's
     * memory must be. A view costs an allocation when it is made, and none by post; any number of them may be kept, and
     * used side by side as the queue itself. One of a {@link Batch} collects there.
     *
     * @param number 24 bits, from {@code XrcSharedReceiveQueue.number()} of the peer
     * @throws IllegalArgumentException if {@code number} has more than 24 bits
     * @throws UnsupportedOperationException if the queue pair is not of type XRC_SEND
     */
    default SendQueue toSharedReceiveQueue(int number) {
        throw new UnsupportedOperationException(
                "the queue pair cannot address a shared receive queue; remedy: create it with type XRC_SEND on a"
                        + " device with XRC (ibverbs on InfiniBand or RoCE)");
    }
}

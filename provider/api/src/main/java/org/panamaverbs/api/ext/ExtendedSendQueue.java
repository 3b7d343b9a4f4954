package org.panamaverbs.api.ext;

import org.panamaverbs.api.Batch;
import org.panamaverbs.api.CheckReturnValue;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * Atomic writes and flushes of InfiniBand and RoCE, for queue pairs of type {@link QueuePairType#RC} that
 * {@link QueuePairConfig#withSendOps} created for them. iWARP has neither.
 *
 * <p>The peer's adapter answers both, as it does Reads: they count against {@link ConnectionConfig#initiatorDepth()},
 * and take effect after the Writes that were posted before them. The rules of {@link SendQueue} on ids, results and
 * threads hold here, too. A {@link Batch} does not collect these operations.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_wr_post.3.html">ibv_wr_post(3)</a>
 */
@CheckReturnValue
public interface ExtendedSendQueue {
    /**
     * Writes 8 bytes to the peer's memory so that no reader there sees a part of them, or sees them before earlier
     * Writes: {@code ibv_wr_atomic_write}. It completes as {@link WcOpcode#ATOMIC_WRITE} when the peer has the value.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param value the 8 bytes, written in native byte order
     * @param remote target, with {@link Access#REMOTE_WRITE}
     * @param remoteOffset the cell in {@code remote}, in bytes; its remote address must be a multiple of 8
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}
     * @throws UnsupportedOperationException if the queue pair was not created for atomic writes, or the device lacks
     *     {@link Capabilities.Feature#ATOMIC_WRITE}
     * @throws IndexOutOfBoundsException if the 8 bytes are not within {@code remote}
     * @throws IllegalArgumentException if the cell is not aligned, or {@code remote} does not grant the right
     * @throws IllegalStateException if the queue pair is closed, or its batch is open
     */
    default int atomicWrite(long wrId, long value, RemoteBuffer remote, long remoteOffset, int flags) {
        long target = remote.checkedAtomicOffset(remoteOffset, Access.REMOTE_WRITE);
        return postAtomicWrite(wrId, value, target, remote.rkey(), flags);
    }

    /**
     * Flushes a range of the peer's memory: {@code ibv_wr_flush} with {@code IBV_FLUSH_RANGE}. When the request
     * completes, as {@link WcOpcode#FLUSH}, earlier Writes to the range have reached {@code placement}.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param remote the memory, with {@link PlacementType#right}
     * @param remoteOffset first byte of the range in {@code remote}
     * @param length bytes, from 0 to 2^32-1
     * @param placement how far to flush
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}; {@link PostStatus#MESSAGE_TOO_LONG} if {@code length} exceeds 2^32-1
     * @throws UnsupportedOperationException if the queue pair was not created for flushes, or the device lacks
     *     {@link Capabilities.Feature#FLUSH} or {@link Capabilities.Feature#FLUSH_PERSISTENT}
     * @throws IndexOutOfBoundsException if the range is not within {@code remote}
     * @throws IllegalArgumentException if {@code remote} does not grant the right
     * @throws IllegalStateException if the queue pair is closed, or its batch is open
     */
    default int flush(
            long wrId, RemoteBuffer remote, long remoteOffset, long length, PlacementType placement, int flags) {
        long target = remote.checkedOffset(remoteOffset, length, placement.right());
        return postFlush(wrId, target, length, remote.rkey(), placement, flags);
    }

    /**
     * Flushes the whole memory region of {@code remote}, also beyond its bounds: {@code IBV_FLUSH_MR}; otherwise as
     * {@link #flush}.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param remote any part of the region, with {@link PlacementType#right}
     * @param placement how far to flush
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}
     */
    default int flushRegion(long wrId, RemoteBuffer remote, PlacementType placement, int flags) {
        long target = remote.checkedOffset(0, 0, placement.right());
        return postFlushRegion(wrId, target, remote.rkey(), placement, flags);
    }

    /**
     * Posts an atomic write with a raw key and address; otherwise as {@link #atomicWrite}. An unaligned address fails
     * at the peer, and the queue pair with it.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param value the 8 bytes, written in native byte order
     * @param remoteAddress the remote address, a multiple of 8
     * @param rkey the remote key
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}
     */
    default int postAtomicWrite(long wrId, long value, long remoteAddress, int rkey, int flags) {
        throw without("atomic writes", Capabilities.Feature.ATOMIC_WRITE);
    }

    /**
     * Posts a flush with a raw key and address; otherwise as {@link #flush}.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param remoteAddress the remote address
     * @param length bytes, from 0 to 2^32-1
     * @param rkey the remote key
     * @param placement how far to flush
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}; {@link PostStatus#INVALID} if {@code length} is negative
     */
    default int postFlush(long wrId, long remoteAddress, long length, int rkey, PlacementType placement, int flags) {
        throw without("flushes", Capabilities.Feature.FLUSH);
    }

    /**
     * Posts a flush of a whole memory region with a raw key; otherwise as {@link #flushRegion}.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param remoteAddress any remote address in the region
     * @param rkey the remote key
     * @param placement how far to flush
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}
     */
    default int postFlushRegion(long wrId, long remoteAddress, int rkey, PlacementType placement, int flags) {
        throw without("flushes", Capabilities.Feature.FLUSH);
    }

    private static UnsupportedOperationException without(String what, Capabilities.Feature feature) {
        return new UnsupportedOperationException("this provider has no " + what
                + "; remedy: use provider ibverbs on InfiniBand or RoCE with " + feature + ", such as rxe since Linux"
                + " 6.12");
    }
}

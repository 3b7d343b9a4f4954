package org.panamaverbs.api;

import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * What a queue pair can post only if it was created for it, {@link QueuePairConfig#withSendOps}: atomic writes and
 * flushes of InfiniBand and RoCE, on queue pairs of type {@link QueuePairType#RC}. iWARP has no such operations.
 *
 * <p>Both are answered by the peer's adapter, as Reads are, take a place among those that the peer has room for
 * ({@link ConnectionConfig#initiatorDepth()}), and are done in their order behind the Writes that were posted before
 * them. What {@link SendQueue} says of ids, answers and threads holds here, too. Posting allocates nothing. A
 * {@link Batch} does not collect them: they are posted by calls of their own.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_wr_post.3.html">ibv_wr_post(3)</a>
 */
@CheckReturnValue
public interface ExtendedSendQueue {
    /**
     * Writes the 8 bytes of {@code value}, in native byte order, to {@code remoteOffset} of {@code remote}, so that
     * nobody there sees a part of them, or sees them before what was written earlier ({@code ibv_wr_atomic_write}). It
     * completes as {@link WcOpcode#ATOMIC_WRITE} when the peer has it.
     *
     * @param wrId the application's id
     * @param value what is written
     * @param remote with {@link Access#REMOTE_WRITE}
     * @param remoteOffset of a 64-bit aligned cell
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}
     * @throws UnsupportedOperationException if the queue pair was not made for it, saying how, or the device lacks
     *     {@link Capabilities.Feature#ATOMIC_WRITE}
     * @throws IndexOutOfBoundsException if the 8 bytes are not within {@code remote}
     * @throws IllegalArgumentException if the cell is not aligned, or {@code remote} lacks the right
     * @throws IllegalStateException if the queue pair is closed, or its batch is open
     */
    default int atomicWrite(long wrId, long value, RemoteBuffer remote, long remoteOffset, int flags) {
        long target = remote.checkedAtomicOffset(remoteOffset, Access.REMOTE_WRITE);
        return postAtomicWrite(wrId, value, target, remote.stagValue(), flags);
    }

    /**
     * Has the peer flush {@code length} bytes of {@code remote} from {@code remoteOffset} ({@code ibv_wr_flush} with
     * {@code IBV_FLUSH_RANGE}). When this completes, as {@link WcOpcode#FLUSH}, what was written there before is where
     * {@code placement} says.
     *
     * @param wrId the application's id
     * @param remote with {@link PlacementType#right}
     * @param remoteOffset of the range in it, in bytes
     * @param length of the range, 0 to 2^32-1 bytes
     * @param placement how far
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}; {@link PostStatus#MESSAGE_TOO_LONG} for more bytes
     * @throws UnsupportedOperationException if the queue pair was not made for it, saying how, or the device lacks
     *     {@link Capabilities.Feature#FLUSH}, or {@link Capabilities.Feature#FLUSH_PERSISTENT}
     * @throws IndexOutOfBoundsException if the range is not within {@code remote}
     * @throws IllegalArgumentException if {@code remote} lacks the right
     * @throws IllegalStateException if the queue pair is closed, or its batch is open
     */
    default int flush(
            long wrId, RemoteBuffer remote, long remoteOffset, long length, PlacementType placement, int flags) {
        long target = remote.checkedOffset(remoteOffset, length, placement.right());
        return postFlush(wrId, target, length, remote.stagValue(), placement, flags);
    }

    /**
     * Has the peer flush all of the registration that {@code remote} is of, also what is beyond its bounds
     * ({@code IBV_FLUSH_MR}); otherwise as {@link #flush}.
     */
    default int flushRegion(long wrId, RemoteBuffer remote, PlacementType placement, int flags) {
        long target = remote.checkedOffset(0, 0, placement.right());
        return postFlushRegion(wrId, target, remote.stagValue(), placement, flags);
    }

    /**
     * Posts an atomic write with a raw key and address; otherwise as {@link #atomicWrite}. An address that is not
     * aligned fails at the peer, and the queue pair with it.
     *
     * @param wrId the application's id
     * @param value what is written
     * @param remoteAddress the remote tagged offset, of a 64-bit aligned address
     * @param rkey the remote STag
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}
     */
    default int postAtomicWrite(long wrId, long value, long remoteAddress, int rkey, int flags) {
        throw without("atomic writes", Capabilities.Feature.ATOMIC_WRITE);
    }

    /**
     * Posts a flush with a raw key and address; otherwise as {@link #flush}.
     *
     * @param wrId the application's id
     * @param remoteAddress the remote tagged offset
     * @param length of the range, 0 to 2^32-1 bytes
     * @param rkey the remote STag
     * @param placement how far
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}; {@link PostStatus#INVALID} if {@code length} is negative
     */
    default int postFlush(long wrId, long remoteAddress, long length, int rkey, PlacementType placement, int flags) {
        throw without("flushes", Capabilities.Feature.FLUSH);
    }

    /**
     * Posts a flush of all of a registration with a raw key; otherwise as {@link #flushRegion}.
     *
     * @param wrId the application's id
     * @param remoteAddress a remote tagged offset of it
     * @param rkey the remote STag
     * @param placement how far
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}
     */
    default int postFlushRegion(long wrId, long remoteAddress, int rkey, PlacementType placement, int flags) {
        throw without("flushes", Capabilities.Feature.FLUSH);
    }

    private static UnsupportedOperationException without(String what, Capabilities.Feature feature) {
        return new UnsupportedOperationException("this provider has no " + what
                + ": use ibverbs on InfiniBand or RoCE with " + feature + ", such as rxe of Linux 6.12");
    }
}

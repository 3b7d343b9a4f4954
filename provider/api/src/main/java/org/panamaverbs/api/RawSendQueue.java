package org.panamaverbs.api;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * Work requests as {@code struct ibv_send_wr} has them: raw keys and addresses, checked by the provider alone; a wrong
 * one ends in an error completion. {@link SendQueue} has the named operations, which check both sides first and then
 * come here; what it says of ids, flags, answers and memory holds here, too. Which of several faults is told, says
 * {@link PostStatus}.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_send.3.html">ibv_post_send(3)</a>
 */
@CheckReturnValue
public interface RawSendQueue {
    /**
     * Posts {@code operation} with one local piece.
     *
     * @param operation a Send, Write or Read kind, or {@link SendOpcode#IMMEDIATE}
     * @param wrId the application's id
     * @param address the local address, {@code ibv_sge.addr}
     * @param length bytes, 0 to 2^32-1
     * @param lkey the local key
     * @param remoteAddress the remote tagged offset; ignored by Sends
     * @param rkey the remote STag; ignored by Sends
     * @param immediate the immediate data, within {@link Capabilities#immediateBytes()}: of 4 bytes from 0 to 2^32-1 or
     *     a sign-extended {@code int}, else {@link PostStatus#INVALID}; or the STag to invalidate for
     *     {@link SendOpcode#SEND_WITH_INVALIDATE}; otherwise ignored
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
     * {@link QueuePairConfig#maxInlineBytes()}; otherwise as {@link #post(SendOpcode, long, long, long, int, long, int,
     * long, int)}.
     *
     * @param data what holds the payload, the caller's again when this returns
     * @param offset of the payload in the data, in bytes
     * @param length of the payload, in bytes
     * @return a {@link PostStatus}
     * @throws IndexOutOfBoundsException if the payload is not within the data
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
     * Posts an atomic; the value before the operation lands in the 8 bytes at {@code address}, in native byte order.
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
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}
     * @throws UnsupportedOperationException if the device lacks the operation, naming device and capability
     * @throws IllegalStateException if the queue pair is closed
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
     * @param wrId the application's id
     * @param window of the queue pair's domain
     * @param buffer of the same domain, open until the window is bound elsewhere, unbound or closed
     * @param offset of the part in the buffer, in bytes
     * @param length of the part, in bytes, from 0
     * @param access the rights of peers, mask of {@link org.panamaverbs.memory.Access#bit}
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}
     * @throws UnsupportedOperationException if the device lacks memory windows, naming device and capability; or if the
     *     driver binds windows of this type by a call of its own, which a {@link Batch} cannot collect
     * @throws IllegalArgumentException if the window or the buffer is of another domain, or the rights are not all of
     *     peers
     * @throws IllegalStateException if the queue pair, the window or the buffer is closed
     * @throws IndexOutOfBoundsException if the part is not within the buffer
     */
    int postBind(
            long wrId, MemoryWindow window, RegisteredBuffer buffer, long offset, long length, int access, int flags);

    /**
     * Posts the invalidation of {@code stag} of this side; when it completes no peer can use it any more.
     *
     * @param wrId the application's id
     * @param stag the STag
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}
     * @throws UnsupportedOperationException if the device lacks the operation, naming device and capability
     * @throws IllegalStateException if the queue pair is closed
     */
    int postLocalInvalidate(long wrId, int stag, int flags);
}

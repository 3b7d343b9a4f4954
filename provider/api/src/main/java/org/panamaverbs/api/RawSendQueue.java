package org.panamaverbs.api;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * Posts work requests as {@code struct ibv_send_wr} describes them: raw keys and addresses, checked by the provider
 * alone. A wrong one ends in an error completion. {@link SendQueue} has the named operations, which check both sides
 * first; its rules on results, memory and threads hold here, too.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_send.3.html">ibv_post_send(3)</a>
 */
@CheckReturnValue
public interface RawSendQueue {
    /**
     * Posts {@code operation} with one local scatter/gather entry (SGE).
     *
     * @param operation a Send, Write or Read opcode, or {@link SendOpcode#IMMEDIATE} ({@code opcode})
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()} ({@code wr_id})
     * @param address the local address ({@code sg_list->addr})
     * @param length bytes, from 0 to 2^32-1 ({@code sg_list->length})
     * @param lkey the local key ({@code sg_list->lkey})
     * @param remoteAddress the remote address, a tagged offset in iWARP; ignored by Sends ({@code wr.rdma.remote_addr})
     * @param rkey the remote key, an STag in iWARP; ignored by Sends ({@code wr.rdma.rkey})
     * @param immediate the immediate data, up to {@link Capabilities#immediateBytes()}: of 4 bytes, from 0 to 2^32-1 or
     *     a sign-extended {@code int} ({@code imm_data}); the peer's rkey for {@link SendOpcode#SEND_WITH_INVALIDATE}
     *     ({@code invalidate_rkey}); ignored by others
     * @param flags {@link SendFlag}s ({@code send_flags})
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
     * Posts {@code operation} with several local SGEs; otherwise as {@link #post(SendOpcode, long, long, long, int,
     * long, int, long, int)}.
     *
     * @param operation a Send, Write or Read opcode, or {@link SendOpcode#IMMEDIATE} ({@code opcode})
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()} ({@code wr_id})
     * @param local the SGEs, up to {@link QueuePairConfig#maxSendSge()}, of a Read up to
     *     {@link Capabilities#maxSgeRead()}; copied by the post ({@code sg_list}, {@code num_sge})
     * @param remoteAddress the remote address; ignored by Sends ({@code wr.rdma.remote_addr})
     * @param rkey the remote key; ignored by Sends ({@code wr.rdma.rkey})
     * @param immediate the immediate data ({@code imm_data}), or the peer's rkey ({@code invalidate_rkey})
     * @param flags {@link SendFlag}s ({@code send_flags})
     * @return a {@link PostStatus}
     */
    int post(SendOpcode operation, long wrId, SgList local, long remoteAddress, int rkey, long immediate, int flags);

    /**
     * Posts a Send or Write whose payload is copied from {@code data} ({@code IBV_SEND_INLINE}); otherwise as
     * {@link #post(SendOpcode, long, long, long, int, long, int, long, int)}.
     *
     * @param operation a Send or Write opcode ({@code opcode})
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()} ({@code wr_id})
     * @param data any memory, also on the heap; the caller's again when this returns
     * @param offset first byte in {@code data}
     * @param length bytes, from 0 to {@link QueuePairConfig#maxInlineBytes()}
     * @param remoteAddress the remote address; ignored by Sends ({@code wr.rdma.remote_addr})
     * @param rkey the remote key; ignored by Sends ({@code wr.rdma.rkey})
     * @param immediate the immediate data ({@code imm_data}), or the peer's rkey ({@code invalidate_rkey})
     * @param flags {@link SendFlag}s; {@link SendFlag#INLINE} is implied ({@code send_flags})
     * @return a {@link PostStatus}
     * @throws IndexOutOfBoundsException if the range is not within {@code data}
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
     * Posts an atomic operation on a 64-bit cell; the previous value lands at {@code address} in native byte order.
     *
     * @param operation {@link SendOpcode#FETCH_ADD}, {@link SendOpcode#CMP_SWAP} or a masked one ({@code opcode})
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()} ({@code wr_id})
     * @param address the local address of the 8-byte result ({@code sg_list->addr})
     * @param lkey the local key ({@code sg_list->lkey})
     * @param remoteAddress the remote address of the cell, a multiple of 8 ({@code wr.atomic.remote_addr})
     * @param rkey the remote key ({@code wr.atomic.rkey})
     * @param compareOrAdd the expected value or the addend ({@code wr.atomic.compare_add})
     * @param swap the new value; ignored by FetchAdd ({@code wr.atomic.swap})
     * @param compareOrFieldMask the bits to compare, or of a FetchAdd the top bit of each field; ignored unless masked
     * @param swapMask the bits to store; ignored unless {@link SendOpcode#MASKED_CMP_SWAP}
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE} ({@code send_flags})
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
     * Binds {@code window} to a range of {@code buffer}: {@code IBV_WR_BIND_MW}. The window's rkey
     * ({@link MemoryWindow#rkey()}) is known when the post returns and valid once the request completes.
     *
     * <p>If the buffer lacks {@code MEMORY_WINDOW_BIND}, or {@code LOCAL_WRITE} for a writable window, the request
     * fails with {@link WcStatus#MEMORY_WINDOW_BIND_ERROR}, and the queue pair with it.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param window a window of the queue pair's protection domain ({@code bind_mw.mw})
     * @param buffer a buffer of the same domain, open until the window is bound elsewhere, unbound or closed
     *     ({@code bind_mw.bind_info.mr})
     * @param offset first byte in {@code buffer} ({@code bind_mw.bind_info.addr} less its base)
     * @param length bytes; 0 unbinds ({@code bind_mw.bind_info.length})
     * @param access the rights of peers, a mask of {@link org.panamaverbs.memory.Access#bit}
     *     ({@code bind_mw.bind_info.mw_access_flags})
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}
     * @throws UnsupportedOperationException if the device lacks memory windows, naming device and capability; or if
     *     this is a {@link Batch} and the driver binds windows of this type by a separate call
     * @throws IllegalArgumentException if the window or the buffer is of another domain, or {@code access} contains a
     *     right that is not a peer's
     * @throws IllegalStateException if the queue pair, the window or the buffer is closed
     * @throws IndexOutOfBoundsException if the range is not within the buffer
     */
    int postBind(
            long wrId, MemoryWindow window, RegisteredBuffer buffer, long offset, long length, int access, int flags);

    /**
     * Invalidates an rkey of this side: {@code IBV_WR_LOCAL_INV}. Once the request completes, no peer can use the key.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param stag the rkey ({@code invalidate_rkey})
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}
     * @throws UnsupportedOperationException if the device lacks the operation, naming device and capability
     * @throws IllegalStateException if the queue pair is closed
     */
    int postLocalInvalidate(long wrId, int stag, int flags);
}

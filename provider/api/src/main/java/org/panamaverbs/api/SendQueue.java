package org.panamaverbs.api;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.util.EmulatedMaskedAtomics;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * Posts work requests by named operations, which check the bounds of both sides and the rights of the remote one before
 * anything is posted. Local memory without the right that an operation needs, or of another protection domain, ends the
 * request with {@link WcStatus#LOCAL_PROTECTION_ERROR} instead. A {@link QueuePair} posts each at once, its
 * {@link Batch} collects them for one doorbell. {@link #post} takes a {@link WorkRequest}, of which the named
 * operations are the short forms, also with raw keys and addresses.
 *
 * <p>All operations share these rules:
 *
 * <ul>
 *   <li>A post does not wait for the peer and allocates nothing. Any thread may post to a queue pair; a batch belongs
 *       to one thread.
 *   <li>Local memory belongs to the provider from the post until the completion of this or a later signaled request is
 *       polled. Inline data is copied and free when the post returns.
 *   <li>The result is a {@link PostStatus}: {@link PostStatus#ACCEPTED}, or a negative status with nothing posted.
 *       {@link PostStatus} has the order in which several faults of one post are reported.
 *   <li>A successful Send or Write completion says that the local buffer is free, not that the peer has the data (RFC
 *       5040 §5.5).
 *   <li>A peer that polls its memory may see a Write before, or never in order: {@link QueuePair#isDataInOrder}. It may
 *       read what was written once it has the completion of a Send or of a Write with immediate posted behind.
 *   <li>A Send or a Write with immediate takes a posted receive of the peer; without one, see {@link ReceiveQueue}.
 *   <li>Every operation throws {@link IllegalStateException} if the queue pair or the local buffer is closed, and
 *       {@link UnsupportedOperationException}, naming device and capability, if the device lacks the operation.
 * </ul>
 *
 * <pre>{@code
 * int status = queuePair.send(1, buffer, 0, 512, SIGNALED);
 * while (PostStatus.isFull(status)) {
 *     poll(queue); // completions make room
 *     status = queuePair.send(1, buffer, 0, 512, SIGNALED);
 * }
 * PostStatus.check(status);
 * }</pre>
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_send.3.html">ibv_post_send(3)</a>
 */
@CheckReturnValue
public interface SendQueue {
    /**
     * Posts {@code request}, the general form of every post: {@code ibv_post_send(3)}. Its fields are copied. The
     * bounds and rights of its {@link RemoteBuffer} are checked first, as the named methods do; raw addresses and keys
     * are checked by the provider and the peer alone.
     *
     * @param request the request; the caller's again when this returns
     * @return a {@link PostStatus}; {@link PostStatus#INVALID} also if its local memory is of another form than the
     *     operation takes, such as a list for an atomic
     * @throws IndexOutOfBoundsException if the range is not within its remote buffer or its inline data
     * @throws IllegalArgumentException if its remote buffer does not grant the right, the cell of an atomic is not
     *     aligned, or an object is of another domain
     * @throws UnsupportedOperationException if the device or the queue pair lacks the operation, naming both
     * @throws IllegalStateException if the queue pair or an object of the request is closed
     */
    int post(WorkRequest request);

    /**
     * Sends {@code length} bytes of {@code buffer} from {@code offset}: {@code IBV_WR_SEND}, RFC 5040 §5.3.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()} ({@code wr_id})
     * @param buffer memory of the queue pair's protection domain; reading it needs no right
     * @param offset first byte in {@code buffer}
     * @param length bytes, from 0 to 2^32-1
     * @param flags {@link SendFlag}s ({@code send_flags})
     * @return a {@link PostStatus}
     * @throws IndexOutOfBoundsException if the range is not within {@code buffer}
     */
    int send(long wrId, RegisteredBuffer buffer, long offset, long length, int flags);

    /**
     * Sends the bytes gathered from {@code list}; otherwise as {@link #send(long, RegisteredBuffer, long, long, int)}.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param list scatter/gather entries (SGEs), up to {@link QueuePairConfig#maxSendSge()}; copied by the post
     * @param flags {@link SendFlag}s
     * @return a {@link PostStatus}
     */
    int send(long wrId, SgList list, int flags);

    /**
     * Sends a copy of {@code data}, which need not be registered: {@code IBV_WR_SEND} with {@code IBV_SEND_INLINE}.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param data any memory, also on the heap; the caller's again when this returns
     * @param offset first byte in {@code data}
     * @param length bytes, from 0 to {@link QueuePairConfig#maxInlineBytes()}
     * @param flags {@link SendFlag}s; {@link SendFlag#INLINE} is implied
     * @return a {@link PostStatus}
     * @throws IndexOutOfBoundsException if the range is not within {@code data}
     */
    int sendInline(long wrId, MemorySegment data, long offset, long length, int flags);

    /**
     * Sends, and has the peer invalidate an rkey (an STag in iWARP): {@code IBV_WR_SEND_WITH_INV}, RFC 5040 §5.3.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param buffer memory of the queue pair's protection domain
     * @param offset first byte in {@code buffer}
     * @param length bytes, from 0 to 2^32-1
     * @param rkey the peer's rkey, 32 bits ({@code invalidate_rkey})
     * @param flags {@link SendFlag}s
     * @return a {@link PostStatus}
     * @throws IndexOutOfBoundsException if the range is not within {@code buffer}
     */
    int sendWithInvalidate(long wrId, RegisteredBuffer buffer, long offset, long length, int rkey, int flags);

    /**
     * Sends the bytes gathered from {@code list}, and has the peer invalidate an rkey; otherwise as with a buffer.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param list SGEs, up to {@link QueuePairConfig#maxSendSge()}; copied by the post
     * @param rkey the peer's rkey, 32 bits ({@code invalidate_rkey})
     * @param flags {@link SendFlag}s
     * @return a {@link PostStatus}
     */
    int sendWithInvalidate(long wrId, SgList list, int rkey, int flags);

    /**
     * Sends with immediate data in the same message: {@code IBV_WR_SEND_WITH_IMM}. Needs
     * {@link Capabilities#sendWithImmediate()}, which iWARP lacks.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param buffer memory of the queue pair's protection domain
     * @param offset first byte in {@code buffer}
     * @param length bytes, from 0 to 2^32-1
     * @param immediate up to {@link Capabilities#immediateBytes()}, otherwise {@link PostStatus#INVALID}
     *     ({@code imm_data})
     * @param flags {@link SendFlag}s
     * @return a {@link PostStatus}
     * @throws IndexOutOfBoundsException if the range is not within {@code buffer}
     */
    int sendWithImmediate(long wrId, RegisteredBuffer buffer, long offset, long length, long immediate, int flags);

    /**
     * Sends immediate data alone, which consumes a receive of the peer: RFC 7306 §6, on InfiniBand and RoCE a
     * {@code IBV_WR_SEND_WITH_IMM} of 0 bytes. Needs {@link Capabilities.Feature#STANDALONE_IMMEDIATE}.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param immediate up to {@link Capabilities#immediateBytes()}, otherwise {@link PostStatus#INVALID}
     *     ({@code imm_data})
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}
     */
    int immediate(long wrId, long immediate, int flags);

    /**
     * Writes {@code length} bytes of {@code buffer} into the peer's memory; the peer's application is not notified:
     * {@code IBV_WR_RDMA_WRITE}, RFC 5040 §5.1.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param buffer source, memory of the queue pair's protection domain
     * @param offset first byte in {@code buffer}
     * @param length bytes, from 0 to 2^32-1
     * @param remote target, with {@link Access#REMOTE_WRITE} ({@code wr.rdma.rkey})
     * @param remoteOffset first byte in {@code remote} ({@code wr.rdma.remote_addr} less its base)
     * @param flags {@link SendFlag}s
     * @return a {@link PostStatus}
     * @throws IndexOutOfBoundsException if the range is not within both buffers
     * @throws IllegalArgumentException if {@code remote} does not grant the right
     */
    int write(
            long wrId,
            RegisteredBuffer buffer,
            long offset,
            long length,
            RemoteBuffer remote,
            long remoteOffset,
            int flags);

    /**
     * Writes the bytes gathered from {@code list} into the peer's memory; otherwise as with a buffer.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param list source SGEs, up to {@link QueuePairConfig#maxSendSge()}; copied by the post
     * @param remote target, with {@link Access#REMOTE_WRITE}
     * @param remoteOffset first byte in {@code remote}
     * @param flags {@link SendFlag}s
     * @return a {@link PostStatus}
     * @throws IndexOutOfBoundsException if {@link SgList#totalBytes()} are not within {@code remote}
     * @throws IllegalArgumentException if {@code remote} does not grant the right
     */
    int write(long wrId, SgList list, RemoteBuffer remote, long remoteOffset, int flags);

    /**
     * Writes a copy of {@code data}, which need not be registered: {@code IBV_WR_RDMA_WRITE} with
     * {@code IBV_SEND_INLINE}.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param data any memory, also on the heap; the caller's again when this returns
     * @param offset first byte in {@code data}
     * @param length bytes, from 0 to {@link QueuePairConfig#maxInlineBytes()}
     * @param remote target, with {@link Access#REMOTE_WRITE}
     * @param remoteOffset first byte in {@code remote}
     * @param flags {@link SendFlag}s; {@link SendFlag#INLINE} is implied
     * @return a {@link PostStatus}
     * @throws IndexOutOfBoundsException if the range is not within {@code data} and {@code remote}
     * @throws IllegalArgumentException if {@code remote} does not grant the right
     */
    int writeInline(
            long wrId, MemorySegment data, long offset, long length, RemoteBuffer remote, long remoteOffset, int flags);

    /**
     * Writes, then delivers immediate data, which consumes a receive of the peer: {@code IBV_WR_RDMA_WRITE_WITH_IMM},
     * RFC 7306 §6. Needs {@link Capabilities.Feature#WRITE_WITH_IMMEDIATE}.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param buffer source, memory of the queue pair's protection domain
     * @param offset first byte in {@code buffer}
     * @param length bytes, from 0 to 2^32-1
     * @param remote target, with {@link Access#REMOTE_WRITE}
     * @param remoteOffset first byte in {@code remote}
     * @param immediate up to {@link Capabilities#immediateBytes()}, otherwise {@link PostStatus#INVALID}
     *     ({@code imm_data})
     * @param flags {@link SendFlag}s
     * @return a {@link PostStatus}
     * @throws IndexOutOfBoundsException if the range is not within both buffers
     * @throws IllegalArgumentException if {@code remote} does not grant the right
     */
    int writeWithImmediate(
            long wrId,
            RegisteredBuffer buffer,
            long offset,
            long length,
            RemoteBuffer remote,
            long remoteOffset,
            long immediate,
            int flags);

    /**
     * Reads {@code length} bytes of the peer's memory into {@code buffer}: {@code IBV_WR_RDMA_READ}, RFC 5040 §5.2.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param buffer sink, with {@link Access#LOCAL_WRITE}, and {@link Access#REMOTE_WRITE} on devices without
     *     {@link Capabilities.Feature#READ_SINK_LOCAL_WRITE}
     * @param offset first byte in {@code buffer}
     * @param length bytes, from 0 to 2^32-1
     * @param remote source, with {@link Access#REMOTE_READ} ({@code wr.rdma.rkey})
     * @param remoteOffset first byte in {@code remote} ({@code wr.rdma.remote_addr} less its base)
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}
     * @throws IndexOutOfBoundsException if the range is not within both buffers
     * @throws IllegalArgumentException if {@code remote} does not grant the right
     */
    int read(
            long wrId,
            RegisteredBuffer buffer,
            long offset,
            long length,
            RemoteBuffer remote,
            long remoteOffset,
            int flags);

    /**
     * Adds {@code add} to a 64-bit cell of the peer's memory: {@code IBV_WR_ATOMIC_FETCH_AND_ADD}, RFC 7306 §5.1.1. The
     * previous value lands in {@code result} in native byte order. Needs {@link Capabilities.Feature#ATOMICS}.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param result receives the previous value, with {@link Access#LOCAL_WRITE}
     * @param resultOffset first of its 8 bytes in {@code result}
     * @param remote target, with {@link Access#REMOTE_ATOMIC} ({@code wr.atomic.rkey})
     * @param remoteOffset the cell in {@code remote}, in bytes; its remote address must be a multiple of 8
     *     ({@code wr.atomic.remote_addr} less its base)
     * @param add the addend; wraps ({@code wr.atomic.compare_add})
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}
     * @throws IndexOutOfBoundsException if the 8 bytes are not within both buffers
     * @throws IllegalArgumentException if the cell is not aligned, or {@code remote} does not grant the right
     */
    int fetchAdd(
            long wrId,
            RegisteredBuffer result,
            long resultOffset,
            RemoteBuffer remote,
            long remoteOffset,
            long add,
            int flags);

    /**
     * Adds separately to each field of the cell; otherwise as {@link #fetchAdd}. Needs
     * {@link Capabilities.Feature#MASKED_ATOMICS}.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param result receives the previous value, with {@link Access#LOCAL_WRITE}
     * @param resultOffset first of its 8 bytes in {@code result}
     * @param remote target, with {@link Access#REMOTE_ATOMIC}
     * @param remoteOffset the cell in {@code remote}, in bytes
     * @param add the addends, one in each field
     * @param fieldMask the top bit of each field, where no carry leaves it; 0 for one field of 64 bits
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}
     */
    int maskedFetchAdd(
            long wrId,
            RegisteredBuffer result,
            long resultOffset,
            RemoteBuffer remote,
            long remoteOffset,
            long add,
            long fieldMask,
            int flags);

    /**
     * Stores {@code swap} in a 64-bit cell of the peer's memory if it holds {@code compare}:
     * {@code IBV_WR_ATOMIC_CMP_AND_SWP}, RFC 7306 §5.1.2. The previous value lands in {@code result} in either case, in
     * native byte order. Needs {@link Capabilities.Feature#ATOMICS}.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param result receives the previous value, with {@link Access#LOCAL_WRITE}
     * @param resultOffset first of its 8 bytes in {@code result}
     * @param remote target, with {@link Access#REMOTE_ATOMIC} ({@code wr.atomic.rkey})
     * @param remoteOffset the cell in {@code remote}, in bytes; its remote address must be a multiple of 8
     *     ({@code wr.atomic.remote_addr} less its base)
     * @param compare the expected value ({@code wr.atomic.compare_add})
     * @param swap the new value ({@code wr.atomic.swap})
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}
     * @throws IndexOutOfBoundsException if the 8 bytes are not within both buffers
     * @throws IllegalArgumentException if the cell is not aligned, or {@code remote} does not grant the right
     */
    int cmpSwap(
            long wrId,
            RegisteredBuffer result,
            long resultOffset,
            RemoteBuffer remote,
            long remoteOffset,
            long compare,
            long swap,
            int flags);

    /**
     * Compares and stores selected bits of the cell; otherwise as {@link #cmpSwap}. Needs
     * {@link Capabilities.Feature#MASKED_ATOMICS}.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param result receives the previous value, with {@link Access#LOCAL_WRITE}
     * @param resultOffset first of its 8 bytes in {@code result}
     * @param remote target, with {@link Access#REMOTE_ATOMIC}
     * @param remoteOffset the cell in {@code remote}, in bytes
     * @param compare the expected value
     * @param swap the new value
     * @param compareMask the bits to compare; 0 always matches
     * @param swapMask the bits to store; the others keep their value
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}
     */
    int maskedCmpSwap(
            long wrId,
            RegisteredBuffer result,
            long resultOffset,
            RemoteBuffer remote,
            long remoteOffset,
            long compare,
            long swap,
            long compareMask,
            long swapMask,
            int flags);

    /**
     * Stores {@code value} in a 64-bit cell of the peer's memory unconditionally; the previous value lands in
     * {@code result} in native byte order. One atomic operation in one round trip, never emulated; it completes as
     * {@link WcOpcode#CMP_SWAP}.
     *
     * <p>RFC 7306 has no Swap: this is its CmpSwap (§5.1.2) with compare mask 0 and every bit in the swap mask. The
     * predecessor draft-ietf-storm-rdmap-ext-01 §5.1.2 has one, AOpCode 1, which provider {@code iwarp} sends on
     * connections with the option {@code draft.swap} ({@link ConnectionConfig#options()}). RFC 7306 reserves that code:
     * a peer without the option terminates the stream, and the request completes with
     * {@link WcStatus#REMOTE_INVALID_REQUEST}.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param result receives the previous value, with {@link Access#LOCAL_WRITE}
     * @param resultOffset first of its 8 bytes in {@code result}
     * @param remote target, with {@link Access#REMOTE_ATOMIC}
     * @param remoteOffset the cell in {@code remote}, in bytes; its remote address must be a multiple of 8
     * @param value the new value
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}
     * @throws IndexOutOfBoundsException if the 8 bytes are not within both buffers
     * @throws IllegalArgumentException if the cell is not aligned, or {@code remote} does not grant the right
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#MASKED_ATOMICS};
     *     {@link EmulatedMaskedAtomics#swap} emulates the operation over CmpSwap
     */
    int swap(
            long wrId,
            RegisteredBuffer result,
            long resultOffset,
            RemoteBuffer remote,
            long remoteOffset,
            long value,
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
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @param access the rights of peers ({@code bind_mw.bind_info.mw_access_flags})
     * @return a {@link PostStatus}
     * @throws UnsupportedOperationException if the device lacks memory windows, naming device and capability; or if
     *     this is a {@link Batch} and the driver binds windows of this type by a separate call
     * @throws IllegalArgumentException if the window or the buffer is of another domain, or {@code access} contains a
     *     right that is not a peer's
     * @throws IllegalStateException if the queue pair, the window or the buffer is closed
     * @throws IndexOutOfBoundsException if the range is not within the buffer
     */
    int bind(
            long wrId,
            MemoryWindow window,
            RegisteredBuffer buffer,
            long offset,
            long length,
            int flags,
            Access... access);

    /**
     * Invalidates an rkey of this side: {@code IBV_WR_LOCAL_INV}. Once the request completes, no peer can use the key.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param rkey the key, 32 bits ({@code invalidate_rkey})
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE}
     * @return a {@link PostStatus}
     */
    int localInvalidate(long wrId, int rkey, int flags);

    /**
     * Returns a view of this queue whose requests name the peer's shared receive queue {@code number}:
     * {@code qp_type.xrc.remote_srqn}. Queue pairs of type {@link QueuePairType#XRC_SEND} post through such views only.
     * Writes, Reads and atomics name one as well; the peer's memory must be in its protection domain.
     *
     * <p>Creating a view allocates, posting through it does not. Any number of views may be kept and used side by side;
     * a view of a {@link Batch} collects in that batch.
     *
     * @param number 24 bits, {@code XrcSharedReceiveQueue.number()} of the peer
     * @throws IllegalArgumentException if {@code number} exceeds 24 bits
     * @throws UnsupportedOperationException if the queue pair is not of type XRC_SEND
     */
    default SendQueue toSharedReceiveQueue(int number) {
        throw new UnsupportedOperationException(
                "the queue pair cannot address a shared receive queue; remedy: create it with type XRC_SEND on a"
                        + " device with XRC (ibverbs on InfiniBand or RoCE)");
    }
}

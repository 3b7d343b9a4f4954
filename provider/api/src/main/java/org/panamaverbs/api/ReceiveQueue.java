package org.panamaverbs.api;

import org.panamaverbs.memory.RegisteredBuffer;

/**
 * Posts receives: implemented by a {@link QueuePair} with its own receive queue, and by a {@link SharedReceiveQueue}.
 * Any thread may post; posting allocates nothing. The memory of a receive belongs to the provider until its completion
 * is polled. {@link PostStatus} has the order in which several faults of one post are reported.
 *
 * <p>A message that finds no posted receive ends the connection on iWARP, although its sender's completion may be a
 * success; on InfiniBand and RoCE the sender retries, and fails with {@link WcStatus#RNR_RETRY_EXCEEDED} in the end.
 * The application limits what it sends to the receives that the peer has posted (credits).
 */
public interface ReceiveQueue {
    /**
     * Posts a receive into a raw scatter/gather entry (SGE): {@code ibv_post_recv(3)} or {@code ibv_post_srq_recv(3)}.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()} ({@code wr_id})
     * @param address the local address ({@code sg_list->addr})
     * @param length bytes, from 0 to 2^32-1; a longer message fails with {@link WcStatus#LOCAL_LENGTH_ERROR}
     *     ({@code sg_list->length})
     * @param lkey the local key of memory with {@code LOCAL_WRITE} ({@code sg_list->lkey})
     * @return a {@link PostStatus}
     * @throws IllegalStateException if the queue is closed, or is a queue pair with a shared receive queue
     */
    @CheckReturnValue
    int postRecv(long wrId, long address, long length, int lkey);

    /**
     * Posts a receive that scatters into {@code list}; otherwise as {@link #postRecv(long, long, long, int)}.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param list the SGEs, from none up to {@link QueuePairConfig#maxRecvSge()}; copied by the post
     * @return a {@link PostStatus}
     */
    @CheckReturnValue
    int postRecv(long wrId, SgList list);

    /**
     * Posts {@code count} receives of {@code list} in their order, with as few doorbells as the device allows: a chain
     * of {@code ibv_recv_wr.next}. The list is the caller's again when this returns.
     *
     * <p>If the queue has room for a part only, or refuses one receive, those before it are posted and the rest is not.
     * The next call, with the rest, either makes progress or returns the reason:
     *
     * <pre>{@code
     * for (int next = 0; next < list.count(); ) {
     *     int taken = queuePair.postRecv(list, next, list.count() - next);
     *     if (taken == PostStatus.QUEUE_FULL) {
     *         poll(queue);                     // messages that take receives make room
     *     } else {
     *         next += PostStatus.check(taken); // throws if the receive at next is at fault
     *     }
     * }
     * }</pre>
     *
     * @param list the receives
     * @param first index of the first receive to post, from 0
     * @param count receives to post, from 0
     * @return the number posted, possibly fewer than {@code count}; 0 if {@code count} is 0; or, if none was posted,
     *     the negative {@link PostStatus} of the receive at {@code first}
     * @throws IndexOutOfBoundsException if the range is not within the list; nothing was posted
     * @throws IllegalStateException if the queue is closed, or is a queue pair with a shared receive queue
     */
    @CheckReturnValue
    int postRecv(ReceiveList list, int first, int count);

    /**
     * Posts a receive into {@code length} bytes of {@code buffer} from {@code offset}.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param buffer memory of the queue's protection domain, with {@code LOCAL_WRITE}
     * @param offset first byte in {@code buffer}
     * @param length bytes, from 0 to 2^32-1
     * @return a {@link PostStatus}
     * @throws IndexOutOfBoundsException if the range is not within {@code buffer}
     * @throws IllegalStateException if the buffer or the queue is closed, or the queue is a queue pair with a shared
     *     receive queue
     */
    @CheckReturnValue
    default int recv(long wrId, RegisteredBuffer buffer, long offset, long length) {
        return postRecv(wrId, buffer.checkedAddress(offset, length), length, buffer.lkey());
    }

    /**
     * Posts a receive that scatters into {@code list}; as {@link #postRecv(long, SgList)}.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param list the SGEs, from none, which is enough for immediate data, up to {@link QueuePairConfig#maxRecvSge()};
     *     copied by the post
     * @return a {@link PostStatus}
     */
    @CheckReturnValue
    default int recv(long wrId, SgList list) {
        return postRecv(wrId, list);
    }

    /**
     * Posts a receive into the whole of {@code buffer}; otherwise as with a range.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param buffer memory of the queue's protection domain, with {@code LOCAL_WRITE}
     * @return a {@link PostStatus}
     */
    @CheckReturnValue
    default int recv(long wrId, RegisteredBuffer buffer) {
        return recv(wrId, buffer, 0, buffer.length());
    }

    /**
     * Posts the receives of {@code list}, as many as fit; otherwise as {@link #postRecv(ReceiveList, int, int)}.
     *
     * @return the number posted, or a negative {@link PostStatus} if none was
     */
    @CheckReturnValue
    default int recv(ReceiveList list) {
        return postRecv(list, 0, list.count());
    }

    /**
     * Posts all receives of {@code list}, or throws; for code that cannot handle a refusal.
     *
     * @param list the receives
     * @return the number posted, {@link ReceiveList#count()}
     * @throws IllegalStateException if not all were posted, with the number posted and the reason; or if the queue is
     *     closed, or is a queue pair with a shared receive queue
     */
    default int recvAll(ReceiveList list) {
        int all = list.count();
        int taken = 0;
        while (taken < all) {
            int status = postRecv(list, taken, all - taken);
            if (status <= 0) {
                throw new IllegalStateException("post: only " + taken + " of " + all + " receives of the list were"
                        + " posted; the others were refused: " + PostStatus.text(status));
            }
            taken += status;
        }
        return taken;
    }
}

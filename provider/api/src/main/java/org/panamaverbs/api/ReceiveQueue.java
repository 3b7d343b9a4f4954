package org.panamaverbs.api;

import org.panamaverbs.memory.RegisteredBuffer;

/**
 * Where receives are posted: a {@link QueuePair} without, or a {@link SharedReceiveQueue}. {@link PostStatus} says
 * which of several faults a post reports.
 */
public interface ReceiveQueue {
    /**
     * Posts a receive into {@code length} bytes at {@code address} under {@code lkey} ({@code ibv_post_recv(3)}). The
     * memory belongs to the provider until the completion.
     *
     * @return a {@link PostStatus}
     * @throws IllegalStateException if the queue is closed, or if a queue pair uses a shared receive queue
     */
    @CheckReturnValue
    int postRecv(long wrId, long address, long length, int lkey);

    /**
     * Posts a receive that scatters into {@code list}, which may be empty; otherwise as {@link #postRecv(long, long,
     * long, int)}.
     */
    @CheckReturnValue
    int postRecv(long wrId, SgList list);

    /**
     * Posts {@code count} receives of {@code list}, from the one at index {@code first} on, in their order: a chain of
     * {@code ibv_post_recv(3)} or {@code ibv_post_srq_recv(3)}. Each is posted as {@link #postRecv(long, SgList)} does
     * it, but the queue is entered once, and there are as few doorbells as the device allows. Their memory belongs to
     * the provider until their completions, the list to the caller as soon as this returns.
     *
     * <p>The queue may have room for a part only, or refuse one of them. Those before it are posted then, and neither
     * it nor those behind it are. The next call, with the rest, answers why, unless it goes on because there is room
     * now:
     *
     * <pre>{@code
     * for (int next = 0; next < list.count(); ) {
     *     int taken = queuePair.postRecv(list, next, list.count() - next);
     *     if (taken == PostStatus.QUEUE_FULL) {
     *         poll(queue);                     // messages that take receives make room
     *     } else {
     *         next += PostStatus.check(taken); // otherwise the receive at next is at fault
     *     }
     * }
     * }</pre>
     *
     * @return how many were taken, from {@code first} on, which may be fewer than {@code count}; 0 if {@code count} is
     *     0; or a negative {@link PostStatus}, of the receive at {@code first}, if none was taken
     * @throws IndexOutOfBoundsException if they are not within the list; nothing was posted
     * @throws IllegalStateException if the queue is closed, or if a queue pair uses a shared receive queue
     */
    @CheckReturnValue
    int postRecv(ReceiveList list, int first, int count);

    /**
     * Posts a receive into {@code length} bytes of {@code buffer} from {@code offset}.
     *
     * @return a {@link PostStatus}
     * @throws IndexOutOfBoundsException if they are not within the buffer
     * @throws IllegalStateException if the buffer or the queue is closed
     */
    @CheckReturnValue
    default int recv(long wrId, RegisteredBuffer buffer, long offset, long length) {
        return postRecv(wrId, buffer.checkedAddress(offset, length), length, buffer.lkey());
    }

    /** Posts a receive into the whole of {@code buffer}. */
    @CheckReturnValue
    default int recv(long wrId, RegisteredBuffer buffer) {
        return recv(wrId, buffer, 0, buffer.length());
    }

    /**
     * Posts the receives of {@code list}, as many as are taken.
     *
     * @return how many were taken, or a negative {@link PostStatus}, as {@link #postRecv(ReceiveList, int, int)}
     *     answers
     * @throws IllegalStateException if the queue is closed, or if a queue pair uses a shared receive queue
     */
    @CheckReturnValue
    default int recv(ReceiveList list) {
        return postRecv(list, 0, list.count());
    }

    /**
     * Posts all receives of {@code list}, or throws; for code that has no answer to a refusal.
     *
     * @return how many
     * @throws IllegalStateException if not all were taken: it says how many are posted and why the rest is not; or if
     *     the queue is closed, or if a queue pair uses a shared receive queue
     */
    default int recvAll(ReceiveList list) {
        int all = list.count();
        int taken = 0;
        while (taken < all) {
            int status = postRecv(list, taken, all - taken);
            if (status <= 0) {
                throw new IllegalStateException("the list was taken in part: " + taken + " of " + all
                        + " receives are posted, the others refused: " + PostStatus.text(status));
            }
            taken += status;
        }
        return taken;
    }
}

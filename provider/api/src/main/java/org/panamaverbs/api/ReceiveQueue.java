package org.panamaverbs.api;

import org.panamaverbs.memory.RegisteredBuffer;

/** Where receives are posted: a {@link QueuePair} without, or a {@link SharedReceiveQueue}. */
public interface ReceiveQueue {
    /**
     * Posts a receive into {@code length} octets at {@code address} under {@code lkey} ({@code ibv_post_recv(3)}). The
     * memory belongs to the provider until the completion.
     *
     * @return a {@link PostStatus}
     * @throws IllegalStateException if the queue is closed, or if a queue pair uses a shared receive queue
     */
    int postRecv(long wrId, long address, long length, int lkey);

    /**
     * Posts a receive that scatters into {@code list}, which may be empty; otherwise as {@link #postRecv(long, long,
     * long, int)}.
     */
    int postRecv(long wrId, SgList list);

    /**
     * Posts a receive into {@code length} octets of {@code buffer} from {@code offset}.
     *
     * @return a {@link PostStatus}
     * @throws IndexOutOfBoundsException if they are not within the buffer
     * @throws IllegalStateException if the buffer or the queue is closed
     */
    default int recv(long wrId, RegisteredBuffer buffer, long offset, long length) {
        return postRecv(wrId, buffer.checkedAddress(offset, length), length, buffer.lkey());
    }

    /** Posts a receive into the whole of {@code buffer}. */
    default int recv(long wrId, RegisteredBuffer buffer) {
        return recv(wrId, buffer, 0, buffer.length());
    }
}

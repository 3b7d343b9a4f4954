package org.panamaverbs.api;

import java.util.Optional;
import java.util.OptionalInt;

/** Where armed completion queues raise events, {@code struct ibv_comp_channel}. */
public interface CompletionChannel extends AutoCloseable {
    /**
     * Waits for an event and takes it ({@code ibv_get_cq_event(3)}, acknowledged at once).
     *
     * @return the queue that raised it, empty if the deadline passed
     * @throws IllegalStateException if the channel is closed, also while waiting
     * @throws WaitInterruptedException if the thread is interrupted, before or while it waits; the interrupt flag stays
     *     set, and no event is lost
     */
    Optional<CompletionQueue> await(Deadline deadline);

    /** Returns the channel's file descriptor where there is one, to be watched by poll(2) or epoll(7), never read. */
    OptionalInt fileDescriptor();

    /**
     * Destroys the channel.
     *
     * @throws IllegalStateException naming the completion queues that still use it
     */
    @Override
    void close();
}

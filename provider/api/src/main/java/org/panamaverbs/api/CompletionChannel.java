package org.panamaverbs.api;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * A channel on which armed completion queues raise events, {@code struct ibv_comp_channel}. Any thread may call any
 * method.
 */
public interface CompletionChannel extends AutoCloseable {
    /**
     * Waits until there is an event and takes it: {@code ibv_get_cq_event(3)}, acknowledged at once.
     *
     * @param deadline until when to wait
     * @return the queue that raised the event, empty if the deadline passed
     * @throws IllegalStateException if the channel is closed, also during the wait
     * @throws WaitInterruptedException if the thread is interrupted before or during the wait; the interrupt flag stays
     *     set, and no event is lost
     */
    Optional<CompletionQueue> await(Deadline deadline);

    /**
     * Returns the channel's file descriptor, empty if there is none. Watch it with poll(2) or epoll(7), never read it.
     */
    OptionalInt fileDescriptor();

    /**
     * Destroys the channel.
     *
     * @throws IllegalStateException if completion queues still use it, naming them
     */
    @Override
    void close();
}

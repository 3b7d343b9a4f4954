package org.panamaverbs.api;

/**
 * A completion queue, {@code struct ibv_cq}. The guide's page {@code learn/signaling} says how large one is to be and
 * who may poll.
 */
public interface CompletionQueue extends AutoCloseable {
    /**
     * Takes up to {@link WorkCompletions#capacity()} completions ({@code ibv_poll_cq(3)}). Drives the provider's
     * progress on this thread where the provider needs that. Does not wait and allocates nothing.
     *
     * @param completions is filled with as many as the answer says; the rest of it is undefined
     * @return how many completions were taken, 0 if there are none
     * @throws IllegalStateException if the queue is closed, or was overrun: then completions are lost and all its queue
     *     pairs are in the error state
     */
    int poll(WorkCompletions completions);

    /**
     * Polls until there is a completion, and lets other threads run now and then as {@link CompletionWait#pause} does.
     * A virtual thread occupies its carrier between these pauses: let it wait by a {@link CompletionWait} or an
     * {@link EventQueue} where that may be long.
     *
     * @return how many completions were taken, at least 1
     * @throws DeadlineExceededException if there was none before the deadline
     * @throws WaitInterruptedException if the thread is interrupted and there is none, before or while it polls; the
     *     interrupt flag stays set, and nothing was taken
     */
    default int poll(WorkCompletions completions, Deadline deadline) {
        int count = CompletionWait.spin("poll", this, completions, Long.MAX_VALUE, deadline);
        if (count == 0) {
            throw new DeadlineExceededException("poll", "no completion before the deadline");
        }
        return count;
    }

    /**
     * Asks for one event on the channel when the next completion comes ({@code ibv_req_notify_cq(3)}). Poll once more
     * after arming: a completion that came before raises none.
     *
     * @param solicitedOnly true for events only by solicited receives and errors
     * @throws IllegalStateException if the queue has no channel, is closed or was overrun
     */
    void arm(boolean solicitedOnly);

    /** Returns how many completions it can hold. */
    int capacity();

    /**
     * Resizes the queue to hold {@code newCapacity} completions ({@code ibv_resize_cq(3)}).
     *
     * @throws UnsupportedOperationException if the device cannot
     * @throws IllegalArgumentException if {@code newCapacity} is not from 1 to {@link Capabilities#maxCqe()}
     * @throws IllegalStateException if the queue is closed
     * @throws ResourceException if it holds more completions than that now
     */
    void resize(int newCapacity);

    /**
     * Sets event moderation ({@code ibv_modify_cq(3)}): an event after {@code count} completions or {@code micros}
     * microseconds.
     *
     * @throws UnsupportedOperationException if the device cannot
     */
    void moderate(int count, int micros);

    /**
     * Destroys the completion queue.
     *
     * @throws IllegalStateException naming the queue pairs that still use it
     */
    @Override
    void close();
}

package org.panamaverbs.api;

import org.panamaverbs.api.device.Capabilities;

/**
 * A completion queue, {@code struct ibv_cq}. The guide's page {@code learn/signaling} says how to size it and which
 * threads may poll.
 */
public interface CompletionQueue extends AutoCloseable {
    /**
     * Takes up to {@link WorkCompletions#capacity()} completions, without waiting: {@code ibv_poll_cq(3)}. Allocates
     * nothing. If the provider needs a thread to make progress, this call lends its own.
     *
     * @param completions receives the completions; entries beyond the result are undefined
     * @return the number of completions taken, 0 if there are none
     * @throws IllegalStateException if the queue is closed, or was overrun: then completions are lost, and its queue
     *     pairs are in the error state
     */
    int poll(WorkCompletions completions);

    /**
     * Polls until there is a completion, and yields to other threads from time to time as {@link CompletionWait#pause}
     * does. A virtual thread occupies its carrier between these pauses: for long waits use {@link CompletionWait} or
     * {@link EventQueue}.
     *
     * @param completions receives the completions; entries beyond the result are undefined
     * @param deadline until when to wait
     * @return the number of completions taken, at least 1
     * @throws DeadlineExceededException if there was none before the deadline
     * @throws WaitInterruptedException if the thread is interrupted before or during the wait and there is no
     *     completion; the interrupt flag stays set, and nothing was taken
     * @throws IllegalStateException if the queue is closed, or was overrun
     */
    default int poll(WorkCompletions completions, Deadline deadline) {
        int count = CompletionWait.spin("poll", this, completions, Long.MAX_VALUE, deadline);
        if (count == 0) {
            throw new DeadlineExceededException("poll", "no completion before the deadline");
        }
        return count;
    }

    /**
     * Requests one event on the channel for the next completion: {@code ibv_req_notify_cq(3)}. Poll once more after
     * arming: a completion that came before raises no event.
     *
     * @param solicitedOnly true for events on solicited receives and errors only
     * @throws IllegalStateException if the queue has no channel, is closed or was overrun
     */
    void arm(boolean solicitedOnly);

    /** Returns how many completions the queue can hold ({@code cqe}). */
    int capacity();

    /**
     * Resizes the queue: {@code ibv_resize_cq(3)}.
     *
     * @param newCapacity completions, from 1 to {@link Capabilities#maxCqe()}
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#CQ_RESIZE}
     * @throws IllegalArgumentException if {@code newCapacity} is out of range
     * @throws IllegalStateException if the queue is closed
     * @throws ResourceException if the queue holds more completions than {@code newCapacity} now
     */
    void resize(int newCapacity);

    /**
     * Sets event moderation: an event after {@code count} completions or {@code micros} microseconds
     * ({@code ibv_modify_cq(3)}).
     *
     * @param count completions, from 0 to 65,535 ({@code moderate.cq_count})
     * @param micros microseconds, from 0 to 65,535 ({@code moderate.cq_period})
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#CQ_MODERATION}
     * @throws IllegalArgumentException if a number is out of range
     * @throws IllegalStateException if the queue is closed
     */
    void moderate(int count, int micros);

    /**
     * Destroys the completion queue.
     *
     * @throws IllegalStateException if queue pairs still use it, naming them
     */
    @Override
    void close();
}

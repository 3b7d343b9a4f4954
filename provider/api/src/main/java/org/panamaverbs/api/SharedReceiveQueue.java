package org.panamaverbs.api;

/** A receive queue shared by queue pairs of one protection domain, {@code struct ibv_srq}. */
public interface SharedReceiveQueue extends ReceiveQueue, AutoCloseable {
    /** Returns what it was created with, or resized to. */
    SharedReceiveQueueConfig config();

    /**
     * Returns how many receives are posted and not taken by a message yet. Verbs has no such query, so that only a
     * device which is software in this process tells (provider iwarp); the others do not (provider ibverbs). What works
     * with every device is {@link #armLimit}, or counting what is posted and what completes.
     *
     * @throws UnsupportedOperationException if the device does not tell
     * @throws IllegalStateException if the queue is closed
     */
    int available();

    /**
     * Resizes the queue to {@code newMaxWr} outstanding receives ({@code ibv_modify_srq(3)} with
     * {@code IBV_SRQ_MAX_WR}). The receives that it holds stay, in their order, and messages take them meanwhile; so
     * does the limit that is armed.
     *
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#SRQ_RESIZE}
     * @throws IllegalArgumentException if {@code newMaxWr} is not from 1 to {@link Capabilities#maxSrqWr()}
     * @throws IllegalStateException if the queue is closed
     * @throws ResourceException if it holds more receives than that now, or a greater limit is armed; it stays as it
     *     was
     */
    void resize(int newMaxWr);

    /**
     * Arms the limit event: when fewer than {@code limit} receives are left, one
     * {@link AsyncEvent.Type#SRQ_LIMIT_REACHED} is raised and the limit is disarmed ({@code ibv_modify_srq(3)} with
     * {@code IBV_SRQ_LIMIT}). 0 disarms.
     *
     * @throws IllegalArgumentException if {@code limit} is negative or above {@code maxWr}
     * @throws IllegalStateException if the queue is closed
     */
    void armLimit(int limit);

    /**
     * Returns the armed limit, 0 if it is not armed.
     *
     * @throws IllegalStateException if the queue is closed
     */
    int limit();

    /**
     * Destroys the queue.
     *
     * @throws IllegalStateException naming the queue pairs that still use it
     */
    @Override
    void close();
}

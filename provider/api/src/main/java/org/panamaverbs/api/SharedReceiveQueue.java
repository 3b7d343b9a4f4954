package org.panamaverbs.api;

import org.panamaverbs.api.device.Capabilities;

/**
 * A receive queue shared by queue pairs of one protection domain, {@code struct ibv_srq}.
 *
 * <p>Before one of these queue pairs is closed, wait for its {@link AsyncEvent.Type#QP_LAST_WQE_REACHED} and poll its
 * completion queue until it is empty: receives that its messages took and that were not polled are lost otherwise.
 */
public interface SharedReceiveQueue extends ReceiveQueue, AutoCloseable {
    /** Returns the configuration it was created with or resized to. */
    SharedReceiveQueueConfig config();

    /**
     * Returns how many posted receives no message has taken yet. The verbs have no such query: only provider iwarp
     * supports it. {@link #armLimit}, or counting posts and completions, works on every device.
     *
     * @throws UnsupportedOperationException if the provider does not know it
     * @throws IllegalStateException if the queue is closed
     */
    int available();

    /**
     * Resizes the queue: {@code ibv_modify_srq(3)} with {@code IBV_SRQ_MAX_WR}. Its receives keep their order, messages
     * take them meanwhile, and an armed limit stays armed.
     *
     * @param newMaxWr outstanding receives, from 1 to {@link Capabilities#maxSrqWr()}
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#SRQ_RESIZE}
     * @throws IllegalArgumentException if {@code newMaxWr} is out of range
     * @throws IllegalStateException if the queue is closed
     * @throws ResourceException if the queue holds more receives, or a greater limit is armed; the queue is unchanged
     */
    void resize(int newMaxWr);

    /**
     * Arms the limit event: {@code ibv_modify_srq(3)} with {@code IBV_SRQ_LIMIT}. When fewer than {@code limit}
     * receives are left, one {@link AsyncEvent.Type#SRQ_LIMIT_REACHED} is raised and the limit is disarmed.
     *
     * @param limit receives, from 1 to {@code maxWr}; 0 disarms
     * @throws IllegalArgumentException if {@code limit} is out of range
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
     * @throws IllegalStateException if queue pairs still use it, naming them
     */
    @Override
    void close();
}

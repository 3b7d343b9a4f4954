package org.panamaverbs.api.ext;

/**
 * A flow rule in force, {@code struct ibv_flow}, created by {@link org.panamaverbs.api.QueuePair#flow}. Close it before
 * the queue pair. Any thread may call any method.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_flow.3.html">ibv_create_flow(3)</a>
 */
public interface Flow extends AutoCloseable {
    /** Returns the rule. */
    FlowRule rule();

    /**
     * Ends the rule: {@code ibv_destroy_flow(3)}. No more packets match; those in the receive queue stay.
     *
     * @throws org.panamaverbs.api.ResourceException if the device refuses; the call can be repeated
     */
    @Override
    void close();
}

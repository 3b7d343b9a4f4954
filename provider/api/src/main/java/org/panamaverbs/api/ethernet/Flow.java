package org.panamaverbs.api.ethernet;

/**
 * A rule that is in force, {@code struct ibv_flow}; made by {@link org.panamaverbs.api.QueuePair#flow}. The queue pair
 * cannot be closed before its flows. All methods may be called by any thread.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_flow.3.html">ibv_create_flow(3)</a>
 */
public interface Flow extends AutoCloseable {
    /** Returns the rule. */
    FlowRule rule();

    /**
     * Ends the rule ({@code ibv_destroy_flow(3)}): no more packets come by it, and those in the receive queue stay.
     *
     * @throws org.panamaverbs.api.ResourceException if the device refuses; it can be tried again
     */
    @Override
    void close();
}

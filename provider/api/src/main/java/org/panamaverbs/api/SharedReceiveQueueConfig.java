package org.panamaverbs.api;

/**
 * What a shared receive queue is created with, {@code struct ibv_srq_init_attr}.
 *
 * @param maxWr outstanding receives, 1 to {@link Capabilities#maxSrqWr()}
 * @param maxSge pieces a receive, 1 to {@link Capabilities#maxSrqSge()}
 */
public record SharedReceiveQueueConfig(int maxWr, int maxSge) {
    /** Returns a configuration with up to 4 pieces a receive. */
    public static SharedReceiveQueueConfig of(int maxWr) {
        return new SharedReceiveQueueConfig(maxWr, 4);
    }
}

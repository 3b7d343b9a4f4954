package org.panamaverbs.api;

/**
 * The path that a connected queue pair changes to when its own fails, or when it is told to: {@code IBV_QP_ALT_PATH}.
 * Needs {@link Capabilities.Feature#PATH_MIGRATION}.
 *
 * @param address the way to the peer, and the port from here
 * @param pkeyIndex the index of the partition key in that port's table
 * @param timeout as {@link QueuePairAttributes.Field#TIMEOUT}: 0 to 31
 */
public record AlternatePath(AddressHandleConfig address, int pkeyIndex, int timeout) {
    private static final int MOST_INDEX = 0xFFFF;
    private static final int MOST_TIMEOUT = 31;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a number is beyond its range
     */
    public AlternatePath {
        if (pkeyIndex < 0 || pkeyIndex > MOST_INDEX) {
            throw new IllegalArgumentException("pkeyIndex must be 0 to " + MOST_INDEX + ", got " + pkeyIndex);
        }
        if (timeout < 0 || timeout > MOST_TIMEOUT) {
            throw new IllegalArgumentException("timeout must be 0 to " + MOST_TIMEOUT + ", got " + timeout);
        }
    }
}

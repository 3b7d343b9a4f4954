package org.panamaverbs.api.ext;

import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.device.Capabilities;

/**
 * The path that a connected queue pair migrates to when its own fails, or on request: {@code IBV_QP_ALT_PATH}. Needs
 * {@link Capabilities.Feature#PATH_MIGRATION}.
 *
 * @param address the route to the peer, with the local port ({@code alt_ah_attr})
 * @param pkeyIndex the P_Key index in that port's table, from 0 to 65,535 ({@code alt_pkey_index})
 * @param timeout from 0 to 31, as {@link QueuePairAttributes.Field#TIMEOUT} ({@code alt_timeout})
 */
public record AlternatePath(AddressHandleConfig address, int pkeyIndex, int timeout) {
    private static final int MOST_INDEX = 0xFFFF;
    private static final int MOST_TIMEOUT = 31;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a number is out of range
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

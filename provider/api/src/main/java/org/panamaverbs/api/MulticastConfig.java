package org.panamaverbs.api;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * How a multicast group is joined.
 *
 * @param localAddress the address of the device's network interface to join from, null to have the routing tables
 *     choose ({@code ip route get GROUP})
 * @param sendOnly true to send to the group and receive nothing ({@code RDMA_MC_JOIN_FLAG_SENDONLY_FULLMEMBER}); on
 *     InfiniBand the subnet manager must know that kind of member
 */
public record MulticastConfig(@Nullable InetAddress localAddress, boolean sendOnly) {
    /** Returns a full membership through the interface that the routing tables choose. */
    public static MulticastConfig defaults() {
        return new MulticastConfig(null, false);
    }

    /** Returns a copy that joins from {@code address}. */
    public MulticastConfig withLocalAddress(InetAddress address) {
        return new MulticastConfig(address, sendOnly);
    }

    /** Returns a copy for sending alone, or for both. */
    public MulticastConfig withSendOnly(boolean only) {
        return new MulticastConfig(localAddress, only);
    }
}

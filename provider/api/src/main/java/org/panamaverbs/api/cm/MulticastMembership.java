package org.panamaverbs.api.cm;

import java.net.InetAddress;
import org.panamaverbs.api.DatagramDestination;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.Verbs;

/**
 * A queue pair's membership of a multicast group, created by {@link Verbs#joinMulticast}. Datagrams to this destination
 * reach all members, including the queue pair itself if the device loops back. Close memberships before the queue pair.
 */
public interface MulticastMembership extends DatagramDestination {
    /** Returns the queue pair. */
    QueuePair queuePair();

    /** Returns the group. */
    InetAddress group();

    /** Returns the group's LID on InfiniBand; 0 or meaningless on Ethernet. */
    int lid();

    /** Returns whether the membership is valid; false after {@code RDMA_CM_EVENT_MULTICAST_ERROR}: join again. */
    boolean isJoined();

    /** Detaches the queue pair and leaves the group: {@code rdma_leave_multicast(3)}. */
    @Override
    void close();
}

package org.panamaverbs.api;

import java.net.InetAddress;

/**
 * A queue pair's membership of a multicast group, made by {@link Verbs#joinMulticast}. What is sent to this destination
 * reaches all members, the queue pair itself included where the device loops back. The queue pair cannot be closed
 * before its memberships.
 */
public interface MulticastMembership extends DatagramDestination {
    /** Returns the queue pair. */
    QueuePair queuePair();

    /** Returns the group. */
    InetAddress group();

    /** Returns the group's LID on InfiniBand, 0 or without meaning on Ethernet. */
    int lid();

    /** Returns whether the membership stands; false also after {@code RDMA_CM_EVENT_MULTICAST_ERROR}: join again. */
    boolean isJoined();

    /** Detaches the queue pair and leaves the group ({@code rdma_leave_multicast(3)}). */
    @Override
    void close();
}

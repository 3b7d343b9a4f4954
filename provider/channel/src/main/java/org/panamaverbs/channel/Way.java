package org.panamaverbs.channel;

import org.panamaverbs.api.device.Capabilities;

/** How a channel carries its messages. Both ways have the same flow control, and both ends use the same one. */
public enum Way {
    /**
     * Sends into receives of the subscriber. For every device. A message longer than a receive is written into a ring
     * of the subscriber, and announced by a Send.
     */
    SENDS(1),
    /**
     * RDMA Writes with immediate data into a ring of the subscriber's memory, and receives of 32 bytes, for credits.
     * Needs {@link Capabilities.Feature#WRITE_WITH_IMMEDIATE} on both sides.
     */
    RING(2);

    /** The number in private data. */
    final int number;

    Way(int number) {
        this.number = number;
    }
}

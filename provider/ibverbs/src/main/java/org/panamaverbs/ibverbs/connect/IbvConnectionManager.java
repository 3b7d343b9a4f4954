package org.panamaverbs.ibverbs.connect;

import java.net.InetSocketAddress;
import java.util.List;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.ibverbs.cm.CmContext;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;

/**
 * Connects the queue pairs of one open device through librdmacm. Nothing of it is started before the first connection
 * or listener. All methods may be called by any thread.
 *
 * <p>The ids of librdmacm belong to device handles of its own; they are used for addresses, routes and messages only.
 * The queue pairs are the application's, made on its own device handle, and are named to the kernel by their numbers.
 *
 * <p>Private data: on InfiniBand and RoCE it arrives padded with zeros, to 56 bytes in a request, 196 in a reply and
 * 148 in a rejection. On iWARP it arrives as it was sent.
 */
public final class IbvConnectionManager {
    private final CmContext context;

    /** Makes the one of {@code context}. */
    public IbvConnectionManager(CmContext context) {
        this.context = context;
    }

    /**
     * Connects {@code queuePair}, which is in state INIT, to {@code address}.
     *
     * @param owned true to have the connection close the queue pair; it is closed too if the attempt fails
     * @throws ConnectionException if the peer cannot be reached, refuses or rejects; the queue pair has failed
     * @throws DeadlineExceededException if it was not connected in time; the attempt was undone, the queue pair has
     *     failed
     * @throws IllegalArgumentException if {@code config} is beyond what the device can
     * @throws IllegalStateException if the queue pair was connected before
     * @throws UnsupportedOperationException if the queue pair is not of type RC
     */
    public Connection connect(
            InetSocketAddress address,
            IbvQueuePair queuePair,
            boolean owned,
            ConnectionConfig config,
            Deadline deadline) {
        return Connector.connect(context, address, queuePair, owned, config, deadline);
    }

    /** Begins to connect as {@link #connect} does, and does not wait. */
    public PendingConnection begin(
            InetSocketAddress address,
            IbvQueuePair queuePair,
            boolean owned,
            ConnectionConfig config,
            Deadline deadline) {
        return Connector.begin(context, address, queuePair, owned, config, deadline);
    }

    /**
     * Listens at {@code address}; port 0 lets the system choose. On a wildcard address only peers that come through
     * this device are heard; others are rejected.
     *
     * @throws ConnectionException if the address cannot be bound or is another device's
     */
    public Listener listen(InetSocketAddress address, ListenerConfig config) {
        return listen(address, config, List.of());
    }

    /**
     * Listens as {@link #listen(InetSocketAddress, ListenerConfig)} does, at a wildcard address for the peers of
     * {@code others} as well.
     *
     * @throws IllegalArgumentException if there are others and the address is none of the wildcard, or a device is
     *     named twice
     */
    public Listener listen(InetSocketAddress address, ListenerConfig config, List<CmContext> others) {
        return others.isEmpty()
                ? IbvListener.open(context, address, config)
                : IbvListener.open(context, others, address, config);
    }
}

package org.panamaverbs.sockets;

import java.io.IOException;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import org.panamaverbs.api.Capabilities;
import org.panamaverbs.api.statistics.QueuePairStatistics;
import org.panamaverbs.sockets.channel.EitherSocketChannel;
import org.panamaverbs.sockets.channel.RdmaSocketChannel;

/**
 * Sockets over RDMA beside those of the JDK in one program: what {@link SocketChannel#open()} and the like are to the
 * provider of the process, these are to {@link RdmaSelectorProvider}. They go by RDMA or not at all: no rules count.
 */
public final class RdmaSockets {
    private static final RdmaSelectorProvider PROVIDER = RdmaSelectorProvider.ofRdmaAlone();

    private RdmaSockets() {}

    /** Opens a channel, see {@link RdmaSelectorProvider#openSocketChannel()}. */
    public static SocketChannel openSocketChannel() throws IOException {
        return PROVIDER.openSocketChannel();
    }

    /** Opens a channel, see {@link RdmaSelectorProvider#openServerSocketChannel()}. */
    public static ServerSocketChannel openServerSocketChannel() throws IOException {
        return PROVIDER.openServerSocketChannel();
    }

    /** Opens a selector, see {@link RdmaSelectorProvider#openSelector()}. */
    public static Selector openSelector() throws IOException {
        return PROVIDER.openSelector();
    }

    /**
     * Returns how {@code channel} goes, for people: what was negotiated, and over what; empty if it is not connected,
     * or not by RDMA.
     */
    public static Optional<String> transport(SocketChannel channel) {
        return switch (channel) {
            case RdmaSocketChannel ours -> Optional.ofNullable(ours.transport());
            case EitherSocketChannel either -> Optional.ofNullable(either.transport());
            default -> Optional.empty();
        };
    }

    /**
     * Returns what the queue pair of {@code channel} has counted, octets and requests of the protocol included, also
     * after it is closed; empty if it was not connected, or not by RDMA.
     *
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#STATISTICS}
     */
    public static Optional<QueuePairStatistics> statistics(SocketChannel channel) {
        return switch (channel) {
            case RdmaSocketChannel ours -> Optional.ofNullable(ours.statistics());
            case EitherSocketChannel either -> Optional.ofNullable(either.statistics());
            default -> Optional.empty();
        };
    }
}

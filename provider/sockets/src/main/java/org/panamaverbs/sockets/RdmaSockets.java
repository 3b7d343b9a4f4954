package org.panamaverbs.sockets;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.QueuePairStatistics;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.sockets.channel.FallbackSocketChannel;
import org.panamaverbs.sockets.channel.RdmaSocketChannel;
import org.panamaverbs.sockets.tcp.IomapSize;

/**
 * Opens RDMA sockets next to those of the JDK in one program, without rules: they use RDMA or fail. For unmodified
 * programs see {@link RdmaSelectorProvider}.
 *
 * <p>Such channels can also write each other's memory, as {@code riomap}, {@code riounmap} and {@code riowrite} of
 * rdma-core's rsockets do, also with C programs that use those: {@link #iomap}, {@link #iowrite}. The peer is not
 * notified: it watches the memory, or waits for later bytes of the stream, which arrive after all earlier writes. The
 * device decides the order of bytes within a write.
 */
public final class RdmaSockets {
    /**
     * The number of mappings of the peer that a channel can write to, from 0 (the default) to 32,512; from 129 on it is
     * rounded down to 128 or a multiple of 256. Set it before the channel is connected; for accepted channels, before
     * the listener is bound. {@code RDMA_IOMAPSIZE} in C.
     */
    public static final SocketOption<Integer> IOMAP_SIZE = IomapSize.RDMA_IOMAPSIZE;

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
     * Maps memory for the peer of {@code channel}, which may write it from now on: {@code riomap} with
     * {@code PROT_WRITE}. The peer learns of the mapping before later bytes of the stream, when it receives those.
     *
     * <p>The memory is borrowed until the result is closed ({@code riounmap}), or the channel was closed and has ended.
     * The peer is not notified of either: a later write to the memory ends the connection. Each call costs a peer in C
     * a credit for good, of about 376 per connection.
     *
     * @param channel a connected channel of this class, or of a provider without rules
     * @param memory native or mapped, 1 to 2^32-1 bytes
     * @param offset the peer's name of the first byte, from 0; where mappings overlap, the peer uses the one whose
     *     entry comes first
     * @return the registered memory; any thread may close it
     * @throws IOException if the peer has no room for another mapping ({@link #IOMAP_SIZE}), or accepts no more data
     * @throws java.nio.channels.NotYetConnectedException if the channel is not connected
     * @throws java.nio.channels.ClosedChannelException if it is closed, or its output is shut down
     * @throws IllegalArgumentException if the memory is on the heap, empty, read-only or too long
     * @throws org.panamaverbs.api.ResourceException if it cannot be registered, with the remedy
     * @throws UnsupportedOperationException if the channel is of another kind
     */
    public static RegisteredBuffer iomap(SocketChannel channel, MemorySegment memory, long offset) throws IOException {
        return ofRdma(channel).iomap(memory, offset);
    }

    /**
     * Writes bytes into memory that the peer of {@code channel} has mapped: {@code riowrite}. They are copied:
     * {@code source} is the caller's again on return. A blocking channel waits until all bytes are written, or all that
     * fit into the peer's mapping.
     *
     * @param channel a connected channel of this class, or of a provider without rules, with {@link #IOMAP_SIZE} set
     * @param source its remaining bytes are written
     * @param offset the peer's name of the first byte to write, from 0
     * @return the bytes written, possibly fewer than remained; 0 if there is no room now and the channel does not block
     * @throws IOException if the peer has no mapping at {@code offset}, or has not announced it yet; or if it accepts
     *     no more data
     * @throws java.nio.channels.NotYetConnectedException if the channel is not connected
     * @throws java.nio.channels.ClosedChannelException if it is closed, also during the call or by an interrupt, or its
     *     output is shut down
     * @throws UnsupportedOperationException if the channel is of another kind
     */
    public static int iowrite(SocketChannel channel, ByteBuffer source, long offset) throws IOException {
        return ofRdma(channel).iowrite(source, offset);
    }

    private static RdmaSocketChannel ofRdma(SocketChannel channel) {
        if (channel instanceof RdmaSocketChannel ours) {
            return ours;
        }
        throw new UnsupportedOperationException(channel
                + " has no mappings; remedy: open it with RdmaSockets, or with an RdmaSelectorProvider without rules");
    }

    /**
     * Returns the transport and the negotiated options of {@code channel}, for people; empty if it is not connected
     * over RDMA.
     */
    public static Optional<String> transport(SocketChannel channel) {
        return switch (channel) {
            case RdmaSocketChannel ours -> Optional.ofNullable(ours.transport());
            case FallbackSocketChannel either -> Optional.ofNullable(either.transport());
            default -> Optional.empty();
        };
    }

    /**
     * Returns the counters of the channel's queue pair, including the protocol's own bytes and requests, also after it
     * is closed; empty if it was not connected over RDMA.
     *
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#STATISTICS}
     */
    public static Optional<QueuePairStatistics> statistics(SocketChannel channel) {
        return switch (channel) {
            case RdmaSocketChannel ours -> Optional.ofNullable(ours.statistics());
            case FallbackSocketChannel either -> Optional.ofNullable(either.statistics());
            default -> Optional.empty();
        };
    }
}

package org.panamaverbs.sockets;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import org.panamaverbs.api.Capabilities;
import org.panamaverbs.api.statistics.QueuePairStatistics;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.sockets.channel.FallbackSocketChannel;
import org.panamaverbs.sockets.channel.RdmaSocketChannel;
import org.panamaverbs.sockets.tcp.IomapSize;

/**
 * Sockets over RDMA beside those of the JDK in one program: what {@link SocketChannel#open()} and the like are to the
 * provider of the process, these are to {@link RdmaSelectorProvider}. They go by RDMA or not at all: no rules count.
 *
 * <p>Beside the bytes of their stream such channels can write each other's memory, as C's {@code riomap},
 * {@code riounmap} and {@code riowrite} have it, and with programs in C on those: {@link #iomap}, {@link #iowrite}. Who
 * is written to learns nothing of it but by the memory itself, or by what comes in the stream afterwards: all that was
 * written before is there then. The order of the bytes of one write is the device's.
 */
public final class RdmaSockets {
    /**
     * How many mappings of its peer a channel can write to, at most 32,512, and from 129 on 128 or the multiple of 256
     * below; without it 0. To be set before the channel is connected; of those that are accepted, before their listener
     * is bound. In C {@code RDMA_IOMAPSIZE}.
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
     * Maps memory for the peer of {@code channel}, who may write it from now on, and nothing but it ({@code riomap} of
     * C with {@code PROT_WRITE}). The peer is told before any bytes of the stream that are written from now on, and
     * takes notice when it takes those.
     *
     * <p>The memory is borrowed until the result is closed ({@code riounmap}), or the channel was closed and has ended.
     * The peer is not told of either: what it writes there afterwards ends the connection. A peer in C loses a credit
     * for each call, for good: of some 376 on one connection.
     *
     * @param channel a connected one of this class, or of a provider without rules
     * @param memory of 1 to 2^32-1 bytes, native or mapped
     * @param offset by which the peer names the first byte, 0 or more; where mappings overlap the peer takes the one
     *     whose entry comes first
     * @return the registered memory, to be closed by any thread
     * @throws IOException if the peer has no room for another mapping, as its {@link #IOMAP_SIZE} says, or takes
     *     nothing any more
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
     * Writes bytes into memory that the peer of {@code channel} has mapped ({@code riowrite} of C); they are copied,
     * and {@code source} is the caller's again. A channel in blocking mode waits for room until all are written, or all
     * that the peer has mapped there in one piece.
     *
     * @param channel a connected one of this class, or of a provider without rules, whose {@link #IOMAP_SIZE} was set
     * @param source whose remaining bytes are written
     * @param offset by which the peer has named the first byte that is written, 0 or more
     * @return bytes written, which may be fewer, or 0 if there is no room now and the channel does not block
     * @throws IOException if the peer has mapped nothing at {@code offset}, or has not said so yet; or if it takes
     *     nothing any more
     * @throws java.nio.channels.NotYetConnectedException if the channel is not connected
     * @throws java.nio.channels.ClosedChannelException if it is closed, also meanwhile or by an interrupt, or its
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
                + " has no mappings; remedy: open it by RdmaSockets, or by a RdmaSelectorProvider without rules");
    }

    /**
     * Returns how {@code channel} goes, for people: what was negotiated, and over what; empty if it is not connected,
     * or not by RDMA.
     */
    public static Optional<String> transport(SocketChannel channel) {
        return switch (channel) {
            case RdmaSocketChannel ours -> Optional.ofNullable(ours.transport());
            case FallbackSocketChannel either -> Optional.ofNullable(either.transport());
            default -> Optional.empty();
        };
    }

    /**
     * Returns what the queue pair of {@code channel} has counted, bytes and requests of the protocol included, also
     * after it is closed; empty if it was not connected, or not by RDMA.
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

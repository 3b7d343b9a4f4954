package org.panamaverbs.bench.loopback.exchange;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Two connected sockets that do not block and do not wait for more to send.
 *
 * @param here this side
 * @param there the peer
 */
public record TcpPair(SocketChannel here, SocketChannel there) implements AutoCloseable {
    public static TcpPair connect() throws IOException {
        try (ServerSocketChannel server = listen()) {
            return connect(server);
        }
    }

    /** Listens at a port of the system's choice. */
    public static ServerSocketChannel listen() throws IOException {
        return ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /** Connects two, of which one is accepted from {@code server}. */
    public static TcpPair connect(ServerSocketChannel server) throws IOException {
        SocketChannel here = SocketChannel.open(server.getLocalAddress());
        try {
            return new TcpPair(spinning(here), spinning(server.accept()));
        } catch (IOException e) {
            here.close();
            throw e;
        }
    }

    /**
     * Connects {@code count} sockets to {@code port}; if that is 0 listens, tells the process that started this one,
     * and accepts as many.
     */
    public static List<SocketChannel> ends(int count, int port) throws IOException {
        List<SocketChannel> ends = new ArrayList<>();
        if (port != 0) {
            while (ends.size() < count) {
                ends.add(spinning(SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))));
            }
            return ends;
        }
        try (ServerSocketChannel listener = listen()) {
            End.listening(((InetSocketAddress) listener.getLocalAddress()).getPort());
            while (ends.size() < count) {
                ends.add(spinning(listener.accept()));
            }
            return ends;
        }
    }

    private static SocketChannel spinning(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        return channel;
    }

    /** Reads what there is into {@code buffer}, and returns how much. */
    public static int read(SocketChannel channel, ByteBuffer buffer) throws IOException {
        int count = channel.read(buffer);
        if (count < 0) {
            throw new EOFException("the other socket was closed");
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        here.close();
        there.close();
    }
}

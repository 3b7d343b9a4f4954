package org.panamaverbs.iwarp.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bindings.NativeLibrary;
import org.panamaverbs.spi.support.DeferredLog;

/** Sockets of NIO. */
final class NioSockets implements Sockets {
    static final NioSockets INSTANCE = new NioSockets();

    private static final String JDK = "sun.nio.ch.DefaultSelectorProvider";

    private NioSockets() {}

    @Override
    public String name() {
        return "nio";
    }

    /**
     * Returns the JDK's own provider. That of the process may be one whose sockets go by this module's devices.
     *
     * @throws IOException if the JDK does not let us have it, with the flag that makes it unnecessary
     */
    static SelectorProvider jdk() throws IOException {
        SelectorProvider processes = SelectorProvider.provider();
        if (Object.class.getModule().equals(processes.getClass().getModule())) {
            return processes;
        }
        try {
            return (SelectorProvider) Class.forName(JDK).getMethod("get").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new IOException(
                    "sockets of NIO need the JDK's selector provider, which "
                            + processes.getClass().getName()
                            + " replaces (" + e.getMessage() + "); remedy: start java with "
                            + NativeLibrary.nativeAccessFlag(NioSockets.class.getModule())
                            + ", with which the C library's sockets are used",
                    e);
        }
    }

    @Override
    public Poller poller() throws IOException {
        return new NioPoller();
    }

    @Override
    public TcpSocket open(boolean ipv6) throws IOException {
        return NioSocket.of(jdk().openSocketChannel(ipv6 ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET));
    }

    @Override
    public TcpServer listen(InetSocketAddress local, int backlog, boolean reuseAddress) throws IOException {
        return listen(local, backlog, reuseAddress, false);
    }

    @Override
    public TcpServer listen(InetSocketAddress local, int backlog, boolean reuseAddress, boolean ipv4Only)
            throws IOException {
        ServerSocketChannel channel =
                ipv4Only ? jdk().openServerSocketChannel(StandardProtocolFamily.INET) : jdk().openServerSocketChannel();
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, reuseAddress);
            channel.bind(local, backlog);
            return new Server(channel);
        } catch (IOException | RuntimeException | Error e) {
            NioChannel.close(channel);
            throw e;
        }
    }

    /** A socket that listens. */
    record Server(ServerSocketChannel channel) implements TcpServer, NioChannel {
        @Override
        public InetSocketAddress localAddress() throws IOException {
            return (InetSocketAddress) channel.getLocalAddress();
        }

        @Override
        public @Nullable TcpSocket accept() throws IOException {
            while (true) {
                SocketChannel accepted = channel.accept();
                if (accepted == null) {
                    return null;
                }
                try {
                    return NioSocket.of(accepted);
                } catch (IOException e) {
                    // It was reset meanwhile, which some systems say already here: the next one is none the worse.
                    String what = "a connection was reset before it was accepted";
                    DeferredLog.log(NioSockets.class, System.Logger.Level.DEBUG, what, e);
                }
            }
        }

        @Override
        public boolean isOpen() {
            return channel.isOpen();
        }

        @Override
        public void close() {
            NioChannel.close(channel);
        }
    }
}

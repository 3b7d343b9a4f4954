package org.panamaverbs.sockets.channel;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The server socket of a channel: its options and timed accepts. */
final class RdmaServerSocket extends ServerSocket {
    private final AdaptedServerSocketChannel channel;
    private final AdaptedOptions options;
    private volatile int timeoutMillis;

    private RdmaServerSocket(AdaptedServerSocketChannel channel) {
        super(new NoImpl());
        this.channel = channel;
        options = new AdaptedOptions(channel);
    }

    static RdmaServerSocket of(AdaptedServerSocketChannel channel) {
        return new RdmaServerSocket(channel);
    }

    @Override
    public ServerSocketChannel getChannel() {
        return channel;
    }

    @Override
    public void bind(@Nullable SocketAddress local) throws IOException {
        bind(local, 0);
    }

    @Override
    public void bind(@Nullable SocketAddress local, int backlog) throws IOException {
        try {
            channel.bind(local == null ? new InetSocketAddress(0) : local, backlog);
        } catch (RuntimeException e) {
            throw AdaptedOptions.translated(e);
        }
    }

    @Override
    public @Nullable InetAddress getInetAddress() {
        InetSocketAddress local = channel.local();
        return local == null ? null : local.getAddress();
    }

    @Override
    public int getLocalPort() {
        InetSocketAddress local = channel.local();
        return local == null ? -1 : local.getPort();
    }

    @Override
    public @Nullable SocketAddress getLocalSocketAddress() {
        return channel.local();
    }

    @Override
    public Socket accept() throws IOException {
        int timeout = timeoutMillis;
        boolean blocking = channel.isBlocking();
        if (timeout > 0 && !blocking) {
            throw new IllegalBlockingModeException();
        }
        SocketChannel accepted;
        try {
            // Without a timeout it takes who is there also where it does not block, as the JDK's does.
            accepted = channel.accept(blocking, Timeouts.nanos(timeout));
        } catch (RuntimeException e) {
            throw AdaptedOptions.translated(e);
        }
        if (accepted == null) {
            if (!blocking) {
                throw new IllegalBlockingModeException();
            }
            throw new SocketTimeoutException("Accept timed out");
        }
        return accepted.socket();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public boolean isBound() {
        return channel.local() != null;
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public void setSoTimeout(int timeout) throws SocketException {
        options.requireOpen();
        timeoutMillis = Timeouts.checked(timeout);
    }

    @Override
    public int getSoTimeout() throws IOException {
        options.requireOpen();
        return timeoutMillis;
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        options.set(StandardSocketOptions.SO_REUSEADDR, on);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return options.get(StandardSocketOptions.SO_REUSEADDR);
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        options.setSize(StandardSocketOptions.SO_RCVBUF, size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return options.get(StandardSocketOptions.SO_RCVBUF);
    }

    @Override
    public <T> ServerSocket setOption(SocketOption<T> name, T value) throws IOException {
        channel.setOption(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return channel.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return channel.supportedOptions();
    }

    @Override
    public String toString() {
        return "ServerSocket of " + channel;
    }
}

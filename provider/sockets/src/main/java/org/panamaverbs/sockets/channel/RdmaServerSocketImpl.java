package org.panamaverbs.sockets.channel;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A {@link java.net.ServerSocket} over one of our channels, whose connections are {@link RdmaSocketImpl}s. */
public final class RdmaServerSocketImpl extends AdaptedSocketImpl {
    private static final int CLASSES = 256;

    private final SelectorProvider provider;
    private final ReentrantLock acceptLock = new ReentrantLock();
    private volatile @Nullable AdaptedServerSocketChannel channel;

    /** {@code IP_TOS}, which channels that listen do not have; null unless it was set. */
    private volatile @Nullable Integer trafficClass;

    /** Creates the implementation of a socket whose channel {@code provider}, which is this module's, opens. */
    public RdmaServerSocketImpl(SelectorProvider provider) {
        this.provider = provider;
    }

    @Override
    @Nullable
    NetworkChannel channel() {
        return channel;
    }

    private AdaptedServerSocketChannel its() throws SocketException {
        return (AdaptedServerSocketChannel) open();
    }

    @Override
    protected void create(boolean stream) throws IOException {
        requireStream(stream);
        AdaptedServerSocketChannel its = (AdaptedServerSocketChannel) provider.openServerSocketChannel();
        its.configureBlocking(false);
        channel = its;
        closeWhenLost(its);
    }

    /** Remembers the address: a channel is bound and listens in one step, for which {@link #listen} follows. */
    @Override
    protected void bind(InetAddress host, int port) throws IOException {
        its();
        address = host;
        localport = port;
    }

    @Override
    protected void listen(int backlog) throws IOException {
        AdaptedServerSocketChannel its = its();
        try {
            its.bind(new InetSocketAddress(address, localport), backlog);
        } catch (ClosedChannelException e) {
            throw failed(e);
        } catch (RuntimeException e) {
            throw AdaptedOptions.translated(e);
        }
        boundTo(its.local());
    }

    @Override
    protected void accept(SocketImpl socket) throws IOException {
        if (!(socket instanceof RdmaSocketImpl target)) {
            throw new SocketException("accept with " + socket.getClass()
                    + ": not a socket of this module; remedy: accept with a socket of the process's factory");
        }
        AdaptedServerSocketChannel its = its();
        long nanos = locked(acceptLock, "Accept");
        SocketChannel[] accepted = new SocketChannel[1];
        try {
            repeat(() -> (accepted[0] = its.accept()) != null, its::await, nanos, "Accept");
        } catch (ClosedChannelException e) {
            throw failed(e);
        } finally {
            acceptLock.unlock();
        }
        AdaptedSocketChannel connection = its.adapted(Objects.requireNonNull(accepted[0]));
        boolean taken = false;
        try {
            Integer kept = trafficClass;
            if (kept != null) {
                connection.setOption(StandardSocketOptions.IP_TOS, kept);
            }
            target.accepted(connection);
            taken = true;
        } finally {
            if (!taken) {
                connection.close();
            }
        }
    }

    @Override
    protected void close() throws IOException {
        AdaptedServerSocketChannel its = channel;
        if (its != null) {
            its.close();
        }
    }

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        Set<SocketOption<?>> options = super.supportedOptions();
        options.add(StandardSocketOptions.IP_TOS);
        return options;
    }

    @Override
    protected <T> void setOption(SocketOption<T> option, T value) throws IOException {
        if (!option.equals(StandardSocketOptions.IP_TOS)) {
            super.setOption(option, value);
            return;
        }
        its();
        if (!(value instanceof Integer number) || number < 0 || number >= CLASSES) {
            throw new IllegalArgumentException(
                    "set option IP_TOS: " + value + " is out of range; remedy: choose a value from 0 to 255");
        }
        trafficClass = number;
    }

    @Override
    protected <T> T getOption(SocketOption<T> option) throws IOException {
        if (!option.equals(StandardSocketOptions.IP_TOS)) {
            return super.getOption(option);
        }
        its();
        return option.type().cast(Objects.requireNonNullElse(trafficClass, 0));
    }

    // What a socket that listens has no use for.

    private static SocketException listens(String what) {
        return new SocketException("a socket that listens does not " + what);
    }

    @Override
    protected void connect(SocketAddress remote, int timeout) throws IOException {
        throw listens("connect");
    }

    @Override
    protected InputStream getInputStream() throws IOException {
        throw listens("read");
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        throw listens("write");
    }

    @Override
    protected int available() throws IOException {
        throw listens("read");
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        throw listens("write");
    }
}

package org.panamaverbs.sockets.channel;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The socket of a channel: its options, timed connects and timed reads. */
final class RdmaSocket extends Socket {
    private final AdaptedSocketChannel channel;
    private final AdaptedOptions options;
    private volatile int timeoutMillis;

    private RdmaSocket(AdaptedSocketChannel channel) throws SocketException {
        super(new NoImpl());
        this.channel = channel;
        options = new AdaptedOptions(channel);
    }

    static RdmaSocket of(AdaptedSocketChannel channel) {
        try {
            return new RdmaSocket(channel);
        } catch (SocketException e) {
            throw new IllegalStateException(e); // without an implementation of its own it throws none
        }
    }

    @Override
    public SocketChannel getChannel() {
        return channel;
    }

    @Override
    public void connect(@Nullable SocketAddress remote) throws IOException {
        connect(remote, 0);
    }

    @Override
    public void connect(@Nullable SocketAddress remote, int timeout) throws IOException {
        if (remote == null) {
            throw new IllegalArgumentException("connect: The address can't be null");
        }
        Timeouts.checked(timeout);
        if (remote instanceof InetSocketAddress inet && inet.isUnresolved()) {
            throw new java.net.UnknownHostException(inet.getHostName());
        }
        requireBlocking();
        try {
            channel.connect(remote, true, Timeouts.nanos(timeout));
        } catch (AlreadyConnectedException e) {
            throw AdaptedOptions.failure("already connected", e);
        } catch (ClosedChannelException e) {
            throw AdaptedOptions.failure("Socket is closed", e);
        }
    }

    private void requireBlocking() {
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
    }

    @Override
    public void bind(@Nullable SocketAddress local) throws IOException {
        try {
            channel.bind(local);
        } catch (ClosedChannelException e) {
            throw AdaptedOptions.failure("Socket is closed", e);
        } catch (java.nio.channels.AlreadyBoundException e) {
            throw AdaptedOptions.failure("already bound", e);
        }
    }

    @Override
    public @Nullable InetAddress getInetAddress() {
        InetSocketAddress remote = channel.remote();
        return remote == null ? null : remote.getAddress();
    }

    @Override
    public int getPort() {
        InetSocketAddress remote = channel.remote();
        return remote == null ? 0 : remote.getPort();
    }

    @Override
    public InetAddress getLocalAddress() {
        InetSocketAddress local = channel.isOpen() ? channel.local() : null;
        return local == null ? new InetSocketAddress(0).getAddress() : local.getAddress();
    }

    @Override
    public int getLocalPort() {
        InetSocketAddress local = channel.local();
        return local == null ? -1 : local.getPort();
    }

    @Override
    public @Nullable SocketAddress getRemoteSocketAddress() {
        return channel.remote();
    }

    @Override
    public @Nullable SocketAddress getLocalSocketAddress() {
        InetSocketAddress local = channel.local();
        return channel.isOpen() || local == null ? local : new InetSocketAddress(local.getPort());
    }

    private void requireConnected() throws SocketException {
        if (!channel.isOpen()) {
            throw new SocketException("Socket is closed");
        }
        if (!channel.isConnected()) {
            throw new SocketException("Socket is not connected");
        }
    }

    @Override
    public InputStream getInputStream() throws IOException {
        requireConnected();
        if (channel.isInputShut()) {
            throw new SocketException("Socket input is shutdown");
        }
        return new Input();
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        requireConnected();
        if (channel.isOutputShut()) {
            throw new SocketException("Socket output is shutdown");
        }
        return Channels.newOutputStream(channel);
    }

    private final class Input extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            requireBlocking();
            int count = channel.read(ByteBuffer.wrap(target, offset, length), true, Timeouts.nanos(timeoutMillis));
            if (count == 0) {
                throw new SocketTimeoutException("Read timed out");
            }
            return count;
        }

        @Override
        public void close() throws IOException {
            RdmaSocket.this.close();
        }
    }

    @Override
    public void setSoTimeout(int timeout) throws SocketException {
        options.requireOpen();
        timeoutMillis = Timeouts.checked(timeout);
    }

    @Override
    public int getSoTimeout() throws SocketException {
        options.requireOpen();
        return timeoutMillis;
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
        options.set(StandardSocketOptions.TCP_NODELAY, on);
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException {
        return options.get(StandardSocketOptions.TCP_NODELAY);
    }

    @Override
    public void setSoLinger(boolean on, int linger) throws SocketException {
        if (on && linger < 0) {
            throw new IllegalArgumentException("invalid value for SO_LINGER");
        }
        options.set(StandardSocketOptions.SO_LINGER, on ? linger : -1);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return options.get(StandardSocketOptions.SO_LINGER);
    }

    @Override
    public void setSendBufferSize(int size) throws SocketException {
        options.setSize(StandardSocketOptions.SO_SNDBUF, size);
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return options.get(StandardSocketOptions.SO_SNDBUF);
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
    public void setKeepAlive(boolean on) throws SocketException {
        options.set(StandardSocketOptions.SO_KEEPALIVE, on);
    }

    @Override
    public boolean getKeepAlive() throws SocketException {
        return options.get(StandardSocketOptions.SO_KEEPALIVE);
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
    public void setOOBInline(boolean on) throws SocketException {
        throw new SocketException("RDMA has no urgent data");
    }

    @Override
    public boolean getOOBInline() throws SocketException {
        options.requireOpen();
        return false;
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        throw new SocketException("RDMA has no urgent data");
    }

    @Override
    public void setTrafficClass(int trafficClass) throws SocketException {
        // A hint, which the contract lets an implementation ignore.
        options.requireOpen();
        if (trafficClass < 0 || trafficClass > 255) {
            throw new IllegalArgumentException("tc is not in range 0 -- 255");
        }
    }

    @Override
    public int getTrafficClass() throws SocketException {
        options.requireOpen();
        return 0;
    }

    @Override
    public <T> Socket setOption(SocketOption<T> name, T value) throws IOException {
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
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public void shutdownInput() throws IOException {
        shutdown(true);
    }

    @Override
    public void shutdownOutput() throws IOException {
        shutdown(false);
    }

    private void shutdown(boolean input) throws IOException {
        try {
            if (input) {
                channel.shutdownInput();
            } else {
                channel.shutdownOutput();
            }
        } catch (NotYetConnectedException e) {
            throw AdaptedOptions.failure("Socket is not connected", e);
        } catch (ClosedChannelException e) {
            throw AdaptedOptions.failure("Socket is closed", e);
        }
    }

    @Override
    public boolean isConnected() {
        return channel.remote() != null;
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
    public boolean isInputShutdown() {
        return channel.isInputShut();
    }

    @Override
    public boolean isOutputShutdown() {
        return channel.isOutputShut();
    }

    @Override
    public String toString() {
        return "Socket of " + channel;
    }
}

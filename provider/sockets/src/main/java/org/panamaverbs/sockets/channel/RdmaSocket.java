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
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The socket of a channel: its options, timed connects and timed reads. */
final class RdmaSocket extends Socket {
    /** The name of the JDK's option for urgent data. */
    private static final String URGENT_INLINE = "SO_OOBINLINE";

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
            requireUnconnected();
            close();
            throw new UnknownHostException(inet.getHostString());
        }
        try {
            channel.connect(remote, true, Timeouts.nanos(timeout));
        } catch (RuntimeException e) {
            throw AdaptedOptions.translated(e);
        } catch (AsynchronousCloseException e) {
            throw e;
        } catch (ClosedChannelException e) {
            // Of the class that a socket of the JDK's has, which finds it closed when it begins to wait.
            throw (IOException) new AsynchronousCloseException().initCause(e);
        }
    }

    private void requireUnconnected() throws SocketException {
        options.requireOpen();
        if (channel.isConnected()) {
            throw new SocketException("Already connected");
        }
    }

    @Override
    public void bind(@Nullable SocketAddress local) throws IOException {
        try {
            channel.bind(local);
        } catch (RuntimeException e) {
            throw AdaptedOptions.translated(e);
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
        return channel.local();
    }

    private void requireConnected() throws SocketException {
        options.requireOpen();
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
        return new Output();
    }

    /** Throws an exception unless a stream may read or write. */
    private void requireStreaming() throws ClosedChannelException {
        channel.requireConnected();
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
    }

    private final class Input extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, target.length);
            if (length == 0) {
                return 0;
            }
            requireStreaming();
            int count = channel.read(ByteBuffer.wrap(target, offset, length), true, Timeouts.nanos(timeoutMillis));
            if (count == 0) {
                throw new SocketTimeoutException("Read timed out");
            }
            return count;
        }

        @Override
        public int available() throws IOException {
            channel.requireConnected();
            return channel.isInputShut() ? 0 : channel.available();
        }

        @Override
        public void close() throws IOException {
            RdmaSocket.this.close();
        }
    }

    /** Holds no lock while it waits that a reader would need, as streams of {@link java.nio.channels.Channels} do. */
    private final class Output extends OutputStream {
        /** Throws an exception if the channel was closed while some of what is to be written was. */
        private void requireNotClosed() throws AsynchronousCloseException {
            if (!channel.isOpen()) {
                throw new AsynchronousCloseException();
            }
        }

        @Override
        public void write(int octet) throws IOException {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, source.length);
            if (length == 0) {
                return;
            }
            requireStreaming();
            ByteBuffer octets = ByteBuffer.wrap(source, offset, length);
            try {
                channel.write(octets);
                while (octets.hasRemaining()) {
                    requireNotClosed();
                    channel.write(octets);
                }
            } catch (AsynchronousCloseException e) {
                if (channel.isOpen()) {
                    throw new IOException("Broken pipe", e); // its output was shut, of the class that the JDK's has
                }
                throw e;
            }
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

    /** Over RDMA the value is kept and changes nothing, as no urgent data comes. */
    @Override
    public void setOOBInline(boolean on) throws SocketException {
        SocketOption<Boolean> option = options.named(URGENT_INLINE, Boolean.class);
        if (option == null) {
            options.requireOpen();
        } else {
            options.set(option, on);
        }
    }

    @Override
    public boolean getOOBInline() throws SocketException {
        SocketOption<Boolean> option = options.named(URGENT_INLINE, Boolean.class);
        if (option == null) {
            options.requireOpen();
            return false;
        }
        return options.get(option);
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        channel.requireConnected();
        SocketChannel tcp = channel.tcp();
        if (tcp == null) {
            throw new SocketException("send urgent data: connections over RDMA do not support it; remedy: send it in"
                    + " the stream, or connect over TCP with a rule off");
        }
        tcp.socket().sendUrgentData(data);
    }

    @Override
    public void setTrafficClass(int trafficClass) throws SocketException {
        options.set(StandardSocketOptions.IP_TOS, trafficClass);
    }

    @Override
    public int getTrafficClass() throws SocketException {
        return options.get(StandardSocketOptions.IP_TOS);
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
        try {
            channel.shutdownInput();
        } catch (RuntimeException e) {
            throw AdaptedOptions.translated(e);
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        try {
            channel.shutdownOutput();
        } catch (RuntimeException e) {
            throw AdaptedOptions.translated(e);
        }
    }

    @Override
    public boolean isConnected() {
        return channel.isConnected();
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

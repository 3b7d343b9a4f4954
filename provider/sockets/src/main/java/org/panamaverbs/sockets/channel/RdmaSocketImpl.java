package org.panamaverbs.sockets.channel;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A {@link java.net.Socket} over one of our channels, which goes by RDMA or by plain TCP as the rules of its provider
 * say. Through a SOCKS proxy it goes by a socket of the JDK's.
 */
public final class RdmaSocketImpl extends AdaptedSocketImpl {
    /** As much as one read or write takes: plain TCP copies it to memory outside the heap. */
    private static final int MOST_AT_ONCE = 128 * 1024;

    private final SelectorProvider provider;

    private final ReentrantLock readLock = new ReentrantLock();
    private final ReentrantLock writeLock = new ReentrantLock();

    /** Set when it is created, or accepted. */
    private volatile @Nullable AdaptedSocketChannel channel;

    /** A socket through a proxy, in place of the channel. */
    private volatile @Nullable Socket proxied;

    /** What the program has set, for a socket through a proxy. */
    private final Map<SocketOption<?>, Object> changed = new ConcurrentHashMap<>();

    /** A read has returned the end, and so does every one from then on, also of a closed socket; under its lock. */
    private boolean ended;

    /** Creates the implementation of a socket whose channel {@code provider}, which is this module's, opens. */
    public RdmaSocketImpl(SelectorProvider provider) {
        this.provider = provider;
    }

    @Override
    @Nullable
    NetworkChannel channel() {
        return channel;
    }

    @Override
    void requireOpen() throws SocketException {
        if (proxied == null) {
            super.requireOpen();
        }
    }

    private AdaptedSocketChannel its() throws SocketException {
        return (AdaptedSocketChannel) open();
    }

    @Override
    protected void create(boolean stream) throws IOException {
        requireStream(stream);
        use((AdaptedSocketChannel) provider.openSocketChannel());
    }

    private void use(AdaptedSocketChannel its) throws IOException {
        its.configureBlocking(false);
        channel = its;
        closeWhenLost(its);
    }

    /** Becomes the socket of a connection that was accepted. */
    void accepted(AdaptedSocketChannel connection) throws IOException {
        use(connection);
        InetSocketAddress remote = Objects.requireNonNull(connection.remote());
        address = remote.getAddress();
        port = remote.getPort();
        boundTo(connection.local());
    }

    @Override
    protected void connect(SocketAddress remote, int timeout) throws IOException {
        if (!(remote instanceof InetSocketAddress asked)) {
            throw new IOException("Unsupported address type");
        }
        AdaptedSocketChannel its = its();
        try {
            Proxy proxy = its.requiresRdma(asked) ? Proxy.NO_PROXY : proxy(asked);
            if (proxy.type() == Proxy.Type.SOCKS) {
                connect(its, proxy, asked, timeout);
                return;
            }
            if (asked.isUnresolved()) {
                throw new UnknownHostException(asked.getHostString());
            }
            InetSocketAddress to = asked.getAddress().isAnyLocalAddress()
                    ? new InetSocketAddress(InetAddress.getLocalHost(), asked.getPort())
                    : asked;
            readLock.lock();
            try {
                connect(its, to, Timeouts.nanos(timeout));
            } finally {
                readLock.unlock();
            }
        } catch (SocketTimeoutException | UnknownHostException e) {
            close();
            throw e;
        } catch (IOException e) {
            close();
            throw Thread.currentThread().isVirtual() && Thread.currentThread().isInterrupted()
                    ? new SocketException("Closed by interrupt", e)
                    : failed(e);
        } catch (RuntimeException e) {
            close();
            throw AdaptedOptions.translated(e);
        }
    }

    private void connect(AdaptedSocketChannel its, InetSocketAddress to, long nanos) throws IOException {
        address = to.getAddress();
        port = to.getPort();
        if (!its.connect(to, false, nanos)) {
            repeat(its::finishConnect, left -> its.await(SelectionKey.OP_CONNECT, left), nanos, "Connect");
        }
        boundTo(its.local());
    }

    /** Returns the proxy that the program is to use, as a socket of the JDK's finds it. */
    private static Proxy proxy(InetSocketAddress asked) throws IOException {
        ProxySelector selector = ProxySelector.getDefault();
        if (selector == null) {
            return Proxy.NO_PROXY;
        }
        try {
            List<Proxy> proxies = selector.select(uri(asked));
            if (proxies == null) {
                throw new IOException(
                        "the ProxySelector returned null for " + asked + "; remedy: have it return Proxy.NO_PROXY");
            }
            return proxies.stream().findFirst().orElse(Proxy.NO_PROXY);
        } catch (URISyntaxException e) {
            return Proxy.NO_PROXY; // no selector can be asked for it, and its address may be known
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "the ProxySelector refused " + asked + ": " + e.getMessage()
                            + "; remedy: have it return Proxy.NO_PROXY",
                    e);
        }
    }

    /** By the constructor that takes any authority: a name may have an underscore, which no host has by RFC 2396. */
    private static URI uri(InetSocketAddress asked) throws URISyntaxException {
        String host = asked.getHostString();
        boolean literal = host.indexOf(':') >= 0 && !host.startsWith("[");
        return new URI("socket", (literal ? "[" + host + "]" : host) + ":" + asked.getPort(), null, null, null);
    }

    @SuppressWarnings("AddressSelection") // the proxy looks the name up
    private void connect(AdaptedSocketChannel its, Proxy proxy, InetSocketAddress asked, int timeout)
            throws IOException {
        InetSocketAddress local = its.local();
        Socket socket = new Socket(proxy);
        proxied = socket;
        if (!its.isOpen()) {
            throw new SocketException("Socket closed"); // by who saw no socket but the channel
        }
        its.close();
        for (SocketOption<?> each : changed.keySet()) {
            give(each, socket);
        }
        socket.setSoTimeout(timeoutMillis);
        if (local != null) {
            socket.bind(local);
        }
        socket.connect(asked, timeout);
        address = socket.getInetAddress();
        port = socket.getPort();
        localport = socket.getLocalPort();
    }

    private <T> void give(SocketOption<T> option, Socket socket) throws IOException {
        socket.setOption(option, option.type().cast(changed.get(option)));
    }

    @Override
    protected void bind(InetAddress host, int port) throws IOException {
        AdaptedSocketChannel its = its();
        try {
            its.bind(new InetSocketAddress(host, port));
        } catch (ClosedChannelException e) {
            throw failed(e);
        } catch (RuntimeException e) {
            throw AdaptedOptions.translated(e);
        }
        address = host;
        boundTo(its.local());
    }

    @Override
    protected void listen(int backlog) throws IOException {
        throw new SocketException("a socket that connects does not listen");
    }

    @Override
    protected void accept(SocketImpl socket) throws IOException {
        throw new SocketException("a socket that connects does not accept");
    }

    @Override
    protected InputStream getInputStream() throws IOException {
        Socket other = proxied;
        return other != null ? other.getInputStream() : new Input();
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        Socket other = proxied;
        return other != null ? other.getOutputStream() : new Output();
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
            long nanos = locked(readLock, "Read");
            try {
                int count = ended ? -1 : receive(target, offset, Math.min(length, MOST_AT_ONCE), nanos);
                ended = count < 0;
                return count;
            } finally {
                readLock.unlock();
            }
        }

        @Override
        public int available() throws IOException {
            return RdmaSocketImpl.this.available();
        }

        @Override
        public void close() throws IOException {
            RdmaSocketImpl.this.close();
        }
    }

    private int receive(byte[] target, int offset, int length, long nanos) throws IOException {
        AdaptedSocketChannel its = its();
        ByteBuffer buffer = ByteBuffer.wrap(target, offset, length);
        try {
            int count = its.read(buffer);
            if (count == 0) {
                int[] read = new int[1];
                repeat(
                        () -> (read[0] = its.read(buffer)) != 0,
                        left -> its.await(SelectionKey.OP_READ, left),
                        nanos,
                        "Read");
                count = read[0];
            }
            if (count < 0) {
                open(); // plain TCP is shut down to end a wait, and then closed
            }
            return count;
        } catch (InterruptedIOException e) {
            throw e; // the time has passed, or the socket is to close itself
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private final class Output extends OutputStream {
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
            writeLock.lock();
            try {
                int end = offset + length;
                for (int at = offset; at < end; at += Math.min(end - at, MOST_AT_ONCE)) {
                    send(ByteBuffer.wrap(source, at, Math.min(end - at, MOST_AT_ONCE)));
                }
            } finally {
                writeLock.unlock();
            }
        }

        @Override
        public void close() throws IOException {
            RdmaSocketImpl.this.close();
        }
    }

    private void send(ByteBuffer octets) throws IOException {
        AdaptedSocketChannel its = its();
        try {
            its.write(octets);
            if (octets.hasRemaining()) {
                repeat(
                        () -> {
                            its.write(octets);
                            return !octets.hasRemaining();
                        },
                        left -> its.await(SelectionKey.OP_WRITE, left),
                        Timeouts.NEVER,
                        "Write");
            }
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            boolean shut = e instanceof ClosedChannelException && its.isOpen() && its.isOutputShut();
            throw shut ? new SocketException("Broken pipe", e) : failed(e);
        }
    }

    @Override
    protected int available() throws IOException {
        AdaptedSocketChannel its = its();
        try {
            return its.isInputShut() ? 0 : its.available();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    protected void shutdownInput() throws IOException {
        Socket other = proxied;
        if (other != null) {
            other.shutdownInput();
            return;
        }
        try {
            its().shutdownInput();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    protected void shutdownOutput() throws IOException {
        Socket other = proxied;
        if (other != null) {
            other.shutdownOutput();
            return;
        }
        try {
            its().shutdownOutput();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    protected void close() throws IOException {
        AdaptedSocketChannel its = channel;
        if (its != null && its.isOpen()) {
            its.closeLingering();
        }
        Socket other = proxied; // which may have come meanwhile
        if (other != null) {
            other.close();
        }
    }

    @Override
    protected boolean supportsUrgentData() {
        AdaptedSocketChannel its = channel;
        return proxied != null || its == null || !its.isOpen() || its.tcp() != null;
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        Socket other = proxied;
        (other != null ? other : its().socket()).sendUrgentData(data);
    }

    @Override
    protected <T> void setOption(SocketOption<T> option, T value) throws IOException {
        Socket other = proxied;
        if (other != null) {
            other.setOption(option, value);
            return;
        }
        super.setOption(option, value);
        changed.put(option, value);
    }

    @Override
    protected <T> T getOption(SocketOption<T> option) throws IOException {
        Socket other = proxied;
        return other != null ? other.getOption(option) : super.getOption(option);
    }

    @Override
    public void setOption(int number, Object value) throws SocketException {
        Socket other = proxied;
        if (number == SO_OOBINLINE) {
            if (!(value instanceof Boolean on)) {
                throw new SocketException("Bad value for SO_OOBINLINE");
            }
            (other != null ? other : its().socket()).setOOBInline(on);
        } else if (number == SO_TIMEOUT && other != null && value instanceof Integer millis) {
            other.setSoTimeout(millis);
        } else {
            super.setOption(number, value);
        }
    }

    @Override
    public Object getOption(int number) throws SocketException {
        Socket other = proxied;
        return switch (number) {
            case SO_OOBINLINE -> (other != null ? other : its().socket()).getOOBInline();
            case SO_BINDADDR -> (other != null ? other : its().socket()).getLocalAddress();
            case SO_TIMEOUT -> other != null ? other.getSoTimeout() : super.getOption(number);
            default -> super.getOption(number);
        };
    }
}

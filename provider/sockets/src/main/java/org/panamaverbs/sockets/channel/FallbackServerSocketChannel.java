package org.panamaverbs.sockets.channel;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.sockets.rules.Verdict;
import org.panamaverbs.sockets.stream.Driver;
import org.panamaverbs.sockets.stream.StreamDevice;
import org.panamaverbs.sockets.tcp.Family;
import org.panamaverbs.sockets.tcp.SocketOptions;
import org.panamaverbs.sockets.tcp.Ways;

/**
 * A channel that listens by RDMA, by plain TCP, or by both, as rules say of the address that it is bound to. What it
 * accepts is a channel of one of the two.
 */
public final class FallbackServerSocketChannel extends AdaptedServerSocketChannel {
    /** How often a port is asked of TCP that is to be free for RDMA, too. */
    private static final int TRIES = 16;

    private final Ways ways;
    private final Family family;
    private final SocketOptions undecided;

    /** Held by a thread that accepts, also while it waits. */
    private final ReentrantLock acceptLock = new ReentrantLock();

    private final Object stateLock = new Object();

    // Guarded by the lock of the state; what listens is set once.

    private volatile @Nullable RdmaServerSocketChannel rdma;
    private volatile @Nullable ServerSocketChannel tcp;

    /** Where a thread waits for both. */
    private volatile @Nullable Selector both;

    /** Whose turn it is, if both have somebody; guarded by the lock of who accepts. */
    private boolean rdmaLast;

    /** Creates a channel that is not bound. */
    public FallbackServerSocketChannel(SelectorProvider provider, Ways ways, Family family) throws IOException {
        super(provider);
        this.ways = ways;
        this.family = family;
        undecided = ways.tcp().undecidedListener();
    }

    @Override
    ServerSocket makeAdaptor() {
        return RdmaServerSocket.of(this);
    }

    private boolean isBound() {
        return rdma != null || tcp != null;
    }

    @Override
    public ServerSocketChannel bind(@Nullable SocketAddress local, int backlog) throws IOException {
        synchronized (stateLock) {
            requireOpen();
            if (isBound()) {
                throw new AlreadyBoundException();
            }
            InetSocketAddress address = family.local(local);
            Verdict verdict = ways.rules().toListen(address);
            switch (verdict.use()) {
                case REQUIRE -> rdma = rdma(ways.rdma(), address, backlog);
                case OFF -> tcp = tcp(address, backlog);
                case AUTO -> bindAny(address, backlog, verdict);
            }
        }
        keys.changed();
        return this;
    }

    private void bindAny(InetSocketAddress address, int backlog, Verdict verdict) throws IOException {
        StreamDevice device;
        try {
            device = ways.rdma();
            if (device.verbs().device().transport() == Transport.IWARP) {
                RdmaServerSocketChannel alone = rdma(device, address, backlog);
                rdma = alone;
                InetSocketAddress bound = Objects.requireNonNull(alone.local());
                ways.listens(
                        bound,
                        verdict,
                        "over RDMA only, since iWARP uses the port of TCP; clients of plain TCP need the rule"
                                + " \"listen * "
                                + address.getPort() + " off\"");
                return;
            }
        } catch (IOException e) {
            tcp = tcp(address, backlog);
            ways.listens(address, verdict, "over plain TCP, since RDMA is not available: " + e.getMessage());
            return;
        }
        bindBoth(device, address, backlog, verdict);
    }

    private void bindBoth(StreamDevice device, InetSocketAddress address, int backlog, Verdict verdict)
            throws IOException {
        for (int left = address.getPort() == 0 ? TRIES : 1; ; left--) {
            ServerSocketChannel plain = tcp(address, backlog);
            InetSocketAddress bound = (InetSocketAddress) plain.getLocalAddress();
            try {
                rdma = rdma(device, bound, backlog);
                tcp = plain;
                configureSides(false); // who waits does so for both
                return;
            } catch (IOException e) {
                if (e instanceof BindException && left > 1) {
                    plain.close();
                    continue;
                }
                tcp = plain;
                ways.listens(bound, verdict, "over plain TCP only, since RDMA is not available: " + e.getMessage());
                return;
            }
        }
    }

    private RdmaServerSocketChannel rdma(StreamDevice device, InetSocketAddress address, int backlog)
            throws IOException {
        RdmaServerSocketChannel channel = new RdmaServerSocketChannel(provider(), device, ways.tcp(), family);
        listen(channel, address, backlog);
        channel.addKey(keys);
        return channel;
    }

    private ServerSocketChannel tcp(InetSocketAddress address, int backlog) throws IOException {
        ServerSocketChannel channel = ways.tcp().openListener(family);
        listen(channel, address, backlog);
        return channel;
    }

    private void listen(ServerSocketChannel channel, InetSocketAddress address, int backlog) throws IOException {
        boolean listens = false;
        try {
            undecided.giveTo(channel);
            channel.configureBlocking(isBlocking());
            channel.bind(address, backlog);
            listens = true;
        } finally {
            if (!listens) {
                channel.close();
            }
        }
    }

    private void configureSides(boolean block) throws IOException {
        ServerSocketChannel ofRdma = rdma;
        ServerSocketChannel ofTcp = tcp;
        boolean waits = block && (ofRdma == null || ofTcp == null);
        if (ofRdma != null) {
            ofRdma.configureBlocking(waits);
        }
        if (ofTcp != null) {
            ofTcp.configureBlocking(waits);
        }
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        undecided.check(name, value);
        synchronized (stateLock) {
            requireOpen();
            undecided.set(name, value);
            if (rdma != null) {
                rdma.setOption(name, value);
            }
            if (tcp != null) {
                tcp.setOption(name, value);
            }
        }
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        undecided.check(name);
        synchronized (stateLock) {
            requireOpen();
            ServerSocketChannel its = rdma != null ? rdma : tcp;
            return its != null ? its.getOption(name) : undecided.get(name);
        }
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return undecided.supported();
    }

    @Override
    public @Nullable SocketChannel accept() throws IOException {
        return accept(isBlocking(), Timeouts.NEVER);
    }

    @Override
    @Nullable
    SocketChannel accept(boolean wait, long nanos) throws IOException {
        acceptLock.lock();
        try {
            requireOpen();
            RdmaServerSocketChannel ofRdma = rdma;
            ServerSocketChannel ofTcp = tcp;
            if (ofRdma != null && ofTcp != null) {
                return wait ? awaitEither(ofRdma, ofTcp, nanos) : acceptEither(ofRdma, ofTcp);
            }
            if (ofRdma != null) {
                return ofRdma.accept(wait, nanos);
            }
            if (ofTcp == null) {
                throw new NotYetBoundException();
            }
            return wait && nanos >= 0 ? timedAccept(ofTcp.socket(), nanos) : ofTcp.accept();
        } catch (ClosedChannelException e) {
            close(); // what was closed below, by an interrupt say, closes this, too
            throw e;
        } finally {
            acceptLock.unlock();
        }
    }

    private static @Nullable SocketChannel timedAccept(ServerSocket socket, long nanos) throws IOException {
        socket.setSoTimeout(Timeouts.millis(nanos));
        try {
            return socket.accept().getChannel();
        } catch (SocketTimeoutException e) {
            return null;
        }
    }

    private @Nullable SocketChannel acceptEither(RdmaServerSocketChannel ofRdma, ServerSocketChannel ofTcp)
            throws IOException {
        boolean rdmaFirst = !rdmaLast;
        SocketChannel accepted = rdmaFirst ? ofRdma.accept() : ofTcp.accept();
        rdmaLast = rdmaFirst == (accepted != null);
        return accepted != null ? accepted : rdmaFirst ? ofTcp.accept() : ofRdma.accept();
    }

    private @Nullable SocketChannel awaitEither(RdmaServerSocketChannel ofRdma, ServerSocketChannel ofTcp, long nanos)
            throws IOException {
        long deadline = System.nanoTime() + nanos;
        SocketChannel accepted = null;
        try {
            begin();
            while (isOpen() && (accepted = acceptEither(ofRdma, ofTcp)) == null) {
                long left = deadline - System.nanoTime();
                if (nanos >= 0 && left <= 0) {
                    return null;
                }
                Selector selector = both(ofRdma, ofTcp);
                selector.select(nanos < 0 ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
                selector.selectedKeys().clear();
                begin(); // while it waited an interrupt was the selector's, which it only woke up
            }
            return accepted;
        } catch (ClosedSelectorException | ClosedChannelException e) {
            if (isOpen()) {
                throw e;
            }
            throw new AsynchronousCloseException();
        } finally {
            end(accepted != null);
        }
    }

    @Override
    void await(long nanos) throws IOException {
        RdmaServerSocketChannel ofRdma = rdma;
        ServerSocketChannel ofTcp = tcp;
        if (ofTcp == null) {
            if (ofRdma != null) {
                ofRdma.await(nanos);
            }
            return;
        }
        try {
            Selector selector;
            acceptLock.lock();
            try {
                selector = both(ofRdma, ofTcp);
            } finally {
                acceptLock.unlock();
            }
            selector.select(nanos < 0 ? 0 : Timeouts.millis(nanos));
            selector.selectedKeys().clear();
        } catch (ClosedSelectorException | ClosedChannelException e) {
            if (isOpen()) {
                throw e;
            }
            throw new AsynchronousCloseException();
        }
    }

    @Override
    AdaptedSocketChannel adapted(SocketChannel accepted) throws IOException {
        return accepted instanceof AdaptedSocketChannel ours
                ? ours
                : new FallbackSocketChannel(provider(), ways, family, accepted);
    }

    /** Returns where to wait for both, or for TCP alone; under the lock of who accepts. */
    private Selector both(@Nullable RdmaServerSocketChannel ofRdma, ServerSocketChannel ofTcp) throws IOException {
        Selector selector = both;
        if (selector == null) {
            selector = provider().openSelector();
            both = selector;
            if (!isOpen()) {
                selector.close();
            }
            if (ofRdma != null) {
                ofRdma.register(selector, SelectionKey.OP_ACCEPT);
            }
            ofTcp.register(selector, SelectionKey.OP_ACCEPT);
        }
        return selector;
    }

    @Override
    @Nullable
    InetSocketAddress local() {
        ServerSocketChannel ofTcp = tcp;
        if (ofTcp != null) {
            return (InetSocketAddress) ofTcp.socket().getLocalSocketAddress();
        }
        RdmaServerSocketChannel ofRdma = rdma;
        return ofRdma == null ? null : ofRdma.local();
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        Selector selector = both;
        if (selector != null) {
            selector.close();
        }
        synchronized (stateLock) {
            try {
                if (rdma != null) {
                    rdma.close();
                }
            } finally {
                if (tcp != null) {
                    tcp.close();
                }
            }
        }
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        acceptLock.lock();
        try {
            synchronized (stateLock) {
                requireOpen();
                configureSides(block);
            }
        } finally {
            acceptLock.unlock();
        }
    }

    @Override
    public int ready(int interest) {
        RdmaServerSocketChannel ofRdma = rdma;
        return ofRdma == null || !isOpen() ? 0 : ofRdma.ready(interest);
    }

    @Override
    public @Nullable Driver driver() {
        RdmaServerSocketChannel ofRdma = rdma;
        return ofRdma == null ? null : ofRdma.driver();
    }

    @Override
    public @Nullable ServerSocketChannel plain() {
        return tcp;
    }

    @Override
    public String toString() {
        String how = rdma == null ? "TCP" : tcp == null ? "RDMA" : "RDMA and TCP";
        return "FallbackServerSocketChannel[" + (!isOpen() ? "closed" : isBound() ? local() + " by " + how : "unbound")
                + "]";
    }
}

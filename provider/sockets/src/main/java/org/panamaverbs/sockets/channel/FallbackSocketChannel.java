package org.panamaverbs.sockets.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.statistics.QueuePairStatistics;
import org.panamaverbs.sockets.rules.RdmaUse;
import org.panamaverbs.sockets.rules.Verdict;
import org.panamaverbs.sockets.stream.Driver;

/**
 * A channel that becomes RDMA's or the JDK's when it connects, as rules say, and passes everything on from then on. An
 * attempt by RDMA that fails is followed by one by TCP where the rules leave that open; who waits or selects sees one
 * attempt that takes longer.
 */
public final class FallbackSocketChannel extends AdaptedSocketChannel {
    private enum State {
        UNCONNECTED,
        PENDING,
        CONNECTED
    }

    /** Where to, and what the rules say of that. */
    private record Target(InetSocketAddress address, Verdict verdict) {
        boolean mayFallBack(IOException failure) {
            return verdict.use() == RdmaUse.AUTO && !(failure instanceof ClosedChannelException);
        }
    }

    private final Ways ways;
    private final SocketOptions undecided = new SocketOptions(SocketOptions.OF_STREAM);

    /** Held by a thread that connects, also while it waits. */
    private final ReentrantLock connectLock = new ReentrantLock();

    private final Object stateLock = new Object();

    // Guarded by the lock of the state.

    private volatile State state = State.UNCONNECTED;
    private @Nullable Target target;

    /** What it has become. */
    private volatile @Nullable SocketChannel side;

    /** Why the second attempt could not be begun. */
    private @Nullable IOException failure;

    private @Nullable InetSocketAddress bound;

    /** Makes a channel that is not connected. */
    public FallbackSocketChannel(SelectorProvider provider, Ways ways) {
        super(provider);
        this.ways = ways;
    }

    @Override
    Socket makeAdaptor() {
        return RdmaSocket.of(this);
    }

    private SocketChannel connected() throws ClosedChannelException {
        requireOpen();
        SocketChannel its = side;
        if (state != State.CONNECTED || its == null) {
            throw new NotYetConnectedException();
        }
        return its;
    }

    /** Returns {@code failure}; what was closed below, by an interrupt say, closes this, too. */
    private ClosedChannelException closed(ClosedChannelException failure) throws IOException {
        SocketChannel its = side;
        if (its != null && !its.isOpen()) {
            close();
        }
        return failure;
    }

    @Override
    public SocketChannel bind(@Nullable SocketAddress local) throws IOException {
        synchronized (stateLock) {
            requireOpen();
            if (state == State.PENDING) {
                throw new ConnectionPendingException();
            }
            if (bound != null || state == State.CONNECTED) {
                throw new AlreadyBoundException();
            }
            bound = Addresses.local(local);
        }
        return this;
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        Objects.requireNonNull(name);
        synchronized (stateLock) {
            requireOpen();
            SocketChannel its = side;
            if (its != null) {
                its.setOption(name, value);
            } else {
                undecided.set(name, value);
            }
        }
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        Objects.requireNonNull(name);
        synchronized (stateLock) {
            requireOpen();
            SocketChannel its = side;
            return its != null ? its.getOption(name) : undecided.get(name);
        }
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        SocketChannel its = side;
        return its != null ? its.supportedOptions() : undecided.supported();
    }

    @Override
    public boolean isConnected() {
        return isOpen() && state == State.CONNECTED;
    }

    @Override
    public boolean isConnectionPending() {
        return isOpen() && state == State.PENDING;
    }

    @Override
    public boolean connect(SocketAddress remote) throws IOException {
        return connect(remote, isBlocking(), Timeouts.NEVER);
    }

    @Override
    boolean connect(SocketAddress remote, boolean wait, long nanos) throws IOException {
        InetSocketAddress address = Addresses.remote(remote);
        Target to = new Target(address, ways.rules().toConnect(address));
        connectLock.lock();
        try {
            claim(to);
            return connect(to, wait, nanos);
        } finally {
            connectLock.unlock();
        }
    }

    private void claim(Target to) throws ClosedChannelException {
        synchronized (stateLock) {
            requireOpen();
            switch (state) {
                case CONNECTED -> throw new AlreadyConnectedException();
                case PENDING -> throw new ConnectionPendingException();
                case UNCONNECTED -> {
                    state = State.PENDING;
                    target = to;
                }
            }
        }
    }

    private boolean connect(Target to, boolean wait, long nanos) throws IOException {
        try {
            return done(begin(to, wait, nanos));
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Remembers that it is connected if it is. */
    private boolean done(boolean connected) throws IOException {
        if (connected) {
            synchronized (stateLock) {
                requireOpen();
                state = State.CONNECTED;
            }
            keys.changed(); // who wants to read or write was not ready before
        }
        return connected;
    }

    private boolean begin(Target to, boolean wait, long nanos) throws IOException {
        long deadline = System.nanoTime() + nanos;
        if (to.verdict.use() != RdmaUse.OFF) {
            try {
                RdmaSocketChannel rdma = rdma(to);
                // Of the program's own time half is left to the second attempt.
                return rdma.connect(
                        to.address, wait, to.verdict.use() == RdmaUse.AUTO && nanos > 0 ? nanos / 2 : nanos);
            } catch (IOException e) {
                if (!to.mayFallBack(e)) {
                    throw e;
                }
                ways.fellBack(to.address, to.verdict, e);
            }
        }
        SocketChannel tcp = tcp();
        if (!wait || nanos < 0) {
            return tcp.connect(to.address);
        }
        tcp.socket().connect(to.address, Timeouts.millis(deadline - System.nanoTime()));
        return true;
    }

    private RdmaSocketChannel rdma(Target to) throws IOException {
        RdmaSocketChannel rdma = to.verdict.use() == RdmaUse.REQUIRE
                ? new RdmaSocketChannel(provider(), ways.rdma())
                : new RdmaSocketChannel(provider(), ways.rdma(), ways.patienceSeconds());
        become(rdma);
        rdma.addKey(keys);
        return rdma;
    }

    private SocketChannel tcp() throws IOException {
        SocketChannel tcp = ways.tcp().openSocketChannel();
        become(tcp);
        return tcp;
    }

    /** Makes {@code channel} what this one is, with what was set so far. */
    private void become(SocketChannel channel) throws IOException {
        synchronized (stateLock) {
            boolean became = false;
            try {
                requireOpen();
                undecided.giveTo(channel);
                channel.configureBlocking(isBlocking());
                if (bound != null) {
                    channel.bind(bound);
                }
                side = channel;
                became = true;
            } finally {
                if (!became) {
                    channel.close();
                }
            }
        }
    }

    /** Goes on with plain TCP, without waiting, if {@code rdma} is what this still is. */
    private void fallBack(RdmaSocketChannel rdma, Target to, IOException why) {
        synchronized (stateLock) {
            if (!rdma.equals(side) || !isOpen()) {
                return;
            }
            ways.fellBack(to.address, to.verdict, why);
            try {
                rdma.close();
                tcp().connect(to.address); // it may be connected at once: then finishConnect finds it so
            } catch (IOException | RuntimeException e) {
                failure = e instanceof IOException told ? told : new IOException(e.getMessage(), e);
            }
        }
        keys.changed();
    }

    @Override
    public boolean finishConnect() throws IOException {
        connectLock.lock();
        try {
            requireOpen();
            return switch (state) {
                case CONNECTED -> true;
                case UNCONNECTED -> throw new NoConnectionPendingException();
                case PENDING -> done(finish());
            };
        } catch (IOException e) {
            close();
            throw e;
        } finally {
            connectLock.unlock();
        }
    }

    private boolean finish() throws IOException {
        Target to = Objects.requireNonNull(target);
        if (side instanceof RdmaSocketChannel rdma) {
            try {
                return rdma.finishConnect();
            } catch (IOException e) {
                if (!to.mayFallBack(e)) {
                    throw e;
                }
                if (isBlocking()) {
                    ways.fellBack(to.address, to.verdict, e);
                    return tcp().connect(to.address);
                }
                fallBack(rdma, to, e);
            }
        }
        SocketChannel tcp;
        synchronized (stateLock) {
            if (failure != null) {
                throw failure;
            }
            tcp = Objects.requireNonNull(side);
        }
        return tcp.finishConnect();
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        try {
            return connected().read(target);
        } catch (ClosedChannelException e) {
            throw closed(e);
        }
    }

    @Override
    int read(ByteBuffer target, boolean wait, long nanos) throws IOException {
        try {
            SocketChannel its = connected();
            if (its instanceof RdmaSocketChannel rdma) {
                return rdma.read(target, wait, nanos);
            }
            return wait && nanos >= 0 ? timedRead(its.socket(), target, nanos) : its.read(target);
        } catch (ClosedChannelException e) {
            throw closed(e);
        }
    }

    private static int timedRead(Socket socket, ByteBuffer target, long nanos) throws IOException {
        socket.setSoTimeout(Timeouts.millis(nanos));
        int position = target.position();
        try {
            int count =
                    socket.getInputStream().read(target.array(), target.arrayOffset() + position, target.remaining());
            target.position(position + Math.max(0, count));
            return count;
        } catch (SocketTimeoutException e) {
            return 0;
        }
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        try {
            return connected().read(targets, offset, length);
        } catch (ClosedChannelException e) {
            throw closed(e);
        }
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        try {
            return connected().write(source);
        } catch (ClosedChannelException e) {
            throw closed(e);
        }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        try {
            return connected().write(sources, offset, length);
        } catch (ClosedChannelException e) {
            throw closed(e);
        }
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        connected().shutdownInput();
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        connected().shutdownOutput();
        return this;
    }

    @Override
    boolean isInputShut() {
        SocketChannel its = side;
        return its != null && its.socket().isInputShutdown();
    }

    @Override
    boolean isOutputShut() {
        SocketChannel its = side;
        return its != null && its.socket().isOutputShutdown();
    }

    @Override
    @Nullable
    InetSocketAddress remote() {
        SocketChannel its = side;
        return its == null || state != State.CONNECTED
                ? null
                : (InetSocketAddress) its.socket().getRemoteSocketAddress();
    }

    @Override
    @Nullable
    InetSocketAddress local() {
        SocketChannel its = side;
        if (its != null) {
            return (InetSocketAddress) its.socket().getLocalSocketAddress();
        }
        synchronized (stateLock) {
            return bound;
        }
    }

    /** Returns how the connection goes, for people; null before it is connected, and of one by plain TCP. */
    public @Nullable String transport() {
        return side instanceof RdmaSocketChannel rdma ? rdma.transport() : null;
    }

    /** Returns what the connection's queue pair has counted; null before it is connected, and of one by plain TCP. */
    public @Nullable QueuePairStatistics statistics() {
        return side instanceof RdmaSocketChannel rdma ? rdma.statistics() : null;
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        SocketChannel its;
        synchronized (stateLock) {
            its = side;
        }
        if (its != null) {
            its.close();
        }
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        connectLock.lock();
        try {
            synchronized (stateLock) {
                requireOpen();
                SocketChannel its = side;
                if (its != null) {
                    its.configureBlocking(block);
                }
            }
        } finally {
            connectLock.unlock();
        }
    }

    @Override
    public int ready(int interest) {
        if (!isOpen()) {
            return 0;
        }
        if (side instanceof RdmaSocketChannel rdma) {
            IOException why = state == State.PENDING ? rdma.refusal() : null;
            Target to = target;
            if (why == null || to == null || !to.mayFallBack(why)) {
                return rdma.ready(interest);
            }
            fallBack(rdma, to, why);
        }
        synchronized (stateLock) {
            // The JDK's is not connectable if it was connected at once.
            SocketChannel its = side;
            boolean over = state == State.PENDING && (failure != null || (its != null && its.isConnected()));
            return over ? interest & SelectionKey.OP_CONNECT : 0;
        }
    }

    @Override
    public boolean arm() {
        return side instanceof RdmaSocketChannel rdma && rdma.arm();
    }

    @Override
    public @Nullable Driver driver() {
        return side instanceof RdmaSocketChannel rdma ? rdma.driver() : null;
    }

    @Override
    public @Nullable SocketChannel plain() {
        SocketChannel its = side;
        return its instanceof RdmaSocketChannel ? null : its;
    }

    @Override
    public String toString() {
        SocketChannel its = side;
        return its != null ? its.toString() : "FallbackSocketChannel[" + (isOpen() ? "unconnected" : "closed") + "]";
    }
}

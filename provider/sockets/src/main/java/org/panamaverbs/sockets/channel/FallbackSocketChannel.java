package org.panamaverbs.sockets.channel;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
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
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.device.QueuePairStatistics;
import org.panamaverbs.sockets.rules.RdmaUse;
import org.panamaverbs.sockets.stream.Driver;
import org.panamaverbs.sockets.stream.StreamDevice;
import org.panamaverbs.sockets.tcp.Family;
import org.panamaverbs.sockets.tcp.Peers.Kind;
import org.panamaverbs.sockets.tcp.PlainRace;
import org.panamaverbs.sockets.tcp.SocketOptions;
import org.panamaverbs.sockets.tcp.Ways;
import org.panamaverbs.sockets.tcp.Ways.Target;

/**
 * A channel that becomes RDMA's or the JDK's when it connects, as rules say, and passes everything on from then on. An
 * attempt over RDMA that fails is followed by one over TCP where the rules leave that open; who waits or selects sees
 * one attempt that takes longer.
 */
public final class FallbackSocketChannel extends AdaptedSocketChannel {
    /** How long a peer that is known, or asked while nobody waits, may take to answer over RDMA. */
    private static final long ATTEMPT_SECONDS = 5;

    private enum State {
        UNCONNECTED,
        PENDING,
        CONNECTED
    }

    private final Ways ways;
    private final Family family;
    private final SocketOptions undecided;
    private final BlockingLock blockingLock = new BlockingLock(blockingLock());

    /** Held by a thread that connects, also while it waits. */
    private final ReentrantLock connectLock = new ReentrantLock();

    private final Object stateLock = new Object();

    // Guarded by the lock of the state.

    private volatile State state = State.UNCONNECTED;
    private volatile @Nullable Target target;

    /** What it has become. */
    private volatile @Nullable SocketChannel side;

    /** The mode that what it becomes is to have. */
    private boolean blocking = true;

    /** Why RDMA was given up although its attempt had not ended. */
    private @Nullable IOException givenUp;

    /** Plain TCP has won the race, and the peer is remembered for that. */
    private boolean raceWon;

    /** Why the second attempt could not be begun. */
    private @Nullable IOException failure;

    /** Is bound, and keeps the port from others, until it is known what this becomes. */
    private @Nullable SocketChannel reserved;

    private @Nullable InetSocketAddress bound;

    /** The system has chosen the port that it is bound to. */
    private boolean ofAnyPort;

    /** What tries plain TCP while RDMA does not answer. */
    private volatile @Nullable PlainRace race;

    /** Waits for plain TCP. */
    private final PlainParking parking = new PlainParking();

    /** A byte has come over plain TCP. */
    private volatile boolean heard;

    /** Creates a channel that is not connected. */
    public FallbackSocketChannel(SelectorProvider provider, Ways ways, Family family) throws IOException {
        super(provider);
        this.ways = ways;
        this.family = family;
        undecided = ways.tcp().undecidedStream();
    }

    /** Creates a channel of a connection over plain TCP that was accepted. */
    FallbackSocketChannel(SelectorProvider provider, Ways ways, Family family, SocketChannel accepted)
            throws IOException {
        this(provider, ways, family);
        side = accepted;
        state = State.CONNECTED;
    }

    @Override
    Socket makeAdaptor() {
        return RdmaSocket.of(this);
    }

    private SocketChannel connected() throws ClosedChannelException {
        SocketChannel its = side;
        if (state != State.CONNECTED || its == null) {
            requireOpen();
            throw new NotYetConnectedException();
        }
        return its;
    }

    /**
     * Returns why reading or writing failed. What was closed below, by an interrupt say, closes this, too; and a plain
     * connection that has failed says something of its peer.
     */
    private IOException failed(IOException why) throws IOException {
        SocketChannel its = side;
        if (!(why instanceof ClosedChannelException)) {
            endedUnheard();
        } else if (its != null && !its.isOpen()) {
            close();
        }
        return why;
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
            InetSocketAddress address = family.local(local);
            SocketChannel its = ways.tcp().reserve(family, undecided, address);
            reserved = its;
            ofAnyPort = address.getPort() == 0;
            bound = (InetSocketAddress) its.getLocalAddress();
        }
        return this;
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        undecided.check(name, value);
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
        undecided.check(name);
        synchronized (stateLock) {
            requireOpen();
            SocketChannel its = side;
            return its != null ? its.getOption(name) : undecided.get(name);
        }
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return undecided.supported();
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
        InetSocketAddress address = family.remote(remote);
        connectLock.lock();
        try {
            if (wait && !isBlocking()) {
                throw new IllegalBlockingModeException();
            }
            Target to = ways.target(address);
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
            failed(to, e);
            close();
            throw e;
        }
    }

    private void endRace() {
        PlainRace its = race;
        race = null;
        if (its != null) {
            its.look();
        }
    }

    /** Remembers that it is connected if it is, and how. */
    private boolean done(boolean connected) throws IOException {
        if (connected) {
            Target to = Objects.requireNonNull(target);
            boolean overRdma;
            boolean remembered;
            synchronized (stateLock) {
                requireOpen();
                state = State.CONNECTED;
                overRdma = side instanceof RdmaSocketChannel;
                remembered = raceWon;
            }
            if (to.isAuto() && overRdma) {
                ways.peers().answeredByRdma(to.address());
            } else if (to.isAuto() && to.triesRdma() && !remembered) {
                ways.peers().isPlain(to.address());
                if (givenUp() != null) {
                    askAgain(to); // it may be slow for once
                }
            }
            endRace();
            keys.changed(); // who wants to read or write was not ready before
        }
        return connected;
    }

    /** Forgets a peer that refuses: who listens there next may be another. */
    private void failed(Target to, Exception failure) {
        if (to.isAuto() && (failure instanceof ConnectException || to.kind() == Kind.RDMA)) {
            ways.peers().forget(to.address());
        }
    }

    private boolean begin(Target to, boolean wait, long nanos) throws IOException {
        long deadline = System.nanoTime() + nanos;
        if (to.kind() == Kind.PLAIN_LONG_AGO) {
            askAgain(to);
        }
        if (to.triesRdma()) {
            RdmaSocketChannel rdma = null;
            try {
                rdma = rdma();
                if (to.isAuto()) {
                    long patience = ways.patienceNanos();
                    if (to.kind() == Kind.RDMA) {
                        patience = Math.max(patience, TimeUnit.SECONDS.toNanos(ATTEMPT_SECONDS));
                    }
                    // Of the program's own time half is left to the second attempt.
                    race(to, rdma, nanos > 0 ? Math.min(patience, nanos / 2) : patience, nanos);
                }
                return notGivenUp(rdma.connect(to.address(), wait, nanos));
            } catch (IOException e) {
                if (isTcp()) {
                    return true; // it has won
                }
                fallBackOrThrow(to, rdma, e);
                if (rdma != null) {
                    endOf(rdma);
                }
            }
        }
        SocketChannel tcp = becomeTcp();
        if (!wait || nanos < 0) {
            return tcp.connect(to.address());
        }
        tcp.socket().connect(to.address(), Timeouts.millis(deadline - System.nanoTime()));
        return true;
    }

    /** Ends the attempt over RDMA, and waits until it has let go of the port that plain TCP is to have. */
    private void endOf(RdmaSocketChannel rdma) throws IOException {
        rdma.close();
        if (bound != null) {
            rdma.awaitEnd();
        }
    }

    private boolean isTcp() {
        synchronized (stateLock) {
            return isOpen() && side != null && !(side instanceof RdmaSocketChannel);
        }
    }

    /** Says why plain TCP follows, or throws {@code failure} if it may not. */
    private void fallBackOrThrow(Target to, @Nullable RdmaSocketChannel rdma, IOException failure) throws IOException {
        IOException told = givenUp();
        IOException why = told != null ? told : failure;
        if (!mayFallBack(to, told != null ? null : rdma, why)) {
            throw failure;
        }
        ways.fellBack(to, String.valueOf(why.getMessage()));
    }

    /**
     * Tells whether plain TCP may follow; not to a peer that speaks RDMA, nor where no time is left.
     *
     * @param rdma the attempt that has failed; null for one that was given up, whose answer comes too late
     */
    private static boolean mayFallBack(Target to, @Nullable RdmaSocketChannel rdma, IOException failure) {
        return to.isAuto()
                && !(failure instanceof ClosedChannelException)
                && !(failure instanceof SocketTimeoutException)
                && (rdma == null || rdma.silentNanos() != 0);
    }

    /** Asks a peer over RDMA, while nobody waits, and remembers it if it answers. */
    private void askAgain(Target to) {
        Thread.ofVirtual().name("rsockets-ask").start(() -> {
            try (SocketChannel asking = new RdmaSocketChannel(this, ways.rdma(), ways.tcp(), null, ATTEMPT_SECONDS)) {
                ask(to, asking);
            } catch (IOException | RuntimeException e) {
                // It still is plain.
            }
        });
    }

    private void ask(Target to, SocketChannel asking) throws IOException {
        if (!ways.beginsToAsk(asking)) {
            return;
        }
        try {
            asking.connect(to.address());
            ways.peers().answeredByRdma(to.address());
        } finally {
            ways.hasAsked(asking);
        }
    }

    private RdmaSocketChannel rdma() throws IOException {
        StreamDevice device = ways.rdma();
        synchronized (stateLock) {
            RdmaSocketChannel rdma =
                    new RdmaSocketChannel(this, device, ways.tcp(), bound, StreamDevice.CONNECT_SECONDS);
            become(rdma, true);
            if (reserved != null) {
                reserved.close(); // RDMA takes the port
                reserved = null;
            }
            rdma.addKey(keys);
            return rdma;
        }
    }

    private SocketChannel becomeTcp() throws IOException {
        synchronized (stateLock) {
            SocketChannel tcp = reserved;
            boolean fresh = tcp == null;
            if (tcp == null) {
                tcp = ways.tcp().open(family);
            }
            reserved = null;
            become(tcp, fresh);
            return tcp;
        }
    }

    /** Makes {@code channel} what this one is, with what was set before; under the lock of the state. */
    private void become(SocketChannel channel, boolean fresh) throws IOException {
        boolean became = false;
        try {
            requireOpen();
            undecided.giveTo(channel);
            channel.configureBlocking(blocking);
            if (fresh && !(channel instanceof RdmaSocketChannel)) {
                bind(channel);
            }
            side = channel;
            became = true;
        } finally {
            if (!became) {
                channel.close();
            }
        }
    }

    /** Binds a channel of the JDK's where this is bound; to another port if RDMA had that one and any will do. */
    private void bind(SocketChannel tcp) throws IOException {
        InetSocketAddress its = bound;
        if (its == null) {
            return;
        }
        try {
            tcp.bind(its);
        } catch (BindException e) {
            if (!ofAnyPort) {
                throw e;
            }
            tcp.bind(new InetSocketAddress(its.getAddress(), 0));
        }
    }

    private void race(Target to, RdmaSocketChannel rdma, long patienceNanos, long nanos) {
        PlainRace.Course course = new PlainRace.Course() {
            @Override
            public boolean isPending() {
                return isOpen() && state == State.PENDING && rdma.equals(side) && !rdma.isSetUp();
            }

            @Override
            public long silentNanos() {
                return rdma.silentNanos();
            }

            @Override
            public boolean isAnnounced() {
                return rdma.isAnnounced();
            }

            @Override
            public @Nullable SocketChannel open() throws IOException {
                if (bound != null && !ofAnyPort) {
                    return null; // RDMA has the port
                }
                SocketChannel channel = ways.tcp().open(family);
                boolean opened = false;
                try {
                    undecided.giveTo(channel);
                    bind(channel);
                    opened = true;
                    return channel;
                } finally {
                    if (!opened) {
                        channel.close();
                    }
                }
            }

            @Override
            public void giveUp(@Nullable SocketChannel connected, String why) throws IOException {
                FallbackSocketChannel.this.giveUp(to, rdma, connected, why);
            }
        };
        PlainRace its = new PlainRace(course, to.address(), patienceNanos, nanos);
        race = its;
        its.start();
    }

    /** Gives up RDMA's attempt, if it has not ended, for {@code connected}, or for an attempt that follows. */
    private void giveUp(Target to, RdmaSocketChannel rdma, @Nullable SocketChannel connected, String why)
            throws IOException {
        boolean kept = false;
        try {
            synchronized (stateLock) {
                // One that has failed is closed: whoever waits for it falls back by itself.
                if (!isOpen() || !rdma.equals(side) || rdma.isSetUp() || !rdma.isOpen() || rdma.silentNanos() == 0) {
                    return;
                }
                if (connected == null) {
                    givenUp = new ConnectException(why);
                } else {
                    connected.configureBlocking(blocking);
                    side = connected;
                    kept = true;
                    raceWon = true;
                    // Before it is asked again, whose answer may come at once, and before anybody can know.
                    ways.peers().isPlain(to.address());
                }
            }
        } finally {
            if (connected != null && !kept) {
                connected.close();
            }
        }
        rdma.close();
        keys.changed();
        // The waiting thread goes on before anything is logged: a logger may use sockets, and so this channel.
        if (kept) {
            askAgain(to); // so that a peer that is slow for once, or always, is known the next time
            ways.fellBack(to, why);
        }
    }

    /** Goes on with plain TCP, without waiting, if {@code rdma} is what this still is. */
    private void fallBack(RdmaSocketChannel rdma, Target to, IOException why) {
        synchronized (stateLock) {
            if (!rdma.equals(side) || !isOpen()) {
                return;
            }
            try {
                endOf(rdma);
                becomeTcp().connect(to.address()); // it may be connected at once: then finishConnect finds it so
            } catch (IOException | RuntimeException e) {
                failure = e instanceof IOException told ? told : new IOException(e.getMessage(), e);
            }
        }
        keys.changed();
        ways.fellBack(to, String.valueOf(why.getMessage())); // without the lock: a logger may use sockets
    }

    @Override
    public boolean finishConnect() throws IOException {
        connectLock.lock();
        try {
            if (isConnected()) {
                return true;
            }
            requireOpen();
            if (state == State.UNCONNECTED) {
                throw new NoConnectionPendingException();
            }
            return done(finish());
        } catch (IOException e) {
            Target to = target;
            if (to != null) {
                failed(to, e);
            }
            close();
            throw e;
        } finally {
            connectLock.unlock();
        }
    }

    private boolean finish() throws IOException {
        Target to = Objects.requireNonNull(target);
        if (side instanceof RdmaSocketChannel rdma) {
            IOException why = givenUp();
            try {
                if (why == null) {
                    return notGivenUp(rdma.finishConnect());
                }
            } catch (IOException e) {
                if (isTcp()) {
                    return finishTcp();
                }
                IOException told = givenUp();
                why = told != null ? told : e;
                if (!mayFallBack(to, told != null ? null : rdma, why)) {
                    throw e;
                }
            }
            if (isBlocking()) {
                ways.fellBack(to, String.valueOf(why.getMessage()));
                endOf(rdma);
                return becomeTcp().connect(to.address());
            }
            fallBack(rdma, to, why);
        }
        return finishTcp();
    }

    private boolean finishTcp() throws IOException {
        SocketChannel tcp;
        synchronized (stateLock) {
            if (failure != null) {
                throw failure;
            }
            tcp = Objects.requireNonNull(side);
        }
        return tcp.finishConnect();
    }

    /** Returns {@code connected}; throws why RDMA was given up if its answer has come just then: it is being closed. */
    private boolean notGivenUp(boolean connected) throws IOException {
        IOException why = connected ? givenUp() : null;
        if (why != null) {
            throw why;
        }
        return connected;
    }

    private @Nullable IOException givenUp() {
        synchronized (stateLock) {
            return isOpen() ? givenUp : null;
        }
    }

    /**
     * Tells whether another thread is to wait in the JDK's channel, for one that holds the lock of the mode.
     *
     * @param movable whether another thread may do it
     */
    private boolean waitsElsewhere(boolean movable) {
        return movable && blockingLock.isHeld() && isBlocking();
    }

    /** Does {@code operation}, which waits in the system, where it cannot release the lock, on another thread. */
    private long elsewhere(BlockingLock.Waiting operation) throws IOException {
        long count = 0;
        try {
            begin();
            count = blockingLock.released(operation);
        } finally {
            end(count != 0);
        }
        return count;
    }

    /** Notes what a read of the JDK's channel says of the peer; returns {@code count}. */
    private long hasRead(long count) {
        if (count > 0) {
            heard = true;
        } else if (count < 0 && isOpen()) {
            endedUnheard();
        }
        return count;
    }

    /** Throws an exception if the output is shut: a stream of the JDK's channel has another class than its channel. */
    private void requireOutput() throws ClosedChannelException {
        if (blockingLock.isHeld() && isOutputShut()) {
            throw new ClosedChannelException();
        }
    }

    /**
     * Forgets a peer that ends a plain connection without a byte, as those do that speak RDMA alone: by a reset, or by
     * the end if it has read all that was written.
     */
    private void endedUnheard() {
        Target to = target;
        if (!heard && to != null && to.isAuto() && tcp() != null) {
            ways.peers().forgetPlain(to.address());
        }
    }

    // Reading and writing make no garbage: an operation is an object only where another thread does it.

    @Override
    public int read(ByteBuffer target) throws IOException {
        Objects.requireNonNull(target);
        try {
            SocketChannel its = connected();
            if (its instanceof RdmaSocketChannel) {
                return its.read(target);
            }
            return (int)
                    hasRead(waitsElsewhere(target.hasArray()) ? elsewhere(() -> its.read(target)) : its.read(target));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    int read(ByteBuffer target, boolean wait, long nanos) throws IOException {
        try {
            SocketChannel its = connected();
            if (its instanceof RdmaSocketChannel rdma) {
                return rdma.read(target, wait, nanos);
            }
            if (!wait || nanos < 0) {
                return read(target);
            }
            return (int) hasRead(
                    waitsElsewhere(true)
                            ? elsewhere(() -> timedRead(its.socket(), target, nanos))
                            : timedRead(its.socket(), target, nanos));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    void await(int interest, long nanos) throws IOException {
        SocketChannel its = side;
        if (its instanceof RdmaSocketChannel rdma) {
            rdma.await(interest, nanos);
        } else if (its != null) {
            parking.park(its, interest, nanos);
        }
    }

    @Override
    boolean requiresRdma(InetSocketAddress remote) {
        InetSocketAddress known = remote.isUnresolved() ? new InetSocketAddress(remote.getPort()) : remote;
        return ways.rules().toConnect(known).use() == RdmaUse.REQUIRE;
    }

    @Override
    void closeLingering() throws IOException {
        if (state == State.CONNECTED && side instanceof RdmaSocketChannel rdma) {
            rdma.closeLingering(); // an attempt is given up at once
        }
        close();
    }

    @Override
    int available() throws IOException {
        SocketChannel its = connected();
        return its instanceof RdmaSocketChannel rdma
                ? rdma.available()
                : its.socket().getInputStream().available();
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
        Objects.checkFromIndexSize(offset, length, targets.length);
        try {
            SocketChannel its = connected();
            long count = its.read(targets, offset, length);
            return its instanceof RdmaSocketChannel ? count : hasRead(count);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        Objects.requireNonNull(source);
        try {
            SocketChannel its = connected();
            if (its instanceof RdmaSocketChannel) {
                return its.write(source);
            }
            requireOutput();
            return waitsElsewhere(source.hasArray()) ? (int) elsewhere(() -> its.write(source)) : its.write(source);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, sources.length);
        try {
            SocketChannel its = connected();
            if (!(its instanceof RdmaSocketChannel)) {
                requireOutput();
            }
            return its.write(sources, offset, length);
        } catch (IOException e) {
            throw failed(e);
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
        Target to = target;
        SocketChannel its = side;
        return to != null
                ? to.address()
                : its == null ? null : (InetSocketAddress) its.socket().getRemoteSocketAddress();
    }

    @Override
    @Nullable
    InetSocketAddress local() {
        SocketChannel its = side;
        InetSocketAddress address =
                its == null ? null : (InetSocketAddress) its.socket().getLocalSocketAddress();
        synchronized (stateLock) {
            return address != null ? address : bound;
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
        endRace();
        SocketChannel its;
        Target to = target;
        synchronized (stateLock) {
            its = side;
            if (reserved != null) {
                reserved.close();
            }
            if (state == State.PENDING && to != null && to.kind() == Kind.RDMA) {
                ways.peers().forget(to.address()); // who gives up early is not to do so each time
            }
        }
        if (its instanceof RdmaSocketChannel) {
            its.close();
        } else if (its != null) {
            parking.close(its);
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the same channel, not an equal one
    protected void implConfigureBlocking(boolean block) throws IOException {
        connectLock.lock();
        try {
            SocketChannel its;
            do {
                synchronized (stateLock) {
                    requireOpen();
                    blocking = block;
                    its = side;
                }
                // It waits for who reads or writes, whom a close, which takes the lock of the state, may end.
                configure(its, block);
            } while (side != its);
        } finally {
            connectLock.unlock();
        }
    }

    @SuppressWarnings("ReferenceEquality") // the same channel, not an equal one
    private void configure(@Nullable SocketChannel its, boolean block) throws IOException {
        try {
            if (its != null) {
                its.configureBlocking(block);
            }
        } catch (ClosedChannelException e) {
            if (its == side) {
                throw e;
            }
        }
    }

    @Override
    public int ready(int interest) {
        if (!isOpen()) {
            return 0;
        }
        if (side instanceof RdmaSocketChannel rdma) {
            Target to = target;
            IOException early = null;
            IOException why = null;
            if (state == State.PENDING) {
                early = givenUp();
                why = early != null ? early : rdma.refusal();
            }
            if (why == null || to == null || !mayFallBack(to, early != null ? null : rdma, why)) {
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
        return tcp();
    }

    @Override
    @Nullable
    SocketChannel tcp() {
        SocketChannel its = side;
        return its instanceof RdmaSocketChannel ? null : its;
    }

    @Override
    public String toString() {
        SocketChannel its = side;
        return its != null ? its.toString() : "FallbackSocketChannel[" + (isOpen() ? "unconnected" : "closed") + "]";
    }
}

package org.panamaverbs.sockets.channel;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.device.QueuePairStatistics;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.sockets.stream.Driver;
import org.panamaverbs.sockets.stream.RdmaStream;
import org.panamaverbs.sockets.stream.StreamDevice;
import org.panamaverbs.sockets.tcp.Family;
import org.panamaverbs.sockets.tcp.SocketOptions;
import org.panamaverbs.sockets.tcp.Tcp;

/** A channel over RDMA; as the contract of {@link SocketChannel} says. */
public final class RdmaSocketChannel extends AdaptedSocketChannel {
    private enum State {
        UNCONNECTED,
        PENDING,
        CONNECTED
    }

    private final StreamDevice device;

    /** How long an attempt to connect may take. */
    private final long connectSeconds;

    private final Tcp tcp;
    private final SocketOptions options;
    private final Family family;
    private final BlockingLock blockingLock;

    // Held by a thread that reads, or writes, and may wait; by one that connects both, in this order. Who may not
    // wait does one thing to the stream, whose lock is enough.
    private final BlockingLock.Direction readLock;
    private final BlockingLock.Direction writeLock;

    private final Object stateLock = new Object();

    // Guarded by the lock of the state.

    private volatile State state;
    private volatile @Nullable RdmaStream stream;

    /**
     * Keeps the port from others until the channel connects; null where another channel does, or none is to be kept.
     */
    private @Nullable NetworkChannel reserved;

    private @Nullable InetSocketAddress bound;

    /** Where it connects to; null if it was accepted. */
    private volatile @Nullable InetSocketAddress asked;

    private volatile boolean inputShut;
    private volatile boolean outputShut;

    /** What waits for the end of a channel that was closed. */
    private volatile @Nullable Runnable end;

    /** A read has told that the connection was reset, and so does every one from then on. */
    private volatile boolean reset;

    /** Creates a channel that is not connected. */
    public RdmaSocketChannel(SelectorProvider provider, StreamDevice device, Tcp tcp, Family family)
            throws IOException {
        super(provider);
        this.device = device;
        this.tcp = tcp;
        this.family = family;
        options = tcp.rdmaStream();
        connectSeconds = StreamDevice.CONNECT_SECONDS;
        state = State.UNCONNECTED;
        blockingLock = new BlockingLock(blockingLock());
        readLock = blockingLock.new Direction();
        writeLock = blockingLock.new Direction();
    }

    /**
     * Creates a channel that another one becomes.
     *
     * @param owner the channel that becomes this one
     * @param bound where it is bound; null for anywhere
     * @param connectSeconds after how many seconds an attempt to connect fails
     */
    RdmaSocketChannel(
            AdaptedSocketChannel owner,
            StreamDevice device,
            Tcp tcp,
            @Nullable InetSocketAddress bound,
            long connectSeconds)
            throws IOException {
        super(owner.provider());
        this.device = device;
        this.tcp = tcp;
        this.bound = bound;
        this.connectSeconds = connectSeconds;
        family = Family.BOTH; // its owner has looked at addresses
        options = tcp.rdmaStream();
        state = State.UNCONNECTED;
        blockingLock = new BlockingLock(owner.blockingLock());
        readLock = blockingLock.new Direction();
        writeLock = blockingLock.new Direction();
    }

    /** Creates a channel of a stream that was accepted. */
    RdmaSocketChannel(
            SelectorProvider provider, StreamDevice device, Tcp tcp, SocketOptions options, RdmaStream accepted) {
        super(provider);
        this.device = device;
        this.tcp = tcp;
        this.options = options;
        family = Family.BOTH;
        connectSeconds = StreamDevice.CONNECT_SECONDS;
        stream = accepted;
        state = State.CONNECTED;
        blockingLock = new BlockingLock(blockingLock());
        readLock = blockingLock.new Direction();
        writeLock = blockingLock.new Direction();
        accepted.observe(keys);
    }

    @Override
    Socket makeAdaptor() {
        return RdmaSocket.of(this);
    }

    private RdmaStream connected() throws ClosedChannelException {
        requireOpen();
        RdmaStream its = stream;
        if (state != State.CONNECTED || its == null) {
            throw new NotYetConnectedException();
        }
        return its;
    }

    @Override
    public SocketChannel bind(@Nullable SocketAddress local) throws IOException {
        readLock.lock();
        writeLock.lock();
        try {
            synchronized (stateLock) {
                requireOpen();
                if (state == State.PENDING) {
                    throw new ConnectionPendingException();
                }
                if (bound != null || state == State.CONNECTED) {
                    throw new AlreadyBoundException();
                }
                NetworkChannel its = tcp.reserve(family, options, family.local(local));
                reserved = its;
                bound = (InetSocketAddress) its.getLocalAddress();
            }
        } finally {
            writeLock.unlock();
            readLock.unlock();
        }
        return this;
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        options.check(name, value);
        requireOpen();
        synchronized (stateLock) {
            int before = options.keepaliveSeconds();
            options.set(name, value);
            int after = options.keepaliveSeconds();
            if (stream != null && after != before) {
                stream.keepalive(after);
            }
        }
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        options.check(name);
        requireOpen();
        return options.get(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return options.supported();
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
        readLock.lock();
        try {
            return connect(remote, isBlocking(), Timeouts.NEVER);
        } finally {
            readLock.unlock();
        }
    }

    @Override
    boolean connect(SocketAddress remote, boolean wait, long nanos) throws IOException {
        InetSocketAddress address = family.remote(remote);
        readLock.lock();
        writeLock.lock();
        try {
            if (wait && !isBlocking()) {
                throw new IllegalBlockingModeException();
            }
            synchronized (stateLock) {
                requireOpen();
                switch (state) {
                    case CONNECTED -> throw new AlreadyConnectedException();
                    case PENDING -> throw new ConnectionPendingException();
                    case UNCONNECTED -> begin(address);
                }
            }
            return wait && finish(true, nanos);
        } catch (IOException e) {
            close();
            throw e;
        } finally {
            writeLock.unlock();
            readLock.unlock();
        }
    }

    private void begin(InetSocketAddress address) throws IOException {
        asked = address;
        if (reserved != null) {
            reserved.close();
            reserved = null;
        }
        RdmaStream begun = device.connect(address, Family.from(bound, address), options.sizes(), connectSeconds);
        stream = begun;
        state = State.PENDING;
        begun.keepalive(options.keepaliveSeconds());
        begun.observe(keys);
    }

    @Override
    public boolean finishConnect() throws IOException {
        readLock.lock();
        writeLock.lock();
        try {
            requireOpen();
            return switch (state) {
                case CONNECTED -> true;
                case UNCONNECTED -> throw new NoConnectionPendingException();
                case PENDING -> finish(isBlocking(), Timeouts.NEVER);
            };
        } catch (IOException e) {
            close();
            throw e;
        } finally {
            writeLock.unlock();
            readLock.unlock();
        }
    }

    private boolean finish(boolean wait, long nanos) throws IOException {
        RdmaStream its = Objects.requireNonNull(stream);
        boolean done = false;
        try {
            if (wait) {
                begin();
                if (isOpen()) {
                    awaitSetUp(its, nanos);
                    goesOn();
                }
            }
            done = its.isSetUp();
            its.requireConnected();
        } finally {
            if (wait) {
                end(done && isOpen()); // a stream that a close has ended is set up, too
            }
        }
        if (!done) {
            if (wait) {
                throw new SocketTimeoutException("connect timed out");
            }
            return false;
        }
        synchronized (stateLock) {
            requireOpen();
            state = State.CONNECTED;
        }
        keys.changed(); // who wants to read or write was not ready before
        return true;
    }

    private void awaitSetUp(RdmaStream its, long nanos) {
        if (blockingLock.isHeld()) {
            blockingLock.releasedFor(() -> its.awaitSetUp(nanos));
        } else {
            its.awaitSetUp(nanos);
        }
    }

    private void awaitInput(RdmaStream its, long nanos) {
        if (!blockingLock.isHeld()) {
            its.awaitInput(nanos);
            return;
        }
        its.awaitInput(0); // what comes at once needs no other thread
        if (!its.isReadable()) {
            blockingLock.releasedFor(() -> its.awaitInput(nanos));
        }
    }

    /** Tells whether its attempt to connect has ended. */
    boolean isSetUp() {
        RdmaStream its = stream;
        return its != null && its.isSetUp();
    }

    /**
     * Returns how long the peer has been silent, 0 if it has shown that it speaks RDMA, negative before it was asked.
     */
    long silentNanos() {
        RdmaStream its = stream;
        return its == null ? -1 : its.silentNanos();
    }

    /** Tells whether somebody on this host says that the peer speaks RDMA. */
    boolean isAnnounced() {
        RdmaStream its = stream;
        return its != null && its.isAnnounced();
    }

    /** Returns why it could not be connected; null if it was, or may still be. */
    @Nullable
    IOException refusal() {
        RdmaStream its = stream;
        try {
            if (its != null) {
                its.requireConnected();
            }
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        Objects.requireNonNull(target);
        if (!isBlocking()) {
            return readOnce(target, false, Timeouts.NEVER);
        }
        readLock.lock();
        try {
            return readOnce(target, isBlocking(), Timeouts.NEVER);
        } finally {
            readLock.unlock();
        }
    }

    @Override
    int read(ByteBuffer target, boolean wait, long nanos) throws IOException {
        readLock.lock();
        try {
            return readOnce(target, wait, nanos);
        } finally {
            readLock.unlock();
        }
    }

    @Override
    void await(int interest, long nanos) {
        RdmaStream its = stream;
        if (its == null) {
            return;
        }
        switch (interest) {
            case SelectionKey.OP_READ -> its.awaitInput(nanos);
            case SelectionKey.OP_WRITE -> its.awaitOutput(nanos);
            default -> its.awaitSetUp(nanos);
        }
    }

    @Override
    boolean requiresRdma(InetSocketAddress remote) {
        return true;
    }

    @Override
    void closeLingering() throws IOException {
        boolean lingers = state == State.CONNECTED && options.lingerSeconds() > 0;
        close();
        if (lingers) {
            awaitEnd();
        }
    }

    @Override
    int available() throws IOException {
        return connected().available();
    }

    private int readOnce(ByteBuffer target, boolean wait, long nanos) throws IOException {
        RdmaStream its = connected();
        requireNoReset();
        if (inputShut) {
            return -1;
        }
        Buffers.requireWritable(target);
        Buffers.requireAccessible(target);
        int count = 0;
        try {
            if (wait) {
                begin();
            }
            if (isOpen() && target.hasRemaining()) {
                count = its.read(target);
                if (count == 0 && wait) {
                    awaitInput(its, nanos);
                    count = goesOn() ? its.read(target) : 0;
                }
            }
        } catch (SocketException e) {
            reset = true;
            throw e;
        } finally {
            ended(wait, count != 0);
        }
        return count;
    }

    private void requireNoReset() throws SocketException {
        if (reset) {
            throw new SocketException("Connection reset");
        }
    }

    /** Ends an operation, and says that the channel was closed meanwhile if nothing came of it. */
    private void ended(boolean wait, boolean completed) throws AsynchronousCloseException {
        if (wait) {
            end(completed);
        } else if (!completed && !isOpen()) {
            throw new AsynchronousCloseException();
        }
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, targets.length);
        if (!isBlocking()) {
            return readOnce(targets, offset, length, false);
        }
        readLock.lock();
        try {
            return readOnce(targets, offset, length, isBlocking());
        } finally {
            readLock.unlock();
        }
    }

    private long readOnce(ByteBuffer[] targets, int offset, int length, boolean wait) throws IOException {
        RdmaStream its = connected();
        requireNoReset();
        if (inputShut) {
            return -1;
        }
        Buffers.requireWritable(targets, offset, length);
        long count = 0;
        try {
            if (wait) {
                begin();
            }
            if (isOpen() && Buffers.haveRemaining(targets, offset, length)) {
                count = its.read(targets, offset, length);
                if (count == 0 && wait) {
                    awaitInput(its, Timeouts.NEVER);
                    count = goesOn() ? its.read(targets, offset, length) : 0;
                }
            }
        } catch (SocketException e) {
            reset = true;
            throw e;
        } finally {
            ended(wait, count != 0);
        }
        return count;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        Objects.requireNonNull(source);
        if (!isBlocking()) {
            return writeOnce(source, false);
        }
        writeLock.lock();
        try {
            return writeOnce(source, isBlocking());
        } finally {
            writeLock.unlock();
        }
    }

    private int writeOnce(ByteBuffer source, boolean wait) throws IOException {
        RdmaStream its = connected();
        requireOutput();
        int written = 0;
        try {
            boolean goesOn = beginsWrite(wait);
            while (goesOn) {
                written += its.write(source);
                goesOn = wait && source.hasRemaining() && hasAwaitedOutput(its);
            }
        } catch (IOException e) {
            if (written == 0) { // else the next write reports it: what was taken has to be known
                throw writeFailure(e);
            }
        } finally {
            ended(wait, written > 0);
        }
        return written;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, sources.length);
        if (!isBlocking()) {
            return writeOnce(sources, offset, length, false);
        }
        writeLock.lock();
        try {
            return writeOnce(sources, offset, length, isBlocking());
        } finally {
            writeLock.unlock();
        }
    }

    private long writeOnce(ByteBuffer[] sources, int offset, int length, boolean wait) throws IOException {
        RdmaStream its = connected();
        requireOutput();
        Buffers.requireAccessible(sources, offset, length);
        long written = 0;
        try {
            boolean goesOn = beginsWrite(wait);
            while (goesOn) {
                written += its.write(sources, offset, length);
                goesOn = wait && Buffers.haveRemaining(sources, offset, length) && hasAwaitedOutput(its);
            }
        } catch (IOException e) {
            if (written == 0) { // else the next write reports it: what was taken has to be known
                throw writeFailure(e);
            }
        } finally {
            ended(wait, written > 0);
        }
        return written;
    }

    /**
     * Has the peer write {@code memory}; as {@link RdmaStream#iomap}.
     *
     * @throws NotYetConnectedException if it is not connected
     * @throws ClosedChannelException if it is closed, or its output is shut
     */
    public RegisteredBuffer iomap(MemorySegment memory, long offset) throws IOException {
        return writable().iomap(memory, offset);
    }

    /**
     * Writes into memory that the peer has mapped; in blocking mode all, or as much as is mapped in one piece.
     *
     * @throws IOException if the peer has mapped nothing at {@code offset}; otherwise as {@link #write(ByteBuffer)}
     */
    public int iowrite(ByteBuffer source, long offset) throws IOException {
        writeLock.lock();
        try {
            boolean wait = isBlocking();
            RdmaStream its = writable();
            int written = 0;
            try {
                boolean goesOn = beginsWrite(wait);
                while (goesOn) {
                    int count = its.iowrite(source, offset + written);
                    if (count < 0 && written == 0) {
                        throw new IOException("the peer has no mapping at offset " + offset);
                    }
                    written += Math.max(count, 0);
                    goesOn = wait && count >= 0 && source.hasRemaining() && hasAwaitedDirectRoom(its);
                }
            } catch (IOException e) {
                throw writeFailure(e);
            } finally {
                ended(wait, written > 0);
            }
            return written;
        } finally {
            writeLock.unlock();
        }
    }

    /** Begins a write that may {@code wait}; false if the channel was closed meanwhile. */
    private boolean beginsWrite(boolean wait) {
        if (wait) {
            begin();
        }
        return isOpen();
    }

    private boolean hasAwaitedOutput(RdmaStream its) {
        if (!blockingLock.isHeld()) {
            its.awaitOutput(Timeouts.NEVER);
            return goesOn();
        }
        its.awaitOutput(0); // as for input
        if (!its.isWritable()) {
            blockingLock.releasedFor(() -> its.awaitOutput(Timeouts.NEVER));
        }
        return goesOn();
    }

    private boolean hasAwaitedDirectRoom(RdmaStream its) {
        its.awaitDirectRoom(Timeouts.NEVER);
        return goesOn();
    }

    /**
     * Goes on after a wait; false if the channel was closed meanwhile. A wait that drives is interrupted below, in
     * place of the channel: then it is closed here.
     */
    private boolean goesOn() {
        begin();
        return isOpen();
    }

    /**
     * Returns what a write under way throws: another exception if another thread has shut down the output meanwhile.
     */
    private IOException writeFailure(IOException failure) {
        return outputShut ? (IOException) new AsynchronousCloseException().initCause(failure) : failure;
    }

    /** Throws an exception if the output is shut, of the class that the JDK's channel throws. */
    private void requireOutput() throws ClosedChannelException {
        if (outputShut) {
            // A stream of the JDK's channel holds this lock, too, and has another class than its channel.
            throw blockingLock.isHeld() ? new ClosedChannelException() : new AsynchronousCloseException();
        }
    }

    private RdmaStream writable() throws ClosedChannelException {
        RdmaStream its = connected();
        if (outputShut) {
            throw new ClosedChannelException();
        }
        return its;
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        synchronized (stateLock) {
            RdmaStream its = connected();
            if (!inputShut) {
                inputShut = true;
                its.shutdownInput();
            }
        }
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        synchronized (stateLock) {
            RdmaStream its = connected();
            if (!outputShut) {
                outputShut = true;
                its.shutdownOutput();
            }
        }
        return this;
    }

    @Override
    boolean isInputShut() {
        return inputShut;
    }

    @Override
    boolean isOutputShut() {
        return outputShut;
    }

    @Override
    @Nullable
    InetSocketAddress remote() {
        InetSocketAddress its = asked;
        RdmaStream accepted = stream;
        return its != null ? its : accepted == null ? null : accepted.remoteAddress();
    }

    @Override
    @Nullable
    InetSocketAddress local() {
        RdmaStream its = stream;
        InetSocketAddress address = its == null ? null : its.localAddress();
        synchronized (stateLock) {
            return address != null ? address : bound;
        }
    }

    /** Returns how the connection goes, for people: what was negotiated, and over what; null before it is connected. */
    public @Nullable String transport() {
        RdmaStream its = stream;
        return its == null ? null : its.transport();
    }

    /** Returns what the connection's queue pair has counted; null before it is connected. */
    public @Nullable QueuePairStatistics statistics() {
        RdmaStream its = stream;
        return its == null ? null : its.statistics();
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        RdmaStream its;
        synchronized (stateLock) {
            its = stream;
            if (reserved != null) {
                reserved.close();
            }
        }
        if (its == null) {
            return;
        }
        Runnable ended = its.close(state == State.CONNECTED ? options.lingerNanos() : 0);
        end = ended;
        if (isBlocking() && options.lingerSeconds() > 0) {
            ended.run();
        }
    }

    /** Waits until the channel, which is closed, has let go of all that it had. */
    void awaitEnd() {
        Runnable its = end;
        if (its != null) {
            its.run();
        }
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        readLock.lock();
        writeLock.lock();
        try {
            requireOpen();
        } finally {
            writeLock.unlock();
            readLock.unlock();
        }
    }

    @Override
    public int ready(int interest) {
        RdmaStream its = stream;
        if (its == null || !isOpen()) {
            return 0;
        }
        if (state == State.PENDING) {
            return (interest & SelectionKey.OP_CONNECT) != 0 && its.isSetUp() ? SelectionKey.OP_CONNECT : 0;
        }
        int ready = 0;
        if ((interest & SelectionKey.OP_READ) != 0 && its.isReadable()) {
            ready |= SelectionKey.OP_READ;
        }
        if ((interest & SelectionKey.OP_WRITE) != 0 && its.isWritable()) {
            ready |= SelectionKey.OP_WRITE;
        }
        return ready;
    }

    @Override
    public boolean arm() {
        RdmaStream its = stream;
        return its != null && its.arm();
    }

    @Override
    public Driver driver() {
        return device.driver();
    }

    @Override
    public String toString() {
        String what = switch (state) {
            case UNCONNECTED -> "unconnected";
            case PENDING -> "connection-pending";
            case CONNECTED -> "connected";
        };
        return "RdmaSocketChannel[" + (isOpen() ? what : "closed") + " local=" + local() + " remote=" + remote() + "]";
    }
}

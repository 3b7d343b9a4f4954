package org.panamaverbs.sockets.stream;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.api.device.QueuePairStatistics;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.Resources;
import org.panamaverbs.sockets.rsocket.ConnectData;

/**
 * A stream of bytes in both directions. Reading and writing never wait; who wants to wait does so by
 * {@link #awaitInput} and {@link #awaitOutput}, or observes it.
 *
 * <p>Whoever is in one of its methods serves it: takes what has completed, and grants the peer what is due. While
 * nobody is, the {@link Driver} does, for which the queue of what comes is armed: before a thread sleeps, before a
 * selector does, and when nobody has served the stream for a while. A thread that polls is not interrupted by it. The
 * queue of what was sent is armed as long as somebody wants room. One lock guards all of it.
 */
public final class RdmaStream implements EventTarget {
    private static final Logger LOG = System.getLogger(RdmaStream.class.getName());

    private static final int POLLS_A_CLOCK = 32;

    /** How often a stream in use is asked whether it rests. */
    private static final int TRIM_SECONDS = 1;

    private final Driver driver;
    private final StreamParts parts;
    private final boolean bigEndian;

    private final ReentrantLock lock = new ReentrantLock();

    // What the driver has left, and then, that it has left something.

    private volatile @Nullable Connection made;
    private volatile @Nullable IOException refused;
    private volatile boolean completed;
    private volatile boolean lost;
    private volatile boolean keepaliveDue;
    private volatile boolean trimDue;
    private volatile boolean left;

    // The rest is changed under the lock alone.

    private final StreamWaiters waiters;
    private StreamObserver observer = () -> {};
    private @Nullable PendingConnection pending;

    /** Null until it is established. */
    private @Nullable LiveStream live;

    /** What reminds it to ask the peer for a sign of life. */
    private @Nullable Future<?> reminder;

    /** What has the rings trimmed as long as they are used. */
    private @Nullable Future<?> trimmer;

    /** Nothing can remind it of that. */
    private boolean unwatched;

    /** The peer was asked for a connection, and has shown that plain TCP would not reach it. */
    private boolean answered;

    /** Why it was not established. */
    private @Nullable IOException failure;

    private boolean closed;

    /** The driver is going to be told of what comes. */
    private boolean armed;

    /** Calls that served it, and those of them that were seen by the driver when it looked last. */
    private int served;

    private int servedSeen;

    /** Its memory is gone. */
    private boolean released;

    RdmaStream(Driver driver, StreamParts parts, boolean bigEndian) {
        this.driver = driver;
        this.parts = parts;
        this.bigEndian = bigEndian;
        waiters = new StreamWaiters(driver, lock);
    }

    /** Goes on with an attempt that was begun on its queue pair. */
    void begun(PendingConnection attempt) {
        lock.lock();
        try {
            pending = attempt;
        } finally {
            unlock();
        }
        driver.events().add(attempt, this);
    }

    /** Has {@code newObserver} told in the place of the one before, at first now: something may have happened. */
    public void observe(StreamObserver newObserver) {
        lock.lock();
        try {
            observer = newObserver;
            newObserver.changed();
        } finally {
            unlock();
        }
    }

    /**
     * Leaves what happened to whoever has the lock, and takes it if nobody has: a thread that polls without end would
     * keep the driver from all other streams.
     */
    @Override
    public void happened(Event event) {
        switch (event.type()) {
            case ESTABLISHED -> made = event.connection();
            case FAILED -> refused = ConnectFailures.of(event.failure());
            case COMPLETION -> completed = true;
            case DISCONNECTED -> lost = true;
            default -> throw new IllegalStateException("unexpected event of a stream: " + event);
        }
        leave();
    }

    private void leave() {
        left = true;
        // Who waits lets go of the lock without a look at what is left: it says so before it looks for the last time.
        if (lock.tryLock()) {
            unlock();
        } else if (waiters.areSome()) {
            lock.lock();
            unlock();
        }
    }

    /** Lets go of the lock, with nothing left and nothing untold. */
    private void unlock() {
        if (lock.getHoldCount() > 1) {
            lock.unlock();
            return;
        }
        do {
            try {
                takeLeft();
                tellNews();
                serveMore();
                watchUse();
            } finally {
                lock.unlock();
            }
        } while (left && lock.tryLock());
    }

    /** Has what is behind as much as is taken at once taken by a thread of its own, so that it keeps nobody. */
    private void serveMore() {
        if (live != null && live.takeMore()) {
            driver.start(() -> {
                completed = true;
                leave();
            });
        }
    }

    /** Has pages be given back later. Whoever has read or written is not to fail for that. */
    private void watchUse() {
        if (trimmer != null || unwatched || !parts.discards || live == null || !live.isUsed() || closed) {
            return;
        }
        try {
            trimmer = driver.reminders().every(TRIM_SECONDS, () -> {
                trimDue = true;
                leave();
            });
        } catch (RejectedExecutionException e) {
            unwatched = true; // the device is closed
        } catch (OutOfMemoryError e) {
            unwatched = true; // no thread: not to be tried at each read
            LOG.log(Level.ERROR, "an rsocket does not give back memory that it does not use", e);
        }
    }

    /** Has pages be given back, and is asked no more once it is not in use. */
    private void trim(LiveStream stream) {
        stream.trim();
        if (!stream.isUsed()) {
            forget(trimmer);
            trimmer = null;
        }
    }

    /** Takes what the driver has left. */
    private void takeLeft() {
        if (!left) {
            return;
        }
        left = false;
        Connection its = made;
        if (its != null) {
            made = null;
            established(its);
        }
        IOException why = refused;
        if (why != null) {
            refused = null;
            failed(why);
        }
        boolean came = completed;
        completed = false;
        LiveStream stream = released ? null : live;
        if (stream != null && came) {
            armed = false;
            stream.serve();
            stream.takeSent();
        }
        boolean due = keepaliveDue;
        keepaliveDue = false;
        if (stream != null && due) {
            stream.keepalive();
        }
        boolean trims = trimDue;
        trimDue = false;
        if (stream != null && trims) {
            trim(stream);
        }
        if (stream != null && lost) {
            stream.serve();
            stream.wentDown();
        }
    }

    private void failed(IOException why) {
        answered |= pending != null && pending.silentNanos() == 0;
        pending = null;
        failure = why;
        tell();
    }

    private void established(Connection made) {
        pending = null;
        if (closed) {
            made.close();
            return;
        }
        byte[] data = made.privateData();
        String fault = ConnectData.fault(data);
        if (fault != null) {
            made.close();
            failed(new ConnectException(
                    "the peer at " + made.remoteAddress() + " is not an rsocket: it sent " + fault));
            return;
        }
        LiveStream its = new LiveStream(parts, bigEndian, made, ConnectData.decode(data));
        answered = true;
        live = its;
        driver.events().add(parts.channel, this);
        driver.events().add(made, this);
        armNow();
        its.serve();
    }

    /** Has the driver told of what comes from now on; false if it is, or there is nothing to come. */
    private boolean armNow() {
        if (armed || live == null || released) {
            return false;
        }
        armed = true;
        parts.receives.arm(false);
        return true;
    }

    /**
     * Has the observer told when it may be ready for something that it was not, whoever serves it; to be called before
     * a thread sleeps that has found it not to be.
     *
     * @return whether it is to be looked at once more, as it would not have been told so far
     */
    public boolean arm() {
        lock.lock();
        try {
            return armNow();
        } finally {
            unlock();
        }
    }

    /** Nobody has served it since this was asked: it is armed, and the driver serves it. */
    @Override
    public boolean isAtRest() {
        if (!lock.tryLock()) {
            return false; // who has the lock serves it
        }
        try {
            if (served != servedSeen) {
                servedSeen = served;
                return armed;
            }
            LiveStream its = live;
            if (its != null && armNow()) {
                its.serve();
                its.takeSent();
            }
            return true;
        } finally {
            unlock();
        }
    }

    /** Returns how long the peer has been silent, as {@link PendingConnection#silentNanos} says. */
    public long silentNanos() {
        lock.lock();
        try {
            return answered ? 0 : pending == null ? -1 : pending.silentNanos();
        } finally {
            unlock();
        }
    }

    /** Tells whether somebody announces the peer, as {@link PendingConnection#isAnnounced} says. */
    public boolean isAnnounced() {
        lock.lock();
        try {
            return pending != null && pending.isAnnounced();
        } finally {
            unlock();
        }
    }

    private void tellNews() {
        if (live != null && live.takeNews()) {
            tell();
        }
    }

    private void tell() {
        waiters.tell();
        observer.changed();
    }

    private LiveStream live() throws IOException {
        LiveStream its = live;
        if (its == null || released) {
            throw failure != null ? failure : new SocketException(released ? "Socket closed" : "not connected");
        }
        return its;
    }

    /**
     * Reads into {@code target}, which has room, what there is.
     *
     * @return bytes read, 0 if there are none now, -1 at the end
     * @throws IOException if the connection failed
     */
    public int read(ByteBuffer target) throws IOException {
        lock.lock();
        try {
            served++;
            return live().read(target);
        } finally {
            unlock();
        }
    }

    /** Reads what there is into the {@code length} buffers from {@code offset} on; otherwise as into one. */
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        lock.lock();
        try {
            served++;
            return live().read(targets, offset, length);
        } finally {
            unlock();
        }
    }

    /**
     * Writes what there is room for, out of the {@code length} buffers from {@code offset} on.
     *
     * @return bytes written, 0 if there is no room now
     * @throws IOException if the peer takes nothing any more
     */
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        lock.lock();
        try {
            served++;
            return live().write(sources, offset, length);
        } finally {
            unlock();
        }
    }

    /** Writes what there is room for; otherwise as with several buffers. */
    public int write(ByteBuffer source) throws IOException {
        lock.lock();
        try {
            served++;
            return live().write(source);
        } finally {
            unlock();
        }
    }

    private enum Want {
        SET_UP,
        INPUT,
        OUTPUT,
        DIRECT_ROOM
    }

    /** Under the lock. */
    private boolean has(Want want) {
        LiveStream its = live;
        if (its == null || released) {
            return failure != null || released;
        }
        return switch (want) {
            case SET_UP -> true;
            case INPUT -> its.isReadable();
            case OUTPUT -> its.isWritable();
            case DIRECT_ROOM -> its.hasDirectRoom();
        };
    }

    private boolean hasNow(Want want) {
        lock.lock();
        try {
            served++;
            return has(want);
        } finally {
            unlock();
        }
    }

    /** Returns how many bytes {@link #read} would return now, to a buffer that is large enough. */
    public int available() throws IOException {
        lock.lock();
        try {
            served++;
            return live().available();
        } finally {
            unlock();
        }
    }

    /** Tells whether {@link #read} would do something else than return 0. */
    public boolean isReadable() {
        return hasNow(Want.INPUT);
    }

    /** Tells whether {@link #write} would do something else than return 0. */
    public boolean isWritable() {
        return hasNow(Want.OUTPUT);
    }

    /** Tells whether the attempt to connect has ended. */
    public boolean isSetUp() {
        return hasNow(Want.SET_UP);
    }

    /** Tells whether it was connected, whatever became of it. */
    public boolean isConnected() {
        lock.lock();
        try {
            return live != null;
        } finally {
            unlock();
        }
    }

    /** Throws why it could not be connected, if it could not. */
    public void requireConnected() throws IOException {
        lock.lock();
        try {
            if (failure != null) {
                throw failure;
            }
        } finally {
            unlock();
        }
    }

    /**
     * Waits until it is {@link #isSetUp}, closed, or {@code nanos} have passed; never passing if negative. Other waits
     * of the JDK's and the provider's may be below, so that an interrupt ends it where no channel hears of it.
     */
    public void awaitSetUp(long nanos) {
        await(Want.SET_UP, nanos);
    }

    /** Waits until it {@link #isReadable}; otherwise as {@link #awaitSetUp}. */
    public void awaitInput(long nanos) {
        await(Want.INPUT, nanos);
    }

    /** Waits until it {@link #isWritable}; otherwise as {@link #awaitSetUp}. */
    public void awaitOutput(long nanos) {
        await(Want.OUTPUT, nanos);
    }

    /** Waits until {@link #iowrite} would find room; otherwise as {@link #awaitSetUp}. */
    public void awaitDirectRoom(long nanos) {
        await(Want.DIRECT_ROOM, nanos);
    }

    private void await(Want want, long nanos) {
        long deadline = System.nanoTime() + nanos;
        lock.lock();
        waiters.enter();
        try {
            if (want != Want.SET_UP && spin(want)) {
                return;
            }
            while (!closed && !has(want)) {
                if (armNow()) {
                    continue;
                }
                serveMore();
                long remaining = deadline - System.nanoTime();
                if (left) {
                    takeLeft();
                } else if ((nanos >= 0 && remaining <= 0) || !waiters.sleep(nanos < 0 ? nanos : remaining)) {
                    return;
                }
            }
        } finally {
            waiters.exit();
            unlock();
        }
    }

    private boolean spin(Want want) {
        long begun = System.nanoTime();
        do {
            for (int i = 0; i < POLLS_A_CLOCK; i++) {
                if (closed || has(want)) {
                    return true;
                }
                Thread.onSpinWait();
            }
        } while (System.nanoTime() - begun < driver.spinNanos());
        return false;
    }

    /** Takes and drops what comes from now on: reading is at its end. */
    public void shutdownInput() throws IOException {
        lock.lock();
        try {
            live().shutdownInput();
        } finally {
            unlock();
        }
    }

    /** Has the peer read the end behind what was written. */
    public void shutdownOutput() throws IOException {
        lock.lock();
        try {
            live().shutdownOutput();
        } finally {
            unlock();
        }
    }

    /**
     * Has the peer write {@code memory} whenever it likes, and tells it so before any bytes that follow: {@code riomap}
     * of C. Closing what is returned ends its right ({@code riounmap}), of which it is not told.
     *
     * @param memory of 1 to 2^32-1 bytes, not on the heap
     * @param offset by which the peer names the first byte, 0 or more
     * @throws IOException if the peer has no entry for it, or takes nothing any more
     */
    public RegisteredBuffer iomap(MemorySegment memory, long offset) throws IOException {
        if (memory.byteSize() >>> Integer.SIZE != 0 || offset < 0) {
            throw new IllegalArgumentException("a mapping of " + memory.byteSize() + " bytes at offset " + offset
                    + ", expected at most 2^32-1 bytes and an offset of at least 0");
        }
        try (Resources scope = new Resources()) {
            RegisteredBuffer mapped = scope.add(parts.registerForPeer(memory));
            lock.lock();
            try {
                live().iomap(mapped, offset);
            } finally {
                unlock();
            }
            scope.handOver();
            return mapped;
        }
    }

    /**
     * Writes what there is room for into memory that the peer has mapped, of which the peer is told nothing:
     * {@code riowrite} of C.
     *
     * @param offset by which the peer has named the first byte that is written
     * @return bytes written, 0 if there is no room now, -1 if the peer has mapped nothing there
     * @throws IOException if the peer takes nothing any more
     */
    public int iowrite(ByteBuffer source, long offset) throws IOException {
        lock.lock();
        try {
            return live().iowrite(source, offset);
        } finally {
            unlock();
        }
    }

    /** Asks the peer's adapter for a sign of life every so many seconds from now on, not at all if 0. */
    public void keepalive(int seconds) {
        lock.lock();
        try {
            forget(reminder);
            reminder = null;
            if (seconds > 0 && !closed) {
                reminder = driver.reminders().every(seconds, this::remind);
            }
        } finally {
            unlock();
        }
    }

    private static void forget(@Nullable Future<?> due) {
        if (due != null) {
            due.cancel(false);
        }
    }

    private void remind() {
        keepaliveDue = true;
        leave();
    }

    /** Returns the local address, null before it is connected. */
    public @Nullable InetSocketAddress localAddress() {
        Connection its = connection();
        return its == null ? null : its.localAddress();
    }

    /** Returns the peer's address, null before it is connected. */
    public @Nullable InetSocketAddress remoteAddress() {
        Connection its = connection();
        return its == null ? null : its.remoteAddress();
    }

    /** Returns how the connection goes, for people; null before it is connected. */
    public @Nullable String transport() {
        Connection its = connection();
        return its == null ? null : its.transport();
    }

    /** Returns what its queue pair has counted, null before it is connected. */
    public @Nullable QueuePairStatistics statistics() {
        return connection() == null ? null : parts.queuePair.statistics();
    }

    private @Nullable Connection connection() {
        lock.lock();
        try {
            return live == null ? null : live.connection();
        } finally {
            unlock();
        }
    }

    /**
     * Ends the stream: what was written goes to the peer, then the end. Does not wait, but where
     * {@link StreamDevice#awaitEnds} was called before; what takes time does a thread of its own.
     *
     * @param lingerNanos how long the peer may take to get what was written; 0 to abort the connection
     * @return what waits for the end, until it is reached
     */
    public Runnable close(long lingerNanos) {
        boolean inOrder = false;
        lock.lock();
        try {
            if (closed) {
                return () -> {};
            }
            closed = true;
            forget(reminder);
            forget(trimmer);
            try {
                if (pending != null) {
                    pending.close();
                } else if (live != null && lingerNanos > 0) {
                    inOrder = live.disconnect();
                }
            } finally {
                tell(); // also if the provider cannot undo the attempt
            }
        } finally {
            unlock();
        }
        long nanos = inOrder ? lingerNanos : 0;
        return driver.startEnd(() -> end(nanos));
    }

    private void end(long lingerNanos) {
        Connection its = connection();
        try {
            if (its != null && lingerNanos > 0) {
                its.disconnect(Deadline.in(lingerNanos, TimeUnit.NANOSECONDS));
            }
        } catch (DeadlineExceededException | ConnectionException e) {
            // Nobody is there to be told: it is closed below, as the linger time of TCP ends it.
        } finally {
            release(its);
        }
    }

    private void release(@Nullable Connection its) {
        lock.lock();
        try {
            released = true;
            if (its != null) {
                its.close();
            }
            if (live != null) {
                live.unmap();
            }
        } finally {
            try {
                parts.close();
            } finally {
                unlock();
            }
        }
    }
}

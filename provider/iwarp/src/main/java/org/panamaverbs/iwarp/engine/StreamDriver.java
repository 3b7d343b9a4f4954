package org.panamaverbs.iwarp.engine;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.iwarp.core.CloseAction;
import org.panamaverbs.iwarp.core.Fault;
import org.panamaverbs.iwarp.core.Negotiated;
import org.panamaverbs.iwarp.core.Stream;
import org.panamaverbs.iwarp.core.StreamState;

/**
 * Moves octets between one stream and its socket, on whatever thread holds the lock: one that posts, one that polls, or
 * the event loop. Everything of the stream happens under that lock.
 */
final class StreamDriver implements EventLoop.Handler {
    // They bound one pass, so that one busy stream does not starve the others of the thread.
    private static final int ROUNDS = 64;
    private static final int BATCHES = 16;
    private static final int SPINS_BEFORE_WAITING = 100;

    private final ReentrantLock lock = new ReentrantLock();
    private final WaitPoint waiters = new WaitPoint();
    private final LoopWatch watch;
    private final Stream stream;
    private final BooleanSupplier queueFailed;
    private final boolean spin;

    private @Nullable SocketChannel channel;
    private boolean inputPaused;
    private boolean outputBlocked;
    private volatile @Nullable Negotiated agreed;
    private volatile StreamState state = StreamState.IDLE;

    /** Makes one for {@code stream}; {@code queueFailed} tells whether one of its completion queues has failed. */
    StreamDriver(EventLoop loop, Stream stream, BooleanSupplier queueFailed, boolean spin) {
        watch = new LoopWatch(loop, this);
        this.stream = stream;
        this.queueFailed = queueFailed;
        this.spin = spin;
    }

    /** Takes the lock; spins a while first, since a contended lock allocates and a pass is short. */
    void lock() {
        for (int i = 0; i < SPINS_BEFORE_WAITING; i++) {
            if (lock.tryLock()) {
                return;
            }
            Thread.onSpinWait();
        }
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }

    /** Returns the stream; locked. */
    Stream stream() {
        return stream;
    }

    /** Returns the state of the stream as of the last pass; any thread. */
    StreamState state() {
        return state;
    }

    /** Returns what was agreed with the peer, null before; any thread. */
    @Nullable
    Negotiated agreed() {
        return agreed;
    }

    /**
     * Takes over a channel whose set-up is done. On the loop's thread.
     *
     * @param refusal why the stream ends at once, with a Terminate; null if it begins
     * @return false if the stream is not idle any more; the channel is still the caller's
     */
    boolean establish(
            SocketChannel connected, SelectionKey itsKey, Negotiated negotiated, @Nullable Fault refusal, long now) {
        lock();
        try {
            if (stream.state() != StreamState.IDLE) {
                return false;
            }
            channel = connected;
            if (spin) {
                itsKey.cancel();
            } else {
                watch.begin(itsKey);
            }
            agreed = negotiated;
            stream.start(negotiated, now);
            if (refusal != null) {
                stream.fail(refusal, now);
            }
            pass(now);
            return true;
        } finally {
            unlock();
        }
    }

    /** Sends what was posted as far as the socket takes it; locked. */
    void flush() {
        long now = System.nanoTime();
        try {
            if (channel != null) {
                transmit(now);
            }
            settle(now);
        } catch (RuntimeException e) {
            fail(e, now);
        }
    }

    /** Makes progress on a polling thread, unless another thread is at it. */
    void poll(long now) {
        if (channelGone() || !lock.tryLock()) {
            return;
        }
        try {
            watch.polled();
            guardedPass(now);
        } finally {
            unlock();
        }
    }

    /** Makes progress now. */
    void progress() {
        lock();
        try {
            guardedPass(System.nanoTime());
        } finally {
            unlock();
        }
    }

    /** Disconnects gracefully; the rest is progress. */
    void disconnect() {
        lock();
        try {
            long now = System.nanoTime();
            stream.disconnect(now);
            pass(now);
        } finally {
            unlock();
        }
    }

    /** Resets the connection, if there is one, and flushes. */
    void abort() {
        lock();
        try {
            long now = System.nanoTime();
            stream.abort(now);
            settle(now);
        } finally {
            unlock();
        }
    }

    /** Looks whether a completion queue has failed and ends the stream if so. */
    void checkQueues() {
        lock();
        try {
            settle(System.nanoTime());
        } finally {
            unlock();
        }
    }

    /** Waits until the stream is over; false if the deadline passed before. */
    boolean awaitClosed(Deadline deadline) {
        return waiters.await(() -> state == StreamState.CLOSED, deadline, spin ? this::progress : null);
    }

    @Override
    public void ready(SelectionKey readyKey, long now) {
        lock();
        try {
            watch.onReady(readyKey);
            pass(now);
        } finally {
            unlock();
        }
    }

    @Override
    public long deadlineNanos() {
        return watch.deadlineNanos();
    }

    @Override
    public void timeout(long now) {
        lock();
        try {
            watch.onTimer();
            if (stream.hasDeadline() && stream.deadlineNanos() - now <= 0) {
                stream.timeout(now);
            }
            pass(now);
        } finally {
            unlock();
        }
    }

    @Override
    public void failed(Throwable cause) {
        lock();
        try {
            long now = System.nanoTime();
            stream.lost("internal error: " + cause, now);
            settle(now);
        } finally {
            unlock();
        }
    }

    /** Has the event loop watch the socket again: somebody is about to wait for an event instead of polling. */
    void watchInput() {
        lock();
        try {
            if (watch.takeBack()) {
                pass(System.nanoTime());
            }
        } finally {
            unlock();
        }
    }

    // What goes wrong with one stream is not the business of the thread that happens to poll.
    private void guardedPass(long now) {
        try {
            pass(now);
        } catch (RuntimeException e) {
            fail(e, now);
        }
    }

    private void fail(Throwable cause, long now) {
        System.getLogger(StreamDriver.class.getName())
                .log(System.Logger.Level.ERROR, "a connection failed inside the provider", cause);
        stream.lost("internal error: " + cause, now);
        settle(now);
    }

    private boolean channelGone() {
        StreamState seen = state;
        return seen == StreamState.IDLE || seen == StreamState.CLOSED;
    }

    /** Receives and sends until nothing moves, at most {@link #ROUNDS} times. */
    private void pass(long now) {
        boolean more = channel != null;
        for (int round = 0; more && round < ROUNDS; round++) {
            boolean filled = receive(now);
            boolean wasPaused = inputPaused;
            boolean sent = transmit(now);
            more = filled || (wasPaused && sent);
        }
        settle(now);
    }

    /** Receives once; returns whether the socket may hold more. */
    private boolean receive(long now) {
        SocketChannel from = channel;
        if (from == null) {
            return false;
        }
        ByteBuffer[] buffers = stream.receiveBuffers();
        int count = stream.receiveBufferCount();
        inputPaused = count == 0;
        long octets = 0;
        String failure = null;
        boolean filled = false;
        try {
            // One buffer a call: the form for several allocates for each that views registered memory.
            for (int i = 0; i < count && (i == 0 || filled); i++) {
                int some = from.read(buffers[i]);
                filled = some > 0 && !buffers[i].hasRemaining();
                octets = some < 0 && octets == 0 ? some : octets + Math.max(some, 0);
            }
        } catch (IOException e) {
            failure = text(e);
        } finally {
            stream.received(Math.max(octets, 0), now);
        }
        if (failure != null) {
            stream.lost(failure, now);
        } else if (octets < 0) {
            inputPaused = true;
            stream.endOfStream(now);
        }
        return filled;
    }

    /**
     * Sends until nothing is left or the socket is full, at most {@link #BATCHES} times; returns whether anything went.
     */
    private boolean transmit(long now) {
        SocketChannel to = channel;
        boolean sent = false;
        outputBlocked = false;
        for (int batch = 0; to != null && batch < BATCHES && stream.state() != StreamState.CLOSED; batch++) {
            ByteBuffer[] buffers = stream.transmitBuffers(now);
            int from = stream.transmitBufferOffset();
            int end = from + stream.transmitBufferCount();
            long octets = 0;
            String failure = null;
            try {
                for (int i = from; i < end && !outputBlocked; i++) {
                    octets += to.write(buffers[i]);
                    outputBlocked = buffers[i].hasRemaining();
                }
            } catch (IOException e) {
                failure = text(e);
            } finally {
                stream.transmitted(octets, now);
            }
            sent |= octets > 0;
            if (failure != null) {
                stream.lost(failure, now);
                return sent;
            }
            if (end == from || outputBlocked) {
                return sent;
            }
        }
        outputBlocked = stream.wantsTransmit();
        return sent;
    }

    /** Carries out what the stream asks for beside octets, and tells who waits. */
    private void settle(long now) {
        if (queueFailed.getAsBoolean() && stream.state().operational()) {
            // RFC 5040 §8.1.1: a CQ overflow is an error of every stream of the queue.
            stream.fail(Fault.LOCAL_CATASTROPHIC, now);
            transmit(now);
        }
        CloseAction action = stream.closeAction();
        while (action != CloseAction.NONE) {
            carryOut(action, now);
            action = stream.closeAction();
        }
        boolean timed = stream.hasDeadline();
        watch.timer(timed, timed ? stream.deadlineNanos() : 0, now);
        watch.channel(!inputPaused, outputBlocked);
        StreamState current = stream.state();
        if (current != state) {
            state = current;
            waiters.changed();
        }
    }

    private void carryOut(CloseAction action, long now) {
        SocketChannel socket = channel;
        try {
            if (action == CloseAction.SHUTDOWN_OUTPUT) {
                if (socket != null) {
                    socket.shutdownOutput();
                }
                stream.outputShutDown(now);
                return;
            }
            if (socket != null && action == CloseAction.ABORT) {
                socket.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        } catch (IOException e) {
            // The peer was faster; what is left to do is to close, and to tell the stream.
            if (action == CloseAction.SHUTDOWN_OUTPUT) {
                stream.lost(text(e), now);
                return;
            }
        }
        closeChannel();
        stream.closed(now);
    }

    private void closeChannel() {
        SocketChannel socket = channel;
        channel = null;
        if (socket == null) {
            return;
        }
        try {
            socket.close();
        } catch (IOException e) {
            System.getLogger(StreamDriver.class.getName())
                    .log(System.Logger.Level.DEBUG, "a socket did not close cleanly", e);
        }
        watch.end();
    }

    private static String text(IOException failure) {
        String message = failure.getMessage();
        return message == null ? failure.toString() : message;
    }
}

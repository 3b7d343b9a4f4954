package org.panamaverbs.iwarp.engine.progress;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.iwarp.TerminateReason;
import org.panamaverbs.iwarp.core.fault.Fault;
import org.panamaverbs.iwarp.core.receive.Staging;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.stream.Stream;
import org.panamaverbs.iwarp.core.work.StreamState;
import org.panamaverbs.iwarp.engine.context.EventLoop;
import org.panamaverbs.iwarp.engine.context.LoopHandler;
import org.panamaverbs.iwarp.engine.context.SpinLock;
import org.panamaverbs.iwarp.engine.context.WaitPoint;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.net.LaterLog;
import org.panamaverbs.iwarp.net.Lending;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.Watch;

/**
 * Drives one stream, on whatever thread holds the lock: one that posts, one that polls, or the event loop. Everything
 * of the stream and its socket happens under that lock.
 */
public final class StreamDriver implements LoopHandler, PolledStream {
    /** What everything of the stream and its socket happens under. */
    public final SpinLock lock = new SpinLock();

    private final WaitPoint waiters = new WaitPoint();
    private final LoopWatch watch;
    private final Stream stream;
    private final StreamSocket socket;
    private final BooleanSupplier queueFailed;
    private final Progress progress;
    // Threads that poll look at it only when it has something: its queues have too many others.
    private volatile boolean amongMany;
    // Whether there is a channel whose end has still to be told. Guarded by the lock.
    private boolean attached;
    // Whether it is logged that the stream is broken and cannot be ended. Guarded by the lock.
    private boolean complained;

    private volatile @Nullable Negotiated agreed;
    private volatile StreamState state = StreamState.IDLE;
    // What waiters have been told of; behind the state where telling them failed. Guarded by the lock.
    private StreamState told = StreamState.IDLE;
    // What went wrong with the stream and has not ended it yet. It is stored where it is caught, which needs neither
    // memory nor stack; whoever comes next ends the stream, at the latest the watchdog. Guarded by the lock.
    private @Nullable Throwable broken;

    /**
     * Makes one for {@code stream}.
     *
     * @param queueFailed tells whether one of its completion queues has failed
     * @param stagings lends the memory of a pass
     * @param progress who makes progress when nobody polls
     */
    public StreamDriver(
            EventLoop loop, Stream stream, BooleanSupplier queueFailed, Lending<Staging> stagings, Progress progress) {
        watch = new LoopWatch(loop, this);
        this.stream = stream;
        socket = new StreamSocket(stream, stagings);
        this.queueFailed = queueFailed;
        this.progress = progress;
    }

    /** Returns the stream; locked. */
    public Stream stream() {
        return stream;
    }

    /** Returns the state of the stream as of the last pass; any thread. */
    public StreamState state() {
        return state;
    }

    /** Returns what was agreed with the peer, null before; any thread. */
    @Nullable
    public Negotiated agreed() {
        return agreed;
    }

    /**
     * Takes over a transport whose set-up is done: what goes wrong with it from then on ends the stream, at the latest
     * when the watchdog comes, who must know of it before. On the loop's thread.
     *
     * @param refusal why the stream ends at once, with a Terminate; null if it begins
     * @return false if the stream is not idle any more; the transport is still the caller's
     */
    public boolean establish(
            Transport connected, Watch itsWatch, Negotiated negotiated, @Nullable Fault refusal, long now) {
        lock.lock();
        try {
            if (stream.state() != StreamState.IDLE) {
                return false;
            }
            begin(connected, itsWatch, negotiated, refusal, now);
            return true;
        } finally {
            lock.held = false;
        }
    }

    // The transport is this driver's from now on, and nobody else may close it.
    private void begin(Transport connected, Watch itsWatch, Negotiated negotiated, @Nullable Fault refusal, long now) {
        attached = true;
        try {
            // Before all else: a stream that has not started does not ask to have its transport closed.
            stream.start(negotiated, now);
            agreed = negotiated;
            socket.open(connected);
            if (progress.isBackground()) {
                watch.begin(itsWatch);
            } else {
                itsWatch.cancel();
                findWithOthers(now);
            }
            if (refusal != null) {
                stream.fail(refusal, now);
            }
            pass(now);
        } catch (RuntimeException | Error e) {
            broken = broken == null ? e : broken;
            try {
                endBroken(now);
            } catch (RuntimeException | Error again) {
                // The watchdog ends it.
            }
        }
    }

    /** Has threads that poll look at it only when it has something: its queues have too many others. */
    public void findWithOthers() {
        if (amongMany || progress.isBackground()) {
            return;
        }
        lock.lock();
        try {
            if (!amongMany) {
                amongMany = true;
                long now = System.nanoTime();
                findWithOthers(now);
                settle(now);
            }
        } catch (RuntimeException | Error e) {
            // Nobody would find it any more.
            broken = broken == null ? e : broken;
            endBroken(System.nanoTime());
        } finally {
            lock.held = false;
        }
    }

    private void findWithOthers(long now) {
        Pollable open = socket.channel();
        if (!amongMany || open == null) {
            return;
        }
        try {
            Watch others = progress.findWithOthers(open, this);
            if (others == null) {
                return;
            }
            watch.begin(others);
        } catch (IOException e) {
            socket.lost(e, now);
            settle(now);
        }
    }

    @Override
    public void foundReady(long now) {
        lock.lock();
        try {
            socket.ready();
            guardedPass(now);
        } finally {
            lock.held = false;
        }
    }

    /** Sends what was posted as far as the socket takes it; locked. */
    public void flush() {
        long now = System.nanoTime();
        try {
            if (broken == null) {
                socket.transmit(now);
            }
            settle(now);
        } catch (RuntimeException | Error e) {
            broken = broken == null ? e : broken;
            endBroken(now);
        }
    }

    /** Makes progress on a polling thread, unless another thread is at it. */
    public void poll(long now) {
        if (channelGone() || !lock.tryLock()) {
            return;
        }
        try {
            watch.polled();
            guardedPass(now);
        } finally {
            lock.held = false;
        }
    }

    /** Makes progress now. */
    public void progress() {
        lock.lock();
        try {
            guardedPass(System.nanoTime());
        } finally {
            lock.held = false;
        }
    }

    /** Disconnects gracefully; the rest is progress. */
    public void disconnect() {
        lock.lock();
        try {
            long now = System.nanoTime();
            stream.disconnect(now);
            pass(now);
        } catch (RuntimeException | Error e) {
            broken = broken == null ? e : broken;
            endBroken(System.nanoTime());
        } finally {
            lock.held = false;
        }
    }

    /** Resets the connection, if there is one, and flushes. */
    public void abort() {
        lock.lock();
        try {
            long now = System.nanoTime();
            stream.abort(now);
            settle(now);
        } catch (RuntimeException | Error e) {
            broken = broken == null ? e : broken;
            throw e;
        } finally {
            lock.held = false;
        }
    }

    /** Looks whether a completion queue has failed and ends the stream if so. */
    public void checkQueues() {
        lock.lock();
        try {
            settle(System.nanoTime());
        } catch (RuntimeException | Error e) {
            broken = broken == null ? e : broken;
            endBroken(System.nanoTime());
        } finally {
            lock.held = false;
        }
    }

    /** Waits until the stream is over; false if the deadline passed before. */
    public boolean awaitClosed(Deadline deadline) {
        return progress.await(waiters, () -> state == StreamState.CLOSED, deadline, this::progress);
    }

    @Override
    public void ready(Watch readyWatch, long now) {
        lock.lock();
        try {
            watch.onReady(readyWatch);
            socket.ready();
            guardedPass(now);
        } finally {
            lock.held = false;
        }
    }

    @Override
    public long deadlineNanos() {
        return watch.deadlineNanos();
    }

    @Override
    public void timeout(long now) {
        lock.lock();
        try {
            watch.onTimer();
            if (isDue(now) && stream.awaitsAcknowledgement()) {
                // It may be that nobody looked: where only threads that poll make progress, none may have polled.
                pass(now);
            }
            if (isDue(now)) {
                stream.timeout(now);
            }
            pass(now);
        } catch (RuntimeException | Error e) {
            broken = broken == null ? e : broken;
            endBroken(now);
        } finally {
            lock.held = false;
        }
    }

    private boolean isDue(long now) {
        return stream.hasDeadline() && stream.deadlineNanos() - now <= 0;
    }

    /**
     * Ends the stream if something of it has not moved for {@code limitNanos}, unless that is 0, or if it is broken;
     * false once there is nothing to look after.
     */
    boolean endIfStalled(long now, long limitNanos) {
        lock.lock();
        try {
            if (broken != null) {
                endBroken(now);
            } else if (limitNanos != 0 && stream.stall(now, limitNanos) != null) {
                // It may be that nobody looked: where only threads that poll make progress, none may have polled.
                guardedPass(now);
                String stuck = stream.stall(now, limitNanos);
                if (stuck != null) {
                    stream.stalled(stuck, now);
                    settle(now);
                }
            }
            return !isOverLocked();
        } catch (RuntimeException | Error e) {
            // The others are still to be looked at.
            broken = broken == null ? e : broken;
            if (!complained) {
                complained = true;
                String what = "a connection that failed inside the provider cannot be ended now; it is tried again";
                LaterLog.log(StreamDriver.class, System.Logger.Level.ERROR, what, e);
            }
            return true;
        } finally {
            lock.held = false;
        }
    }

    /** Tells whether it is over and nothing of it has still to be ended. */
    boolean isOver() {
        lock.lock();
        try {
            return isOverLocked();
        } finally {
            lock.held = false;
        }
    }

    private boolean isOverLocked() {
        return state == StreamState.CLOSED && broken == null;
    }

    @Override
    public void failed(Throwable cause) {
        lock.lock();
        try {
            broken = broken == null ? cause : broken;
            endBroken(System.nanoTime());
        } finally {
            lock.held = false;
        }
    }

    /** Whoever ends it logs why. */
    @Override
    public boolean logsFailures() {
        return true;
    }

    /** Has the event loop watch the socket again: somebody is about to wait for an event instead of polling. */
    public void watchInput() {
        lock.lock();
        try {
            if (watch.takeBack()) {
                guardedPass(System.nanoTime());
            }
        } finally {
            lock.held = false;
        }
    }

    // What goes wrong with one stream, also for lack of memory, is not the business of the thread that happens to poll.
    private void guardedPass(long now) {
        try {
            pass(now);
        } catch (RuntimeException | Error e) {
            broken = broken == null ? e : broken;
            endBroken(now);
        }
    }

    /** Ends a stream that is broken. Each step can be repeated: what fails here is done by the next who comes. */
    private void endBroken(long now) {
        Throwable cause = broken;
        if (cause == null) {
            return;
        }
        stream.lost(TerminateReason.PROVIDER_FAILURE, cause.toString(), now);
        carryOut(now);
        broken = null;
        LaterLog.log(StreamDriver.class, System.Logger.Level.ERROR, "a connection failed inside the provider", cause);
    }

    private boolean channelGone() {
        StreamState seen = state;
        return seen == StreamState.IDLE || seen == StreamState.CLOSED;
    }

    private void pass(long now) {
        if (broken == null) {
            socket.exchange(now);
        }
        settle(now);
    }

    private void settle(long now) {
        if (broken != null) {
            endBroken(now);
        } else {
            carryOut(now);
        }
    }

    /** Carries out what the stream asks for beside octets, and tells who waits. */
    private void carryOut(long now) {
        if (queueFailed.getAsBoolean() && stream.state().operational()) {
            // RFC 5040 §8.1.1: a CQ overflow is an error of every stream of the queue.
            stream.fail(Fault.QUEUE_OVERRUN, now);
            socket.transmit(now);
        }
        socket.close(now);
        if (attached && socket.isClosed()) {
            watch.end();
            progress.closed();
            attached = false;
        }
        watch.follow(stream, socket, now);
        StreamState current = stream.state();
        if (current != told) {
            state = current;
            waiters.changed();
            told = current;
        }
    }
}

package org.panamaverbs.iwarp.engine.progress;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.statistics.QueuePairStatistics;
import org.panamaverbs.api.support.Readiness;
import org.panamaverbs.iwarp.core.fault.Fault;
import org.panamaverbs.iwarp.core.receive.Staging;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.stream.Stream;
import org.panamaverbs.iwarp.core.work.StreamState;
import org.panamaverbs.iwarp.engine.context.EventLoop;
import org.panamaverbs.iwarp.engine.context.LoopHandler;
import org.panamaverbs.iwarp.engine.context.LoopTimer;
import org.panamaverbs.iwarp.engine.context.SpinLock;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.io.Lending;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.Watch;

/**
 * Drives one stream, on whatever thread holds the lock: one that posts, one that polls, or the event loop. Everything
 * of the stream and its socket happens under that lock.
 */
public final class StreamDriver implements LoopHandler, PolledStream {
    // The work of 64 small requests on memory of the peer: beside it a pass takes little.
    private static final long DIRECT_A_PASS = 64 * Stream.DIRECT_REQUEST_WORK;

    /** What is done with the stream in one go. */
    @FunctionalInterface
    private interface Step {
        void take(StreamDriver driver, long now);
    }

    /** What everything of the stream and its socket happens under. */
    public final SpinLock lock = new SpinLock();

    /** What carries requests out so that they need not be posted for it; locked. */
    public final LonePosts alone;

    private final LoopTimer timer = new LoopTimer();
    private final LoopWatch watch;
    private final Stream stream;
    private final StreamSocket socket;
    private final Progress progress;
    private final StreamPass pass;
    private final HeldDoorbells heldDoorbells;
    private final HeldDoorbells.Entry entry = new HeldDoorbells.Entry(this::sendHeld);
    // Threads that poll look at it only when it has something: its queues have too many others.
    private volatile boolean amongMany;
    private volatile @Nullable Negotiated agreed;
    // What was done on memory of the peer by the last pass of a poll, or when something else was sent behind that.
    // Written under the lock; a race on reading it only changes which poll makes a pass.
    private long directAtPass;

    /**
     * Creates the driver of {@code stream}.
     *
     * @param queueFailed tells whether one of its completion queues has failed
     * @param stagings lends the memory of a pass
     * @param progress who makes progress when nobody polls
     * @param heldDoorbells who sends what was withheld when nobody does
     */
    public StreamDriver(
            EventLoop loop,
            Stream stream,
            BooleanSupplier queueFailed,
            Lending<Staging> stagings,
            Progress progress,
            HeldDoorbells heldDoorbells) {
        watch = new LoopWatch(loop, this);
        this.stream = stream;
        socket = new StreamSocket(stream, stagings);
        this.progress = progress;
        this.heldDoorbells = heldDoorbells;
        pass = new StreamPass(stream, socket, watch, queueFailed, progress);
        alone = new LonePosts(pass, stream.alone());
    }

    /** Returns the stream; locked. */
    public Stream stream() {
        return stream;
    }

    /** Returns the state of the stream as of the last pass; any thread. */
    public StreamState state() {
        return pass.state();
    }

    /** Sets what the stream and its socket have counted; any thread. */
    public void fill(QueuePairStatistics.Builder statistics) {
        stream.counts().fill(statistics);
        socket.fill(statistics);
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
            lock.unlock();
        }
    }

    // The transport is this driver's from now on, and nobody else may close it.
    private void begin(Transport connected, Watch itsWatch, Negotiated negotiated, @Nullable Fault refusal, long now) {
        pass.attached = true;
        boolean opened = false;
        try {
            // Before all else: a stream that has not started does not ask to have its transport closed.
            stream.start(negotiated, now);
            agreed = negotiated;
            socket.open(connected);
            opened = true;
            if (progress.isBackground()) {
                watch.begin(itsWatch);
            } else {
                // The socket keeps it, cancelled or not, and what was attached would keep the queue pair.
                itsWatch.attach(this);
                itsWatch.cancel();
                findWithOthers(now);
            }
            if (refusal != null) {
                stream.fail(refusal, now);
            }
            pass.run(now);
        } catch (Throwable e) {
            pass.broke(e, now);
            if (!opened) {
                connected.close(true);
            }
        }
    }

    /** Has threads that poll look at it only when it has something: its queues have too many others. */
    public void findWithOthers() {
        if (!amongMany) {
            locked(System.nanoTime(), StreamDriver::findAmongMany);
        }
    }

    private void findAmongMany(long now) {
        boolean first = !amongMany;
        amongMany = true;
        // Without a channel there is nothing to find yet; it is registered when there is one.
        if (first && socket.channel() != null) {
            findWithOthers(now);
            pass.settle(now);
        }
    }

    /**
     * Takes {@code step} under the lock. What is thrown in it ends the stream and nothing else: neither the thread that
     * polls nor the event loop, which have others to drive.
     */
    private void locked(long now, Step step) {
        lock.lock();
        try {
            step.take(this, now);
        } catch (Throwable e) {
            pass.broke(e, now);
        } finally {
            lock.unlock();
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
            socket.lost(e);
            pass.settle(now);
        }
    }

    @Override
    public void foundReady(long now) {
        locked(now, StreamDriver::exchangeReady);
    }

    private void exchangeReady(long now) {
        socket.ready();
        pass.run(now);
    }

    /**
     * Hears a doorbell: carries out what was posted on memory of the peer, where that is reached; sends the rest as far
     * as the socket takes it, unless it waits for more. Locked.
     */
    public void flush() {
        try {
            if (pass.isBroken() || !stream.carryOut()) {
                send(System.nanoTime());
            }
        } catch (Throwable e) {
            pass.broke(e, System.nanoTime());
        }
    }

    private void send(long now) {
        directAtPass = stream.directWork();
        if (!pass.isBroken()) {
            long weight = stream.sends().weight();
            // Among many it would not be found by who polls.
            if (pass.doorbells.holdsBack(now, weight) && !amongMany) {
                heldDoorbells.add(entry, now);
                return;
            }
            socket.transmit(now);
            pass.doorbells.sent(now, System.nanoTime(), weight);
        }
        pass.settle(now);
    }

    /**
     * Tells whether a thread that polls has something to look for here although it finds completions: unless all that
     * was posted since the last time went to memory of the peer, and was so little that a pass would count beside it.
     * Any thread.
     */
    public boolean isDue() {
        long done = stream.directWork() - directAtPass;
        return done <= 0 || done >= DIRECT_A_PASS;
    }

    /** Makes progress on a polling thread, unless another thread is at it. */
    public void poll(long now) {
        if (pass.channelGone() || !lock.tryLock()) {
            return;
        }
        try {
            if (!pass.doorbells.holdsBackPoll(now)) {
                watch.polled();
                directAtPass = stream.directWork();
                pass.run(now);
            }
        } catch (Throwable e) {
            pass.broke(e, now);
        } finally {
            lock.unlock();
        }
    }

    /** Makes progress now. */
    public void progress() {
        locked(System.nanoTime(), (its, now) -> its.pass.run(now));
    }

    /** Disconnects gracefully; the rest is progress. */
    public void disconnect() {
        locked(System.nanoTime(), (its, now) -> {
            its.stream.disconnect(now);
            its.pass.run(now);
        });
    }

    /** Resets the connection, if there is one, and flushes; what fails of that is thrown, and done by the next pass. */
    public void abort() {
        lock.lock();
        try {
            stream.abort();
            pass.settle(System.nanoTime());
        } catch (Throwable e) {
            pass.breaks(e);
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /** Looks whether a completion queue has failed and ends the stream if so. */
    public void checkQueues() {
        locked(System.nanoTime(), (its, now) -> its.pass.settle(now));
    }

    /** Returns what says that the stream is over, which {@link #isClosed} tells. */
    public Readiness readiness() {
        return pass.readiness();
    }

    /** Tells whether the stream is over; any thread. */
    public boolean isClosed() {
        return pass.state() == StreamState.CLOSED;
    }

    /**
     * Waits until the stream is over; false if the deadline passed before.
     *
     * @throws InterruptedException if the thread is interrupted before or meanwhile; the flag is cleared then
     */
    public boolean awaitClosed(Deadline deadline) throws InterruptedException {
        return pass.awaitClosed(deadline, this::progress);
    }

    @Override
    public void ready(Watch readyWatch, long now) {
        lock.lock();
        try {
            watch.onReady(readyWatch);
            exchangeReady(now);
        } catch (Throwable e) {
            pass.broke(e, now);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public LoopTimer timer() {
        return timer;
    }

    @Override
    public long deadlineNanos() {
        return watch.deadlineNanos();
    }

    @Override
    public void timeout(long now) {
        locked(now, (its, at) -> {
            its.watch.onTimer();
            its.pass.timeout(at);
        });
    }

    /**
     * Ends the stream if something of it has not moved for {@code limitNanos}, unless that is 0, or if it is broken;
     * false once there is nothing to look after.
     */
    boolean endIfStalled(long now, long limitNanos) {
        lock.lock();
        try {
            pass.endIfStalled(now, limitNanos);
            return !pass.isOver();
        } catch (Throwable e) {
            pass.broke(e, now);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Tells whether it is over and nothing of it has still to be ended. */
    boolean isOver() {
        lock.lock();
        try {
            return pass.isOver();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void failed(Throwable cause) {
        lock.lock();
        try {
            pass.broke(cause, System.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    /** Whoever ends it logs why. */
    @Override
    public boolean logsFailures() {
        return true;
    }

    /** Sends what was withheld, if nobody has. */
    private void sendHeld(long at) {
        locked(at, (its, now) -> {
            if (its.pass.doorbells.areHeld()) {
                its.pass.run(now);
            }
        });
    }

    /** Has the event loop watch the socket again: somebody is about to wait for an event instead of polling. */
    public void watchInput() {
        lock.lock();
        try {
            if (watch.takeBack() || pass.doorbells.areHeld()) {
                pass.run(System.nanoTime());
            }
        } catch (Throwable e) {
            pass.broke(e, System.nanoTime());
        } finally {
            lock.unlock();
        }
    }
}

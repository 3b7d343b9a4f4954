package org.panamaverbs.iwarp.engine;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.api.device.QueuePairStatistics;
import org.panamaverbs.iwarp.core.Fault;
import org.panamaverbs.iwarp.core.Staging;
import org.panamaverbs.iwarp.core.Stream;
import org.panamaverbs.iwarp.core.StreamState;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.device.LoopHandler;
import org.panamaverbs.iwarp.engine.device.LoopTimer;
import org.panamaverbs.iwarp.engine.device.SpinLock;
import org.panamaverbs.iwarp.engine.device.WaitPoint;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.iovec.Pool;
import org.panamaverbs.iwarp.net.FutexWaiter;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.spi.support.DeferredLog;
import org.panamaverbs.spi.support.Readiness;

/**
 * Drives one stream, on whatever thread holds the lock: one that posts, one that polls, or the event loop. Everything
 * of the stream and its socket happens under that lock, but where another rule is named.
 *
 * <p>In a pass bytes go both ways, then what the stream asks for beside them is carried out, and who waits is told. A
 * stream that broke, by whatever was thrown in a pass over it, is ended instead.
 */
public final class StreamDriver implements LoopHandler {
    // The work of 64 small requests on memory of the peer: beside it a pass takes little.
    private static final long DIRECT_A_PASS = 64 * Stream.DIRECT_REQUEST_WORK;

    /** A time that nobody has looked at; when the clock says so, it is looked at again. */
    static final long UNKNOWN = 0;

    // About a pass or two: by then a thread that polls has made another one, or none makes any.
    private static final long LEFT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** What is done with the stream in one go. */
    @FunctionalInterface
    private interface Step {
        void take(StreamDriver driver, long now);
    }

    /** What everything of the stream and its socket happens under. */
    public final SpinLock lock = new SpinLock();

    private final LoopTimer timer = new LoopTimer();
    private final LoopWatch watch;
    private final Stream stream;
    private final StreamSocket socket;
    private final Progress progress;
    private final BooleanSupplier queueFailed;
    private final WaitPoint waiters = new WaitPoint();
    private final Readiness readiness = new Readiness();
    // Which doorbells wait for more.
    private final Doorbells doorbells = new Doorbells(this::sendHeld);
    private final Doorbells.Withheld withheld;
    // Threads that poll look at it only when it has something: its queues have too many others.
    private volatile boolean amongMany;
    private volatile @Nullable Negotiated agreed;
    // Whether the transport has rings; set before the state says that there is one.
    private volatile boolean onRings;
    // Of the stream, as of the last pass.
    private volatile StreamState state = StreamState.IDLE;
    // What waiters have been told of; behind the state where telling them failed.
    private StreamState told = StreamState.IDLE;
    // Whether there is a channel whose end has still to be told.
    private boolean attached;
    // What went wrong with the stream and has not ended it yet: whoever comes next does, at the latest the watchdog.
    private @Nullable Throwable broken;
    // Whether it is logged that the stream is broken and cannot be ended.
    private boolean complained;
    // What was done on memory of the peer by the last pass of a poll, or when something else was sent behind that.
    // Written under the lock; a race on reading it only changes which poll makes a pass.
    private long directAtPass;
    // The same of what was built in a ring.
    private long aloneAtPass;
    // Something large is carried out on memory of the peer, a pass after the other: the event loop does not wait for
    // the lock then, and leaves it to threads that poll as long as there are any. Written under the lock; a race on
    // reading it only changes that.
    private boolean inPasses;
    // Of the loop's thread: until when it leaves the passes to others, and the polls that it had seen then.
    private long leftUntilNanos = System.nanoTime();
    private int pollsSeen;

    /**
     * Creates the driver of {@code stream}.
     *
     * @param queueFailed tells whether one of its completion queues has failed
     * @param stagings lends the memory of a pass
     * @param progress who makes progress when nobody polls
     * @param withheld who sends what was withheld when nobody does
     */
    public StreamDriver(
            EventLoop loop,
            Stream stream,
            BooleanSupplier queueFailed,
            Pool<Staging> stagings,
            Progress progress,
            Doorbells.Withheld withheld) {
        watch = new LoopWatch(loop, this);
        this.stream = stream;
        socket = new StreamSocket(stream, stagings);
        this.progress = progress;
        this.queueFailed = queueFailed;
        this.withheld = withheld;
    }

    /** Returns the stream; locked. */
    public Stream stream() {
        return stream;
    }

    /**
     * Returns the state of the stream; any thread that does not have the lock. Waits for a pass that is under way: the
     * application may have polled what that has completed.
     */
    public StreamState state() {
        if (isClosed()) {
            return StreamState.CLOSED;
        }
        lock.lock();
        try {
            return stream.state();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the state of the stream as of the last pass; any thread. */
    public StreamState lastState() {
        return state;
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
        attached = true;
        boolean opened = false;
        try {
            // Before all else: a stream that has not started does not ask to have its transport closed.
            stream.start(negotiated, now);
            agreed = negotiated;
            socket.open(connected);
            onRings = connected.ring() != null;
            opened = true;
            if (progress.isBackground()) {
                watch.begin(itsWatch);
            } else {
                // The socket keeps it, cancelled or not, and what was attached would keep the queue pair.
                itsWatch.attach(this);
                itsWatch.cancel();
                watchAmongMany();
            }
            if (refusal != null) {
                stream.fail(refusal, now);
            }
            pass(now);
        } catch (Throwable e) {
            broke(e, now);
            if (!opened) {
                connected.close(true);
            }
        }
    }

    /** Has threads that poll look at it only when it has something: its queues have too many others. */
    public void findWithOthers() {
        if (!amongMany) {
            locked(System.nanoTime(), (its, now) -> {
                if (!its.amongMany) {
                    its.amongMany = true;
                    its.find(now);
                }
            });
        }
    }

    /** Has the system watch the socket for threads that poll many, which it would not before. */
    void findAgain(long now) {
        locked(now, StreamDriver::find);
    }

    private void find(long now) {
        watchAmongMany();
        settle(now);
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
            broke(e, now);
        } finally {
            lock.unlock();
        }
    }

    // Without a channel there is nothing to find yet; it is registered when there is one.
    private void watchAmongMany() {
        Pollable open = socket.channel();
        if (amongMany && open != null) {
            Watch others = progress.findWithOthers(open, this);
            if (others != null) {
                watch.begin(others);
            }
        }
    }

    /** Makes progress at {@code now}: a thread found that this stream, of many that it polls, has something. */
    void foundReady(long now) {
        locked(now, StreamDriver::exchangeReady);
    }

    private void exchangeReady(long now) {
        socket.ready();
        pass(now);
    }

    /**
     * Hears a doorbell: carries out what was posted on memory of the peer, where that is reached; sends the rest as far
     * as the socket takes it, unless it waits for more. Locked.
     */
    public void flush() {
        try {
            // Behind a request that is carried out in passes the next one, which comes anyway, finds this one as well.
            if (broken != null || (!stream.goesOn() && !stream.carryOut())) {
                send(System.nanoTime());
            }
        } catch (Throwable e) {
            broke(e, System.nanoTime());
        }
    }

    private void send(long now) {
        directAtPass = stream.directWork();
        if (broken == null) {
            long weight = stream.sends().weight();
            // Among many it would not be found by who polls.
            if (doorbells.holdsBack(now, weight) && !amongMany) {
                withheld.add(doorbells, now);
                return;
            }
            socket.transmit(now);
            doorbells.sent(now, System.nanoTime(), weight);
        }
        settle(now);
    }

    /** Does what follows from a request that was not put in line: a completion was lost, or a bell is due. Locked. */
    public void lookAfter() {
        long now = System.nanoTime();
        try {
            settle(now);
        } catch (Throwable e) {
            broke(e, now);
        }
    }

    /**
     * Tells whether a thread that polls has something to look for here although it finds completions: unless all that
     * was posted since the last time went to memory of the peer, and was so little that a pass would count beside it.
     * Any thread.
     */
    public boolean isDue() {
        long done = stream.directWork() - directAtPass;
        return done <= 0 || done >= DIRECT_A_PASS || stream.alone().sent() != aloneAtPass;
    }

    /** Makes progress on a polling thread, unless another thread is at it. */
    public void poll() {
        poll(UNKNOWN);
    }

    /** The same at {@code known}, or {@link #UNKNOWN}; returns the time, if it is known by then. */
    long poll(long known) {
        StreamState seen = state;
        // There is no channel that could move something: not yet, or not any more.
        if (seen == StreamState.IDLE || seen == StreamState.CLOSED || !lock.tryLock()) {
            return known;
        }
        long now = known;
        try {
            if (!passesAtOnce()) {
                now = known == UNKNOWN ? System.nanoTime() : known;
                if (!doorbells.holdsBackPoll(now)) {
                    polled();
                    pass(now);
                }
            }
        } catch (Throwable e) {
            broke(e, System.nanoTime());
        } finally {
            lock.unlock();
        }
        return now;
    }

    private void polled() {
        watch.polled();
        directAtPass = stream.directWork();
        aloneAtPass = stream.alone().sent();
    }

    /**
     * Makes a pass that needs neither the clock nor the event loop: it takes what lies in a ring and is expected, or
     * finds nothing. False if another one is to be made.
     */
    private boolean passesAtOnce() {
        if (broken != null || doorbells.areHeld() || stream.goesOn() || stream.hasDeadline() || !watch.isLeft()) {
            return false;
        }
        if (!socket.exchangeAtOnce() || queueFailed.getAsBoolean()) {
            return false;
        }
        polled();
        return true;
    }

    /** Makes progress now. */
    public void progress() {
        locked(System.nanoTime(), (its, now) -> its.pass(now));
    }

    /** Disconnects gracefully; the rest is progress. */
    public void disconnect() {
        locked(System.nanoTime(), (its, now) -> {
            its.stream.disconnect(now);
            its.pass(now);
        });
    }

    /** Resets the connection, if there is one, and flushes; what fails of that is thrown, and done by the next pass. */
    public void abort() {
        lock.lock();
        try {
            stream.abort();
            settle(System.nanoTime());
        } catch (Throwable e) {
            breaks(e);
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /** Looks whether a completion queue has failed and ends the stream if so. */
    public void checkQueues() {
        locked(System.nanoTime(), (its, now) -> its.settle(now));
    }

    /** Returns what says that the stream is over, which {@link #isClosed} tells. */
    public Readiness readiness() {
        return readiness;
    }

    /** Tells whether the stream is over, and neither a fault nor an abort has ended it; any thread. */
    public boolean endedInOrder() {
        lock.lock();
        try {
            return stream.endedInOrder();
        } finally {
            lock.unlock();
        }
    }

    /** Tells whether the stream is over; any thread. */
    public boolean isClosed() {
        return state == StreamState.CLOSED;
    }

    /**
     * Waits until the stream is over; false if the deadline passed before.
     *
     * @throws InterruptedException if the thread is interrupted before or meanwhile; the flag is cleared then
     */
    public boolean awaitClosed(Deadline deadline) throws InterruptedException {
        return progress.await(waiters, this::isClosed, deadline, this::progress);
    }

    @Override
    public void ready(Watch readyWatch, long now) {
        lock.lock();
        try {
            watch.onReady(readyWatch);
            exchangeReady(now);
        } catch (Throwable e) {
            broke(e, now);
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
        long deadline = watch.deadlineNanos();
        return inPasses && deadline - leftUntilNanos < 0 ? leftUntilNanos : deadline;
    }

    @Override
    public void timeout(long now) {
        if (!inPasses) {
            locked(now, StreamDriver::onTimer);
        } else if (watch.polls() == pollsSeen && lock.tryLock()) {
            try {
                onTimer(now);
            } catch (Throwable e) {
                broke(e, now);
            } finally {
                lock.unlock();
            }
        } else {
            pollsSeen = watch.polls();
            leftUntilNanos = now + LEFT_NANOS;
        }
    }

    private void onTimer(long now) {
        watch.onTimer();
        deadline(now);
    }

    private void deadline(long now) {
        if (isDeadlinePassed(now) && stream.awaitsAcknowledgement()) {
            // It may be that nobody looked: where only threads that poll make progress, none may have polled.
            pass(now);
        }
        if (isDeadlinePassed(now)) {
            stream.timeout(now);
        }
        pass(now);
    }

    private boolean isDeadlinePassed(long now) {
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
            } else if (limitNanos != 0) {
                endIfStuck(now, limitNanos);
            }
            return state != StreamState.CLOSED || broken != null;
        } catch (Throwable e) {
            broke(e, now);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void endIfStuck(long now, long limitNanos) {
        if (!socket.lookAtPeer(now)) {
            settle(now);
        } else if (stream.stall(now, limitNanos) != null) {
            // As above: it may be that nobody looked.
            pass(now);
            String stuck = stream.stall(now, limitNanos);
            if (stuck != null) {
                stream.stalled(stuck);
                settle(now);
            }
        }
    }

    /** Tells whether the stream is over and nothing of it has still to be ended. */
    boolean isOver() {
        lock.lock();
        try {
            return state == StreamState.CLOSED && broken == null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void failed(Throwable cause) {
        lock.lock();
        try {
            broke(cause, System.nanoTime());
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
            if (its.doorbells.areHeld()) {
                its.pass(now);
            }
        });
    }

    /** Has the event loop watch the socket again: somebody is about to wait for an event instead of polling. */
    public void watchInput() {
        lock.lock();
        try {
            if (watch.takeBack() || doorbells.areHeld()) {
                pass(System.nanoTime());
            }
        } catch (Throwable e) {
            broke(e, System.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Tells where {@link #rest} would have a thread rest, as of a moment ago and without the lock:
     * {@link Transport.Rest#AT_WORD} where there are rings.
     */
    Transport.Rest wouldRest() {
        StreamState seen = state;
        if (seen == StreamState.IDLE || seen == StreamState.CLOSED) {
            return Transport.Rest.NOWHERE;
        }
        return onRings ? Transport.Rest.AT_WORD : Transport.Rest.ELSEWHERE;
    }

    /**
     * Has the peer wake {@code at} from its next sleep when something comes, where it can, until {@link #awake}, which
     * follows unless the answer is {@link Transport.Rest#NOWHERE} or {@link Transport.Rest#ELSEWHERE}.
     */
    Transport.Rest rest(FutexWaiter at) {
        StreamState seen = state;
        if (seen == StreamState.IDLE || seen == StreamState.CLOSED) {
            return Transport.Rest.NOWHERE;
        }
        lock.lock();
        try {
            return socket.rest(at);
        } catch (Throwable e) {
            broke(e, System.nanoTime());
            return Transport.Rest.NOWHERE;
        } finally {
            lock.unlock();
        }
    }

    /** Ends {@link #rest}, and makes progress. */
    void awake() {
        locked(System.nanoTime(), (its, now) -> {
            its.socket.awake();
            its.pass(now);
        });
    }

    // ---- a pass ---------------------------------------------------------------------------------------------------

    private void pass(long now) {
        boolean held = doorbells.areHeld();
        doorbells.passes(now);
        if (broken == null) {
            if (stream.goesOn()) {
                stream.carryOut();
            }
            socket.exchange(now);
        }
        if (held) {
            doorbells.sentByPass(System.nanoTime(), stream.sends().weight());
        }
        settle(now);
    }

    /** Does what follows from what was done to the stream. */
    private void settle(long now) {
        if (broken != null) {
            endBroken(now);
        } else {
            followUp(now);
        }
    }

    /** Carries out what the stream asks for beside bytes, and tells who waits. */
    private void followUp(long now) {
        if (queueFailed.getAsBoolean() && stream.acceptsInput()) {
            // RFC 5040 §8.1.1: a CQ overflow is an error of every stream of the queue.
            stream.fail(Fault.QUEUE_OVERRUN, now);
            socket.transmit(now);
        }
        if (socket.close(now) && attached) {
            watch.end();
            progress.closed();
            attached = false;
        }
        inPasses = stream.goesOn();
        watch.follow(stream, socket, now);
        StreamState current = stream.state();
        if (current != told) {
            if (!current.operational()) {
                // Before anybody sees that.
                socket.dismiss();
            }
            state = current;
            waiters.changed();
            if (current == StreamState.CLOSED) {
                readiness.changed();
            }
            told = current;
        }
    }

    // ---- a stream that breaks -------------------------------------------------------------------------------------

    /**
     * The boundary of a stream: {@code cause}, whatever was thrown in a pass over it, ends this stream and nothing
     * else. The thread that happened to make the pass goes on. Never throws: what fails of the end is done by the next
     * pass, at the latest the watchdog's.
     */
    private void broke(Throwable cause, long now) {
        breaks(cause);
        try {
            endBroken(now);
        } catch (Throwable again) {
            complain(again);
        }
    }

    /** Has the next doorbell or pass end the stream because of {@code cause}; locked. */
    public void breaks(Throwable cause) {
        if (broken == null) {
            broken = cause;
        }
    }

    /** Tells whether something went wrong with the stream that has not ended it yet; locked. */
    public boolean isBroken() {
        return broken != null;
    }

    // Each step can be repeated.
    private void endBroken(long now) {
        Throwable cause = broken;
        if (cause == null) {
            return;
        }
        stream.lost(TerminateReason.PROVIDER_FAILURE, cause.toString());
        followUp(now);
        broken = null;
        DeferredLog.log(
                StreamDriver.class,
                System.Logger.Level.ERROR,
                "a connection failed because of an internal error",
                cause);
    }

    private void complain(Throwable cause) {
        if (!complained) {
            complained = true;
            String what = "a connection that failed because of an internal error cannot be closed now; closing is"
                    + " retried";
            DeferredLog.log(StreamDriver.class, System.Logger.Level.ERROR, what, cause);
        }
    }
}

package org.panamaverbs.iwarp.engine.progress;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.iwarp.TerminateReason;
import org.panamaverbs.api.support.LaterLog;
import org.panamaverbs.api.support.Readiness;
import org.panamaverbs.iwarp.core.fault.Fault;
import org.panamaverbs.iwarp.core.stream.Stream;
import org.panamaverbs.iwarp.core.work.StreamState;
import org.panamaverbs.iwarp.engine.context.WaitPoint;

/**
 * A pass over one stream: octets go both ways, then what the stream asks for beside them is carried out, and who waits
 * is told; a stream that broke is ended instead. Under the stream's lock, but where another rule is named.
 */
final class StreamPass {
    /** Whether there is a channel whose end has still to be told. */
    boolean attached;

    /** Which doorbells wait for more. */
    final Doorbells doorbells = new Doorbells();

    private final Stream stream;
    private final StreamSocket socket;
    private final LoopWatch watch;
    private final BooleanSupplier queueFailed;
    private final Progress progress;
    private final WaitPoint waiters = new WaitPoint();
    private final Readiness readiness = new Readiness();
    private volatile StreamState state = StreamState.IDLE;
    // What waiters have been told of; behind the state where telling them failed.
    private StreamState told = StreamState.IDLE;
    // What went wrong with the stream and has not ended it yet: whoever comes next does, at the latest the watchdog.
    private @Nullable Throwable broken;
    // Whether it is logged that the stream is broken and cannot be ended.
    private boolean complained;

    /** Creates the passes over {@code stream}; {@code queueFailed} tells whether one of its queues has failed. */
    StreamPass(Stream stream, StreamSocket socket, LoopWatch watch, BooleanSupplier queueFailed, Progress progress) {
        this.stream = stream;
        this.socket = socket;
        this.watch = watch;
        this.queueFailed = queueFailed;
        this.progress = progress;
    }

    /** Returns the state of the stream as of the last pass; any thread. */
    StreamState state() {
        return state;
    }

    /** Tells whether there is no channel that could move something: not yet, or not any more; any thread. */
    boolean channelGone() {
        StreamState seen = state;
        return seen == StreamState.IDLE || seen == StreamState.CLOSED;
    }

    /** Tells whether the stream is over and nothing of it has still to be ended. */
    boolean isOver() {
        return state == StreamState.CLOSED && broken == null;
    }

    /** Returns what says that the stream is over. */
    Readiness readiness() {
        return readiness;
    }

    /**
     * Waits until the stream is over, without the lock; {@code own} makes progress where this thread has to.
     *
     * @return false if the deadline passed before
     * @throws InterruptedException if the thread is interrupted before or meanwhile; the flag is cleared then
     */
    boolean awaitClosed(Deadline deadline, Runnable own) throws InterruptedException {
        return progress.await(waiters, () -> state == StreamState.CLOSED, deadline, own);
    }

    /**
     * The boundary of a stream: {@code cause}, whatever was thrown in a pass over it, ends this stream and nothing
     * else. The thread that happened to make the pass goes on. Never throws: what fails of the end is done by the next
     * pass, at the latest the watchdog's.
     */
    void broke(Throwable cause, long now) {
        breaks(cause);
        try {
            endBroken(now);
        } catch (Throwable again) {
            complain(again);
        }
    }

    /** Has the next pass end the stream because of {@code cause}. */
    void breaks(Throwable cause) {
        if (broken == null) {
            broken = cause;
        }
    }

    /** Tells whether something went wrong with the stream that has not ended it yet. */
    boolean isBroken() {
        return broken != null;
    }

    /** Makes a pass. */
    void run(long now) {
        boolean held = doorbells.areHeld();
        doorbells.passes(now);
        if (broken == null) {
            socket.exchange(now);
        }
        if (held) {
            doorbells.sentByPass(System.nanoTime(), stream.sends().weight());
        }
        settle(now);
    }

    /** Makes a pass in which a deadline of the stream may have come. */
    void timeout(long now) {
        if (isDue(now) && stream.awaitsAcknowledgement()) {
            // It may be that nobody looked: where only threads that poll make progress, none may have polled.
            run(now);
        }
        if (isDue(now)) {
            stream.timeout(now);
        }
        run(now);
    }

    private boolean isDue(long now) {
        return stream.hasDeadline() && stream.deadlineNanos() - now <= 0;
    }

    /** Ends the stream if it is broken, or something of it has not moved for {@code limitNanos}, unless that is 0. */
    void endIfStalled(long now, long limitNanos) {
        if (broken != null) {
            endBroken(now);
        } else if (limitNanos != 0 && !socket.lookAtWire(now)) {
            settle(now);
        } else if (limitNanos != 0 && stream.stall(now, limitNanos) != null) {
            // It may be that nobody looked: where only threads that poll make progress, none may have polled.
            run(now);
            String stuck = stream.stall(now, limitNanos);
            if (stuck != null) {
                stream.stalled(stuck);
                settle(now);
            }
        }
    }

    /** Does what follows from what was done to the stream. */
    void settle(long now) {
        if (broken != null) {
            endBroken(now);
        } else {
            carryOut(now);
        }
    }

    // Each step can be repeated.
    private void endBroken(long now) {
        Throwable cause = broken;
        if (cause == null) {
            return;
        }
        stream.lost(TerminateReason.PROVIDER_FAILURE, cause.toString());
        carryOut(now);
        broken = null;
        LaterLog.log(StreamPass.class, System.Logger.Level.ERROR, "a connection failed inside the provider", cause);
    }

    private void complain(Throwable cause) {
        if (!complained) {
            complained = true;
            String what = "a connection that failed inside the provider cannot be ended now; it is tried again";
            LaterLog.log(StreamPass.class, System.Logger.Level.ERROR, what, cause);
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
}

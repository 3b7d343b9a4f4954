package org.panamaverbs.iwarp.engine.cm;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.iwarp.engine.context.EventLoop;
import org.panamaverbs.iwarp.engine.context.LoopHandler;

/**
 * The end of a set-up that no connection came of: when it is due, what became of it, who is told, and the close of the
 * channel, at once or when the peer has had time to hear why. Belongs to the event loop's thread.
 */
final class SetupEnd {
    // What failed of it, for lack of memory most likely, is due again so much later.
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Hears of the end. */
    @FunctionalInterface
    interface Owner {
        /** It failed because of {@code failure}, or was rejected if that is null. */
        void ended(@Nullable ConnectionException failure);
    }

    private final EventLoop loop;
    private final LoopHandler handler;
    private final Opening opening;
    private final @Nullable LingeringPeers lingering;
    private final Owner owner;
    private final SetupOutcome outcome = new SetupOutcome();
    private @Nullable LingeringClose lingeringClose;
    private boolean told;
    private volatile long deadlineNanos;

    /**
     * Creates the end of what {@code handler} sets up over {@code opening}, of which {@code owner} is told once.
     *
     * @param lingering among whom the channel lingers; null for an initiator, whose channel never does
     */
    SetupEnd(EventLoop loop, LoopHandler handler, Opening opening, @Nullable LingeringPeers lingering, Owner owner) {
        this.loop = loop;
        this.handler = handler;
        this.opening = opening;
        this.lingering = lingering;
        this.owner = owner;
    }

    /** Returns how it ended; any thread. */
    SetupOutcome outcome() {
        return outcome;
    }

    /** Returns when it is due; any thread. */
    long deadlineNanos() {
        return deadlineNanos;
    }

    /** Has the handler's timer run at {@code deadline}. */
    void dueAt(long deadline) {
        deadlineNanos = deadline;
        loop.watch(handler);
    }

    /** Has the handler's timer run a moment later: not all of the end could be done. */
    void dueAgain() {
        dueAt(System.nanoTime() + RETRY_NANOS);
    }

    /** Stops the handler's timer. */
    void notDue() {
        loop.unwatch(handler);
    }

    /** Tells the owner, once. */
    void tell(@Nullable ConnectionException failure) {
        if (!told) {
            owner.ended(failure);
            told = true;
        }
    }

    /** Notes that it ended because of {@code reason}, tells the owner, and closes the channel; can be repeated. */
    void close(ConnectionException reason) {
        ConnectionException first = outcome.failed(reason);
        try {
            opening.transport().close(false);
        } finally {
            tell(first);
        }
        notDue();
    }

    /** Closes the channel when the peer has had time to read what was sent last, then runs {@code over}. */
    void linger(Runnable over) {
        notDue();
        LingeringClose begun =
                new LingeringClose(loop, opening.transport(), opening.watch(), Objects.requireNonNull(lingering), over);
        // Before it begins: what it has begun is its own to end.
        lingeringClose = begun;
        begun.begin();
    }

    /** As {@link #linger}; and tells the owner that the rejection is sent, whatever becomes of the channel. */
    void rejected(Runnable over) {
        try {
            linger(over);
        } finally {
            tell(null);
        }
    }

    /** Closes the channel now if it lingers; false if it does not. */
    boolean closeLingering() {
        LingeringClose begun = lingeringClose;
        if (begun != null) {
            begun.close();
        }
        return begun != null;
    }
}

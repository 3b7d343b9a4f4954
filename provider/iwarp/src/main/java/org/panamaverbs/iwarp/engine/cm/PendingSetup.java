package org.panamaverbs.iwarp.engine.cm;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.support.PendingAttempt;
import org.panamaverbs.iwarp.engine.objects.IwarpQueuePair;

/**
 * An attempt that no thread waits for: its {@link Setup} runs on the event loop, and whoever comes has the result.
 */
final class PendingSetup extends PendingAttempt {
    private final CmContext cm;
    private final String operation;
    private final IwarpQueuePair queuePair;
    private final boolean owned;
    private final Attempt attempt;
    // Guarded by this. Null until the peer's name is looked up.
    private @Nullable Setup setup;
    private boolean over;
    private volatile boolean late;

    /**
     * Creates an attempt with {@code queuePair}, which it has claimed, and which is closed with it if {@code owned}.
     */
    PendingSetup(CmContext cm, String operation, IwarpQueuePair queuePair, boolean owned, Attempt attempt) {
        super(operation, queuePair, cm.owner());
        this.cm = cm;
        this.operation = operation;
        this.queuePair = queuePair;
        this.owned = owned;
        this.attempt = attempt;
    }

    /** Begins to watch over it: its deadline, its queue pair and its end. */
    void watch(Deadline deadline) {
        attempt.whenEnded(this::ended);
        if (!queuePair.beforeClose(this::queuePairClosed)) {
            queuePairClosed();
        }
        endAt(deadline);
    }

    /** Has {@code begin} begin the set-up, and returns it, unless the attempt is over. Any thread. */
    synchronized void begin(Supplier<Setup> begin) {
        if (!over) {
            setup = begin.get();
        }
    }

    /** Ends the attempt, for which there was no set-up. */
    void failEarly(RuntimeException cause) {
        attempt.failEarly(cause);
    }

    /** Gives up what was taken for an attempt that cannot be begun. */
    void withdraw() {
        abandon();
    }

    private void queuePairClosed() {
        cancel(attempt.queuePairClosed());
    }

    @Override
    protected void end(boolean isLate) {
        if (isLate) {
            late = true;
        }
        cancel(new ConnectionException(
                operation, Reason.CLOSED, isLate ? "the deadline passed" : "the attempt was given up", null));
    }

    private void cancel(ConnectionException reason) {
        Setup begun;
        synchronized (this) {
            over = true;
            begun = setup;
        }
        if (begun != null) {
            cm.loop().execute(() -> begun.cancel(reason));
        } else if (late) {
            attempt.failEarly(unresolved(operation));
        } else {
            attempt.failEarly(reason);
        }
    }

    @Override
    protected Connection finish() {
        Setup begun;
        synchronized (this) {
            over = true;
            begun = setup;
        }
        try {
            queuePair.beforeClose(null);
            return new IwarpConnection(cm, queuePair, owned, attempt.result(begun, late));
        } catch (Throwable e) {
            Attempt.undo(e, attempt, begun, queuePair, owned ? queuePair : null);
            throw e;
        }
    }
}

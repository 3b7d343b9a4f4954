package org.panamaverbs.ibverbs.connect;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.ibverbs.cm.CmContext;
import org.panamaverbs.ibverbs.cm.CmEvent;
import org.panamaverbs.ibverbs.cm.CmTask;
import org.panamaverbs.spi.support.PendingAttempt;

/**
 * An attempt that no thread waits for: each event of its id is followed by the next step, on a thread of the channel's.
 * What it took is given back there, too, before its end is told.
 */
final class PendingSetUp extends PendingAttempt {
    private final CmContext manager;
    private final String operation;
    private final SetUp setUp;
    private final CmTask task;
    private final ReentrantLock stepping;
    // Guarded by the lock.
    private int tries;
    private @Nullable Supplier<SetUpSteps> maker;
    private @Nullable SetUpSteps steps;
    private boolean over;
    // Written once, before the end is told.
    private volatile @Nullable IbvConnection made;
    private volatile @Nullable Throwable failure;
    // Why it is to end.
    private volatile @Nullable RuntimeException unwanted;
    private volatile boolean late;

    /** Creates an attempt of {@code setUp}, which has claimed its queue pair, that takes {@code tries} ids at most. */
    PendingSetUp(CmContext manager, String operation, SetUp setUp, int tries) {
        super(operation, setUp.queuePair(), manager.context());
        this.manager = manager;
        this.operation = operation;
        this.setUp = setUp;
        this.tries = tries;
        try {
            task = new CmTask(this::advance);
            stepping = new ReentrantLock();
        } catch (Error e) {
            abandon();
            throw e;
        }
    }

    /** Begins to watch its deadline. */
    void until(Deadline deadline) {
        endAt(deadline);
    }

    /** Gives up an attempt that could not be begun and that nobody has: no step is made any more. */
    void withdraw() {
        stepping.lock();
        try {
            over = true;
        } finally {
            stepping.unlock();
        }
        abandon();
    }

    /** Begins with the steps that {@code newMaker} makes. Does not wait. */
    void begin(Supplier<SetUpSteps> newMaker) {
        stepping.lock();
        try {
            maker = newMaker;
        } finally {
            stepping.unlock();
        }
        manager.channel().execute(task);
    }

    /** Ends the attempt because of {@code reason}. */
    void fail(RuntimeException reason) {
        unwanted = reason;
        manager.channel().execute(task);
    }

    @Override
    protected void end(boolean isLate) {
        if (isLate) {
            late = true;
        }
        fail(
                isLate
                        ? new DeadlineExceededException(
                                operation, "no answer before the deadline; the attempt was undone")
                        : new ConnectionException(operation, Reason.CLOSED, "the attempt was cancelled", null));
        if (!isLate) {
            // A call may be under way that waits for the peer.
            setUp.giveUp();
        }
    }

    /** Makes the steps that events are there for. */
    private void advance() {
        stepping.lock();
        try {
            if (!over) {
                step();
            }
        } catch (RuntimeException e) {
            if (!again(e)) {
                ended(setUp.undone(reason(e)));
            }
        } catch (Error e) {
            setUp.undo(e);
            ended(e);
        } finally {
            stepping.unlock();
        }
    }

    /** Returns why it ends, which {@code thrown} may only follow from. */
    private RuntimeException reason(RuntimeException thrown) {
        RuntimeException wanted = unwanted;
        if (wanted == null || (late && !thrown.equals(wanted) && thrown instanceof DeadlineExceededException)) {
            return thrown;
        }
        if (!late) {
            return wanted;
        }
        return steps != null ? steps.late() : maker == null ? unresolved(operation) : wanted;
    }

    private void step() {
        RuntimeException reason = unwanted;
        if (reason != null) {
            throw reason;
        }
        if (steps == null && maker != null) {
            steps = maker.get();
            steps.id().onArrival(task);
            tries--;
            steps.begin();
        }
        SetUpSteps its = steps;
        while (its != null && !over) {
            CmEvent event = its.id().nextEvent();
            if (event == null) {
                return;
            }
            IbvConnection connection = its.next(event);
            if (connection != null) {
                its.id().onArrival(null);
                setUp.done(connection);
                made = connection;
                over = true;
                ended();
            }
        }
    }

    /** Begins again with another id if the port of the last was taken. */
    private boolean again(RuntimeException reason) {
        if (tries <= 0
                || unwanted != null
                || !(reason instanceof ConnectionException refused)
                || refused.reason() != Reason.ADDRESS_IN_USE) {
            return false;
        }
        steps = null;
        manager.channel().execute(task);
        return true;
    }

    private void ended(Throwable reason) {
        SetUpSteps its = steps;
        if (its != null) {
            its.id().onArrival(null);
        }
        failure = reason;
        over = true;
        ended();
    }

    @Override
    protected Connection finish() {
        Throwable reason = failure;
        if (reason instanceof Error error) {
            throw error;
        }
        if (reason instanceof RuntimeException exception) {
            exception.fillInStackTrace();
            throw exception;
        }
        IbvConnection connection = made;
        if (connection == null) {
            throw new AssertionError("it has not ended");
        }
        return connection;
    }
}

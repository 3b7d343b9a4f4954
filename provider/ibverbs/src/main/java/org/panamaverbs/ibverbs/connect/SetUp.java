package org.panamaverbs.ibverbs.connect;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.ibverbs.cm.CmContext;
import org.panamaverbs.ibverbs.cm.CmEvent;
import org.panamaverbs.ibverbs.cm.CmId;
import org.panamaverbs.ibverbs.cm.CmTask;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.memory.Resources;
import org.panamaverbs.spi.support.Waits;
import org.panamaverbs.spi.watch.ConnectionFacts;

/**
 * What an attempt to connect or accept has taken, and has to give back should it fail.
 *
 * <p>An iWARP device that has accepted is left alone until the connection manager has said how that went, even if
 * nobody waits for it any more: iwcm.c of Linux 6.1 takes the end of a stream that it does not know as established yet
 * for a bug in the kernel, and so would fail with it.
 */
final class SetUp {
    // An id whose set-up is over goes at once; longer than this only those go that the kernel keeps.
    private static final long UNDO_SECONDS = 1;
    // How long closing a queue pair that is being connected waits for the kernel.
    private static final long CANCEL_SECONDS = 10;
    // The kernel lets go of the slowest, siw waiting for TCP, after about two minutes.
    private static final long ABANDON_SECONDS = 300;

    private final CmContext manager;
    private final String operation;
    private final IbvQueuePair queuePair;
    private final boolean owned;
    private final long patienceNanos;
    private final long since = System.nanoTime();
    private final Runnable onQueuePairClose = this::cancel;
    // Made before: what is undone where there is no memory must be given back all the same.
    private final CmTask givingBack = new CmTask(this::giveBack);
    private final CmTask closing = new CmTask(this::closeLater);

    @SuppressWarnings("UnnecessaryLambda")
    private final Consumer<CmEvent> onAnswer = event -> {
        if (!event.type().isNotice()) {
            answered();
        }
    };

    private boolean claimed;

    // Guarded by this.
    private @Nullable CmId id;
    private boolean accepting;
    private boolean abandoned;
    private boolean cancelled;

    /** Begins as the constructor does; if that fails, a queue pair that is {@code owned} is closed. */
    static SetUp of(CmContext manager, String operation, IbvQueuePair queuePair, boolean owned) {
        SetUp made = null;
        try {
            made = new SetUp(manager, operation, queuePair, owned);
            return made;
        } finally {
            if (made == null && owned) {
                queuePair.closeWithOwner();
            }
        }
    }

    /**
     * Begins to connect or accept, as {@code operation} says, with {@code queuePair}, which is to be closed with the
     * attempt if {@code owned}.
     */
    SetUp(CmContext manager, String operation, IbvQueuePair queuePair, boolean owned) {
        this(manager, operation, queuePair, owned, TimeUnit.SECONDS.toNanos(CANCEL_SECONDS));
    }

    /**
     * Begins as the other does; a close of the queue pair waits for {@code patienceNanos} to hear how accepting went.
     */
    SetUp(CmContext manager, String operation, IbvQueuePair queuePair, boolean owned, long patienceNanos) {
        this.patienceNanos = patienceNanos;
        this.manager = manager;
        this.operation = operation;
        this.queuePair = queuePair;
        this.owned = owned;
    }

    /**
     * Takes the queue pair, which no other attempt can take then. If it is closed from now on, the attempt ends.
     *
     * @throws IllegalStateException if it is not in state INIT or was taken before
     */
    void claim() {
        manager.claim(queuePair, operation);
        claimed = true;
        queuePair.beforeClose(onQueuePairClose);
        queuePair.requireOpen(); // else it may not have seen that
    }

    /** Returns the queue pair. */
    IbvQueuePair queuePair() {
        return queuePair;
    }

    /** Takes {@code made}, and returns it. One that it took before is destroyed. */
    CmId id(CmId made) {
        CmId before;
        boolean late;
        synchronized (this) {
            before = id;
            id = made;
            late = cancelled;
        }
        if (before != null) {
            before.discard();
        }
        if (late) {
            made.discard();
        }
        return made;
    }

    /** Says that the queue pair is connected by {@code made}, whose the id is. */
    void done(IbvConnection made) {
        manager.unclaim(queuePair);
        try {
            ConnectionFacts facts = new ConnectionFacts(
                    operation,
                    made.localAddress(),
                    made.remoteAddress(),
                    made.carrier(),
                    made.transport(),
                    made.responderResources(),
                    made.initiatorDepth());
            queuePair.watch().connected(facts, since);
            if (!made.isConnected()) {
                queuePair.watch().ended(); // which it was told before it was connected
            }
        } catch (RuntimeException | Error e) {
            // It is connected all the same.
        }
    }

    /**
     * Ends the attempt, as its queue pair is about to be destroyed by this thread: who waits for it hears of that, and
     * the id goes first, since drivers keep a queue pair that one refers to. What comes for the id later is dropped, so
     * nothing may be left to an answer from then on.
     */
    private void cancel() {
        CmId taken;
        synchronized (this) {
            cancelled = true;
            taken = id;
            awaitAnswer(Deadline.in(patienceNanos, TimeUnit.NANOSECONDS));
            accepting = false;
        }
        try {
            if (taken != null) {
                taken.discard();
                taken.awaitDestroyed(CANCEL_SECONDS);
            }
        } finally {
            // Here too: an attempt that was abandoned before has left it to the answer.
            manager.unclaim(queuePair);
        }
    }

    /**
     * Has calls under way end, as nobody wants the connection any more; one that has accepted is left to its answer.
     */
    void giveUp() {
        CmId taken;
        synchronized (this) {
            taken = accepting ? null : id;
        }
        if (taken != null) {
            taken.discard();
        }
    }

    /** Waits until the connection manager has said how accepting went; the caller has the monitor. */
    private void awaitAnswer(Deadline patience) {
        Waits.uninterruptibly(() -> !accepting, patience, this);
    }

    /**
     * Says that {@code rdma_accept} is called next.
     *
     * @throws IllegalStateException if the queue pair is closed or the attempt was undone: the id may be on its way
     *     out, and must not accept
     */
    synchronized void accepting() {
        queuePair.requireOpen();
        if (abandoned) {
            throw new IllegalStateException("the attempt was undone");
        }
        accepting = manager.isIwarp();
    }

    /** Says that the connection manager has said how accepting went; any thread. */
    void answered() {
        boolean late;
        synchronized (this) {
            late = accepting && abandoned;
            accepting = false;
            notifyAll();
        }
        if (late) {
            manager.channel().execute(givingBack);
        }
    }

    /**
     * Gives everything back after {@code failure}, and returns what to throw: an {@code Error} as it is, which it
     * throws. What the kernel keeps beyond a second is given back later, on another thread.
     */
    RuntimeException undone(Throwable failure) {
        boolean closed = claimed && !queuePair.isOpen();
        undo(failure);
        if (failure instanceof Error error) {
            throw error;
        }
        RuntimeException told = closed
                ? new ConnectionException(
                        operation,
                        Reason.CLOSED,
                        queuePair.resourceName() + " was closed during set-up; the attempt was undone",
                        failure)
                : (RuntimeException) failure;
        if (claimed) {
            queuePair.watch().notConnected(operation, told, since);
        }
        return told;
    }

    /** Gives everything back after {@code failure}; what fails of that is a suppressed exception. */
    void undo(Throwable failure) {
        if (claimed) {
            queuePair.onEstablished(null); // the id is on its way out
        }
        CmId taken;
        synchronized (this) {
            taken = id;
            if (taken != null) {
                abandoned = true;
                if (accepting) {
                    leaveToAnswer(taken, failure);
                    return;
                }
            }
        }
        try {
            try {
                fail(taken);
            } finally {
                if (owned) {
                    closeOwned(taken);
                }
            }
        } catch (Throwable e) {
            Resources.suppress(failure, e);
        }
    }

    /** Has everything given back when the connection manager has said how accepting went. */
    private void leaveToAnswer(CmId taken, Throwable failure) {
        try {
            try {
                if (owned) {
                    keep(); // before the answer, which may be there already
                }
            } finally {
                taken.deliverTo(onAnswer);
            }
        } catch (Throwable e) {
            Resources.suppress(failure, e);
        }
    }

    /** Closes the queue pair, later if the kernel keeps {@code taken}; what fails of it is left to its parents. */
    private void closeOwned(@Nullable CmId taken) {
        boolean later = false;
        try {
            if (taken != null && !taken.awaitDestroyed(UNDO_SECONDS)) {
                keep();
                later = true;
            }
        } finally {
            if (later) {
                manager.channel().execute(closing);
            } else {
                queuePair.closeWithOwner();
            }
        }
    }

    private void keep() {
        queuePair.keptBecause(
                "its " + operation + " was undone, but the kernel still holds the connection, usually for up to"
                        + " two minutes; remedy: wait until it has closed by itself, then close its parents");
    }

    private void giveBack() {
        try {
            fail(id());
        } finally {
            if (owned) {
                closeLater();
            }
        }
    }

    private void fail(@Nullable CmId taken) {
        try {
            if (claimed) {
                queuePair.fail();
                queuePair.takeBack(onQueuePairClose);
            }
        } finally {
            try {
                if (claimed) {
                    manager.unclaim(queuePair);
                }
            } finally {
                if (taken != null) {
                    taken.discard();
                }
            }
        }
    }

    private void closeLater() {
        CmId taken = id();
        if (taken != null) {
            taken.awaitDestroyed(ABANDON_SECONDS);
        }
        queuePair.closeWithOwner();
    }

    private synchronized @Nullable CmId id() {
        return id;
    }
}

package org.panamaverbs.iwarp.engine.device;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is to be the event loop: its own thread's, or that of a thread that has borrowed it. Between two loans
 * that follow each other soon the loop's own thread keeps away, since each change costs a wake-up: whoever borrows the
 * loop turns it.
 */
final class LoopTurn {
    // Who borrowed the loop comes back soon, or its own thread goes on after so long.
    private static final long HANDOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    // How long the loop's own thread goes without a look when nobody wakes it up.
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final VarHandle HOLDER;

    static {
        try {
            HOLDER = MethodHandles.lookup().findVarHandle(LoopTurn.class, "holder", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // Who is the loop, and whether that is another thread than the loop's own; written by the holder.
    private volatile @Nullable Thread holder;
    private volatile boolean lent;

    private volatile long keepsAwayUntilNanos = System.nanoTime();
    // Written by who has borrowed it.
    private volatile int loans;
    private volatile boolean ownerSleeps;

    /** Tells whether the calling thread has it. */
    boolean isMine() {
        return Thread.currentThread().equals(holder);
    }

    /**
     * Takes the turn over from the loop's own thread; false if another thread has borrowed it, or if its own does not
     * come back from what it does at the moment.
     *
     * @param wakeup ends the wait of the loop's own thread
     */
    boolean borrow(Runnable wakeup) {
        if (lent) {
            return false;
        }
        keepAway();
        if (!take() && !takeFromOwner(wakeup)) {
            return false;
        }
        int before = loans;
        loans = before + 1;
        lent = true;
        return true;
    }

    private boolean takeFromOwner(Runnable wakeup) {
        wakeup.run();
        long end = System.nanoTime() + HANDOFF_NANOS;
        while (lent || !take()) {
            if (lent || System.nanoTime() - end > 0) {
                return false;
            }
            Thread.yield();
        }
        return true;
    }

    /** Has the loop's own thread keep away for a moment: a thread that borrows it, or gives it back, is here. */
    void keepAway() {
        keepsAwayUntilNanos = System.nanoTime() + HANDOFF_NANOS;
    }

    /** Gives the turn back that the calling thread has taken. */
    void giveBack() {
        lent = false;
        holder = null;
    }

    /** Gives the turn back that the calling thread has borrowed from {@code owner}, the loop's own thread. */
    void giveBackTo(Thread owner) {
        giveBack();
        if (ownerSleeps) {
            LockSupport.unpark(owner);
        }
    }

    /** Tells whether the loop's own thread keeps away. */
    boolean isLent() {
        return lent || keepsAwayUntilNanos - System.nanoTime() > 0;
    }

    /** Has the loop's own thread wait while it is lent; it may return early. */
    void pause() {
        int seen = loans;
        LockSupport.parkNanos(HANDOFF_NANOS);
        // Who has had it for so long waits: there is nothing to be looked at until it comes back.
        ownerSleeps = true;
        if (lent && loans == seen) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        ownerSleeps = false;
    }

    /** Takes the turn if nobody has it. */
    boolean take() {
        return HOLDER.compareAndSet(this, null, Thread.currentThread());
    }
}

package org.panamaverbs.sockets.stream;

import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is to drive: that of the driver's own thread, or of one that would sleep otherwise and has borrowed it.
 * Between two loans that follow each other soon the own thread keeps away, since each change costs a wake-up.
 *
 * <p>While the borrower does something else nobody drives, for two milliseconds at most. So nothing is lent while
 * somebody else who sleeps is woken now and then: both are better off with the own thread. Who has borrowed it and
 * sleeps for long leaves it to one who sleeps for short times.
 */
final class DriverTurn {
    /** Who borrowed it comes back soon, or the own thread goes on after so long. */
    private static final long HANDOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** How long it is waited for who has it to let go. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Who was woken not longer ago than that will be again. */
    private static final long LATELY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** How long the own thread goes without a look while it is lent. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Thread owner;

    /** Ends the wait of who drives. */
    private final Runnable wakeup;

    private final AtomicReference<@Nullable Thread> holder = new AtomicReference<>();

    /** Who waits for another to let go. */
    private volatile @Nullable Thread wanting;

    private volatile boolean lent;
    private volatile long lentSinceNanos;
    private volatile long keepsAwayUntilNanos = System.nanoTime();

    /** How often it was lent; changed by who borrows it. */
    private volatile int loans;

    /** The own thread looks seldom. */
    private volatile boolean ownerSleeps;

    /** Who slept without it and was woken last, and when. */
    private volatile @Nullable Object lastWoken;

    private volatile long lastWokenNanos;

    DriverTurn(Thread owner, Runnable wakeup) {
        this.owner = owner;
        this.wakeup = wakeup;
    }

    /** Tells whether the calling thread has it. */
    boolean isMine() {
        return Thread.currentThread().equals(holder.get());
    }

    /** Tells whether who has it is to let go. */
    boolean isWanted() {
        return wanting != null;
    }

    /** Says that {@code sleeper}, who did not drive, was woken. */
    void woke(Object sleeper) {
        lastWokenNanos = System.nanoTime();
        lastWoken = sleeper;
    }

    /**
     * Takes the turn for the calling thread, which gives it back by {@link #giveBack}; false if that is of use to
     * nobody, or not possible.
     *
     * @param sleeper who would sleep, by the name that {@link #woke} knows
     */
    boolean borrow(Object sleeper) {
        Thread self = Thread.currentThread();
        if (isKept(self) || self.isInterrupted()) {
            return false;
        }
        if (wasAnotherWoken(sleeper)) {
            recall();
            return false;
        }
        if (lent && System.nanoTime() - lentSinceNanos < LATELY_NANOS) {
            return false;
        }
        keepAway();
        if (!holder.compareAndSet(null, self) && !takeOver(self)) {
            recall();
            return false;
        }
        lentSinceNanos = System.nanoTime();
        lent = true;
        int before = loans;
        loans = before + 1;
        return true;
    }

    /**
     * Tells whether others suffer where the thread waits in the system: those that its carrier or its pool has to run.
     */
    private static boolean isKept(Thread thread) {
        return thread.isVirtual() || thread instanceof ForkJoinWorkerThread;
    }

    private boolean wasAnotherWoken(Object sleeper) {
        Object last = lastWoken;
        return last != null && !last.equals(sleeper) && System.nanoTime() - lastWokenNanos < LATELY_NANOS;
    }

    private boolean takeOver(Thread self) {
        wanting = self;
        try {
            wakeup.run();
            long begun = System.nanoTime();
            while (!self.isInterrupted() && System.nanoTime() - begun < PATIENCE_NANOS) {
                if (holder.compareAndSet(null, self)) {
                    return true;
                }
                LockSupport.parkNanos(this, HANDOFF_NANOS);
            }
            return false;
        } finally {
            wanting = null;
        }
    }

    /** Gives back what was borrowed. */
    void giveBack() {
        keepAway();
        lent = false;
        holder.set(null);
        Thread next = wanting;
        if (next != null) {
            LockSupport.unpark(next);
        }
        // In any case: who waits for it may just have given up.
        if (ownerSleeps) {
            LockSupport.unpark(owner);
        }
    }

    private void keepAway() {
        keepsAwayUntilNanos = System.nanoTime() + HANDOFF_NANOS;
    }

    /** Has the own thread come back at once, if nobody drives. */
    private void recall() {
        if (holder.get() == null) {
            keepsAwayUntilNanos = System.nanoTime();
            LockSupport.unpark(owner);
        }
    }

    /** Takes the turn for the own thread, which lets go by {@link #letGo}; false if that is to keep away. */
    boolean takeOwn() {
        return !lent && keepsAwayUntilNanos - System.nanoTime() <= 0 && holder.compareAndSet(null, owner);
    }

    /** Lets go of it, on the own thread. */
    void letGo() {
        Thread next = wanting;
        if (next != null) {
            keepAway();
        }
        holder.set(null);
        if (next != null) {
            LockSupport.unpark(next);
        }
    }

    /** Has the own thread wait while it keeps away; it may return early. */
    void pause() {
        int seen = loans;
        LockSupport.parkNanos(this, HANDOFF_NANOS);
        // Who has had it for so long sleeps: there is nothing to be looked at before it gives it back.
        ownerSleeps = true;
        if (lent && loans == seen) {
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
        ownerSleeps = false;
    }
}

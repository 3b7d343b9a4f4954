package org.panamaverbs.iwarp.engine.context;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Whose turn it is to be the event loop: its own thread's, or that of a thread that has borrowed it. Between two loans
 * that follow each other soon the loop's own thread keeps away, since each change costs a wake-up.
 */
final class LoopTurn {
    // Who borrowed the loop comes back soon, or its own thread goes on after so long.
    private static final long HANDOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicInteger askers = new AtomicInteger();
    private volatile boolean lent;
    private volatile long lentUntilNanos = System.nanoTime();
    private final AtomicInteger loans = new AtomicInteger();
    private volatile boolean ownerSleeps;

    /** Tells whether the calling thread has it. */
    boolean isMine() {
        return lock.isHeldByCurrentThread();
    }

    /**
     * Takes it over from the loop's own thread; false if another thread has borrowed it, or if its own does not come
     * back from what it does at the moment.
     *
     * @param wakeup ends the wait of the loop's own thread
     */
    boolean borrow(Runnable wakeup) {
        if (lent) {
            return false;
        }
        askers.incrementAndGet();
        try {
            if (!lock.tryLock()) {
                wakeup.run();
                if (!lock.tryLock(HANDOFF_NANOS, TimeUnit.NANOSECONDS)) {
                    return false;
                }
            }
            loans.incrementAndGet();
            lent = true;
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            askers.decrementAndGet();
        }
    }

    /** Ends what {@link #borrow} began; {@code owner} is the loop's own thread. */
    void giveBack(Thread owner) {
        lentUntilNanos = System.nanoTime() + HANDOFF_NANOS;
        lent = false;
        lock.unlock();
        if (ownerSleeps) {
            LockSupport.unpark(owner);
        }
    }

    /** Tells whether the loop's own thread keeps away. */
    boolean isLent() {
        return lent || askers.get() > 0 || lentUntilNanos - System.nanoTime() > 0;
    }

    /** Has the loop's own thread wait while it is lent; it may return early. */
    void pause() {
        int seen = loans.get();
        LockSupport.parkNanos(HANDOFF_NANOS);
        // Who has had it for so long waits: there is nothing to be looked at until it comes back.
        ownerSleeps = true;
        if (lent && loans.get() == seen) {
            LockSupport.park();
        }
        ownerSleeps = false;
    }

    /** Takes it as the loop's own thread. */
    void lock() {
        lock.lock();
    }

    /** Ends what {@link #lock} began. */
    void unlock() {
        lock.unlock();
    }
}

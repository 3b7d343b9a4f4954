package org.panamaverbs.sockets.stream;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The threads that wait for a stream: they sleep, and one of them drives meanwhile if it can, until something is told.
 * Under the stream's lock, which is let go of by who sleeps.
 */
final class StreamWaiters {
    private final Driver driver;
    private final ReentrantLock lock;
    private final Condition changed;

    /** How many there are; read by any thread. */
    private volatile int count;

    /** How often they were told that something happened; read by who drives. */
    private volatile int told;

    /** One of them drives. */
    private boolean drives;

    StreamWaiters(Driver driver, ReentrantLock lock) {
        this.driver = driver;
        this.lock = lock;
        changed = lock.newCondition();
    }

    /** Tells whether there are any, without the lock, too. */
    boolean areSome() {
        return count > 0;
    }

    /** The calling thread begins to wait. */
    void enter() {
        int before = count;
        count = before + 1;
    }

    /** The calling thread has ceased to wait. */
    void exit() {
        int before = count;
        count = before - 1;
    }

    /** Wakes all of them, as what they wait for may be there. */
    void tell() {
        if (count == 0) {
            return;
        }
        int before = told;
        told = before + 1;
        changed.signalAll();
        if (drives) {
            driver.rouse();
        }
    }

    /**
     * Sleeps until something is told; for {@code nanos} at most, for ever if negative. May return early.
     *
     * @return false if an interrupt ended it: whoever has driven has kept it from the channel, also when he drives no
     *     more
     */
    @SuppressWarnings("WaitNotInLoop") // the caller loops
    boolean sleep(long nanos) {
        if (hasDriven(nanos)) {
            return !Thread.currentThread().isInterrupted();
        }
        int seen = told;
        try {
            if (nanos < 0) {
                changed.await();
            } else {
                changed.awaitNanos(nanos);
            }
            if (told != seen) {
                driver.woke(Thread.currentThread());
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Waits in the driver's place; false if nothing was waited for, and nothing was told. */
    private boolean hasDriven(long nanos) {
        if (drives) {
            return false;
        }
        int seen = told;
        boolean driven = false;
        drives = true;
        lock.unlock();
        try {
            driven = driver.driveUntil(() -> told != seen, nanos, Thread.currentThread());
        } finally {
            lock.lock();
            drives = false;
        }
        return driven || told != seen;
    }
}

package org.panamaverbs.iwarp.engine.context;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.support.Waits;

/** Where threads wait until something has changed. Who changes it does so first and then says {@link #changed()}. */
public final class WaitPoint {
    private static final int SPINS_PER_LOOK = 64;
    // An interrupt does not end a wait in the system: how long it may go unseen.
    private static final long INTERRUPT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition condition = lock.newCondition();
    // Which loop one of the waiters has meanwhile; guarded by the lock.
    private @Nullable EventLoop driven;

    /** Has all waiters look again. */
    public void changed() {
        lock.lock();
        try {
            condition.signalAll();
            EventLoop loop = driven;
            if (loop != null) {
                loop.wakeup();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until {@code done}, which is called with the wait point locked and must be short, and is {@code loop}
     * meanwhile if nobody else is and as long as there is one.
     *
     * @return false if the deadline passed before
     * @throws InterruptedException if the thread is interrupted before or meanwhile; the flag is cleared then
     */
    public boolean awaitAsLoop(BooleanSupplier done, Deadline deadline, EventLoop loop) throws InterruptedException {
        return (loop.take() && turnUntil(done, deadline, loop)) || sleepInterruptibly(done, deadline);
    }

    /**
     * Waits as {@link #spin} does, but not beyond an interrupt.
     *
     * @throws InterruptedException if the thread is interrupted before or meanwhile; the flag is cleared then
     */
    public boolean spinInterruptibly(BooleanSupplier done, Deadline deadline, Runnable drive)
            throws InterruptedException {
        BooleanSupplier over = () -> Thread.currentThread().isInterrupted() || done.getAsBoolean();
        boolean came = spin(over, deadline, drive);
        requireNoInterrupt();
        return came;
    }

    private static void requireNoInterrupt() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /**
     * Waits as {@link #sleep} does, but not beyond an interrupt.
     *
     * @throws InterruptedException if the thread is interrupted before or meanwhile; the flag is cleared then
     */
    public boolean sleepInterruptibly(BooleanSupplier done, Deadline deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            return Waits.interruptibly(done, deadline, condition);
        } finally {
            lock.unlock();
        }
    }

    /** Is {@code loop}, which was taken, until {@code done}; false if the deadline passed or the loop ended before. */
    private boolean turnUntil(BooleanSupplier done, Deadline deadline, EventLoop loop) throws InterruptedException {
        try {
            while (!drive(done, loop)) {
                long left = deadline.remainingNanos();
                if (left == 0) {
                    return false;
                }
                requireNoInterrupt();
                if (!loop.turn(Math.min(left, INTERRUPT_NANOS))) {
                    return false;
                }
            }
            return true;
        } finally {
            drive(() -> true, loop);
            loop.giveBack();
        }
    }

    // From here on a change wakes the loop up, unless it is done already.
    private boolean drive(BooleanSupplier done, EventLoop loop) {
        lock.lock();
        try {
            boolean over = done.getAsBoolean();
            driven = over ? null : loop;
            return over;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sleeps until {@code done}, which is called with the wait point locked and must be short.
     *
     * @return false if the deadline passed before
     */
    public boolean sleep(BooleanSupplier done, Deadline deadline) {
        lock.lock();
        try {
            return Waits.uninterruptibly(done, deadline, condition);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Calls {@code drive}, which makes progress, over and over on this thread until {@code done}.
     *
     * @return false if the deadline passed before
     */
    public boolean spin(BooleanSupplier done, Deadline deadline, Runnable drive) {
        int spins = 0;
        while (true) {
            drive.run();
            if (done.getAsBoolean()) {
                return true;
            }
            if (++spins % SPINS_PER_LOOK == 0) {
                if (deadline.passed()) {
                    return false;
                }
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
    }
}

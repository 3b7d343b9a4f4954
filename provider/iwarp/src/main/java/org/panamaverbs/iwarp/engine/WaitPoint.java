package org.panamaverbs.iwarp.engine;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;

/** Where threads wait until something has changed. Who changes it does so first and then says {@link #changed()}. */
final class WaitPoint {
    private static final int SPINS_PER_LOOK = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition condition = lock.newCondition();
    // Which loop one of the waiters has meanwhile; guarded by the lock.
    private @Nullable EventLoop driven;

    /** Has all waiters look again. */
    void changed() {
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
     */
    boolean awaitAsLoop(BooleanSupplier done, Deadline deadline, EventLoop loop) {
        return (loop.take() && turnUntil(done, deadline, loop)) || sleep(done, deadline);
    }

    /** Is {@code loop}, which was taken, until {@code done}; false if the deadline passed or the loop ended before. */
    private boolean turnUntil(BooleanSupplier done, Deadline deadline, EventLoop loop) {
        boolean interrupted = false;
        try {
            while (!drive(done, loop)) {
                long left = deadline.remainingNanos();
                if (left == 0) {
                    return false;
                }
                // Otherwise a selector would not wait.
                interrupted |= Thread.interrupted();
                if (!loop.turn(left)) {
                    return false;
                }
            }
            return true;
        } finally {
            drive(() -> true, loop);
            loop.giveBack();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
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
     * Waits until {@code done}, which is called with the wait point locked and must be short.
     *
     * @param drive null to sleep between changes; or what makes progress, called over and over on this thread, unlocked
     * @return false if the deadline passed before
     */
    boolean await(BooleanSupplier done, Deadline deadline, @Nullable Runnable drive) {
        return drive == null ? sleep(done, deadline) : spin(done, deadline, drive);
    }

    private boolean sleep(BooleanSupplier done, Deadline deadline) {
        boolean interrupted = false;
        lock.lock();
        try {
            while (!done.getAsBoolean()) {
                long left = deadline.remainingNanos();
                if (left == 0) {
                    return false;
                }
                try {
                    condition.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return true;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static boolean spin(BooleanSupplier done, Deadline deadline, Runnable drive) {
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

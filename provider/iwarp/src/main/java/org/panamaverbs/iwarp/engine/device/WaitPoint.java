package org.panamaverbs.iwarp.engine.device;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionWait;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.spi.support.Waits;

/** Where threads wait until something has changed. Who changes it does so first and then says {@link #changed()}. */
public final class WaitPoint {
    private static final int SPINS_PER_LOOK = 64;
    // An interrupt does not end a wait in the system: how long it may go unseen.
    private static final long INTERRUPT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final SpinLock lock = new SpinLock();
    // Guarded by the lock.
    private @Nullable Sleeper sleepers;
    // What one of the waiters sleeps in, and no other meanwhile; set with the lock, and back to null by that waiter.
    private volatile @Nullable DrivingWait driven;

    /** A thread that sleeps here. */
    private static final class Sleeper {
        private final Thread thread = Thread.currentThread();
        private volatile boolean gone;
        // Guarded by the lock.
        private @Nullable Sleeper next;
    }

    /** Has all waiters look again. */
    public void changed() {
        lock.lock();
        try {
            for (Sleeper each = sleepers; each != null; each = each.next) {
                LockSupport.unpark(each.thread);
            }
            DrivingWait asleep = driven;
            if (asleep != null) {
                asleep.wakeup();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until {@code done}, which is called with the wait point locked and must be short, and makes progress by
     * {@code with} meanwhile. One waiter at a time: the others sleep.
     *
     * @return false if the deadline passed before, or it was of no use to begin or to go on, or another waiter does so
     * @throws InterruptedException if the thread is interrupted before or meanwhile; the flag is cleared then
     */
    public boolean awaitDriving(BooleanSupplier done, Deadline deadline, DrivingWait with) throws InterruptedException {
        if (driven != null || !with.take()) {
            return false;
        }
        boolean mine = false;
        try {
            mine = begins(with);
            if (mine) {
                return turnUntil(done, deadline, with);
            }
            // Who has it turns it once.
            with.turn(0);
            return false;
        } finally {
            if (mine) {
                driven = null;
            }
            with.giveBack();
        }
    }

    /** Has a change wake up {@code with} from here on; false if it wakes up another waiter's. */
    private boolean begins(DrivingWait with) {
        lock.lock();
        try {
            if (driven != null) {
                return false;
            }
            driven = with;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits as {@link #sleep} does, but not beyond an interrupt.
     *
     * @throws InterruptedException if the thread is interrupted before or meanwhile; the flag is cleared then
     */
    public boolean sleepInterruptibly(BooleanSupplier done, Deadline deadline) throws InterruptedException {
        Sleeper self = new Sleeper();
        try {
            Waits.requireNoInterrupt();
            enter(self);
            while (!isDone(done)) {
                if (!park(deadline)) {
                    return false;
                }
                Waits.requireNoInterrupt();
            }
            return true;
        } finally {
            self.gone = true;
            sweep();
        }
    }

    /**
     * Sleeps until {@code done}, which is called with the wait point locked and must be short.
     *
     * @return false if the deadline passed before
     */
    public boolean sleep(BooleanSupplier done, Deadline deadline) {
        Sleeper self = new Sleeper();
        boolean interrupted = false;
        try {
            enter(self);
            while (!isDone(done)) {
                if (!park(deadline)) {
                    return false;
                }
                // With the flag set nobody would sleep.
                interrupted |= Thread.interrupted();
            }
            return true;
        } finally {
            self.gone = true;
            sweep();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void enter(Sleeper self) {
        lock.lock();
        try {
            self.next = sleepers;
            sleepers = self;
        } finally {
            lock.unlock();
        }
    }

    private boolean isDone(BooleanSupplier done) {
        lock.lock();
        try {
            return done.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    private boolean park(Deadline deadline) {
        long left = deadline.remainingNanos();
        if (left == 0) {
            return false;
        }
        LockSupport.parkNanos(this, left);
        return true;
    }

    /** Forgets who has gone. */
    private void sweep() {
        lock.lock();
        try {
            Sleeper before = null;
            for (Sleeper each = sleepers; each != null; each = each.next) {
                if (!each.gone) {
                    before = each;
                } else if (before == null) {
                    sleepers = each.next;
                } else {
                    before.next = each.next;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Drives by {@code with}, which was taken, until {@code done}; false if the deadline passed or that ended before.
     * Turns it once at least: the loop's own thread keeps away, and one that looks again and again without waiting
     * would stop it.
     */
    private boolean turnUntil(BooleanSupplier done, Deadline deadline, DrivingWait with) throws InterruptedException {
        boolean came = isDone(done);
        long left = came ? 0 : deadline.remainingNanos();
        do {
            Waits.requireNoInterrupt();
            boolean goesOn = with.turn(Math.min(left, INTERRUPT_NANOS));
            came = came || isDone(done);
            left = goesOn ? deadline.remainingNanos() : 0;
        } while (!came && left != 0);
        return came;
    }

    /**
     * Calls {@code drive}, which makes progress, over and over on this thread until {@code done}.
     *
     * @return false if the deadline passed before
     * @throws InterruptedException if the thread is interrupted before or meanwhile; the flag is cleared then
     */
    public static boolean spin(BooleanSupplier done, Deadline deadline, Runnable drive) throws InterruptedException {
        int spins = 0;
        while (true) {
            drive.run();
            Waits.requireNoInterrupt();
            if (done.getAsBoolean()) {
                return true;
            }
            if (++spins % SPINS_PER_LOOK == 0) {
                if (deadline.passed()) {
                    return false;
                }
                CompletionWait.pause();
            } else {
                Thread.onSpinWait();
            }
        }
    }
}

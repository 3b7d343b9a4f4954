package org.panamaverbs.api.support;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;
import org.panamaverbs.api.Deadline;

/**
 * Waits by a deadline until something holds that another thread changes, behind a lock that the caller has. A wait at a
 * {@link Condition} allocates a node each time that it sleeps, one at a monitor nothing.
 */
public final class Waits {
    private Waits() {}

    /**
     * Waits until {@code done} holds, looking each time that {@code changed} is signalled or notified.
     *
     * @param changed a {@link Condition}, or an object whose monitor is the lock
     * @return false if the deadline passed before
     * @throws InterruptedException if the thread is interrupted before or meanwhile; its flag is cleared then
     */
    public static boolean interruptibly(BooleanSupplier done, Deadline deadline, Object changed)
            throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        while (!done.getAsBoolean()) {
            long left = deadline.remainingNanos();
            if (left == 0) {
                return false;
            }
            sleep(changed, left);
        }
        return true;
    }

    /**
     * Waits until {@code done} holds, looking each time that {@code changed} is signalled or notified. An interrupt
     * does not end it, and is there afterwards.
     *
     * @param changed a {@link Condition}, or an object whose monitor is the lock
     * @return false if the deadline passed before
     */
    public static boolean uninterruptibly(BooleanSupplier done, Deadline deadline, Object changed) {
        boolean interrupted = false;
        try {
            while (!done.getAsBoolean()) {
                long left = deadline.remainingNanos();
                if (left == 0) {
                    return false;
                }
                try {
                    sleep(changed, left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @SuppressWarnings("WaitNotInLoop") // both callers loop
    private static void sleep(Object changed, long nanos) throws InterruptedException {
        if (changed instanceof Condition condition) {
            condition.awaitNanos(nanos);
        } else {
            TimeUnit.NANOSECONDS.timedWait(changed, nanos);
        }
    }
}

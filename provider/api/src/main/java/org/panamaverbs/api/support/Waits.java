package org.panamaverbs.api.support;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.WaitInterruptedException;

/**
 * Waits by a deadline: until something holds that another thread changes, behind a lock that the caller has; for a
 * future, and for the end of a thread. A wait at a {@link Condition} allocates a node each time that it sleeps, one at
 * a monitor nothing.
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
        requireNoInterrupt();
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

    /**
     * Waits for {@code answer}.
     *
     * @throws TimeoutException if the deadline passed before
     * @throws ExecutionException if the answer is a failure
     * @throws InterruptedException if the thread is interrupted before or meanwhile; its flag is cleared then
     */
    public static <T> T interruptibly(Future<T> answer, Deadline deadline)
            throws ExecutionException, TimeoutException, InterruptedException {
        return deadline.unlimited() ? answer.get() : answer.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Waits for {@code answer}. An interrupt does not end the wait, and is there afterwards.
     *
     * @throws TimeoutException if the deadline passed before
     * @throws ExecutionException if the answer is a failure
     * @throws CancellationException if {@code answer} was cancelled, before or meanwhile
     */
    public static <T> T uninterruptibly(Future<T> answer, Deadline deadline)
            throws ExecutionException, TimeoutException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return interruptibly(answer, deadline);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits until {@code thread} has ended. An interrupt does not end the wait, and is there afterwards. */
    public static void awaitEnd(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Does nothing unless the thread is interrupted.
     *
     * @throws InterruptedException if it is; its flag is cleared then
     */
    public static void requireNoInterrupt() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /**
     * Returns what a wait throws that an interrupt has ended. The thread's flag is set from now on.
     *
     * @param operation the method of the API that waits
     * @param what what it waited for, or where: {@code completion channel 3}
     */
    public static WaitInterruptedException interrupted(String operation, String what) {
        Thread.currentThread().interrupt();
        return new WaitInterruptedException(operation, "interrupted while waiting for " + what);
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

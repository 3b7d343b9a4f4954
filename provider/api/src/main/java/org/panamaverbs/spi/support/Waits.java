package org.panamaverbs.spi.support;

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
 * Waits with a deadline: for a condition that another thread changes under the caller's lock, for a future, and for the
 * end of a thread. Each sleep at a {@link Condition} allocates a node, at a monitor nothing.
 */
public final class Waits {
    private Waits() {}

    /**
     * Waits until {@code done} holds, checked each time {@code changed} is signaled or notified.
     *
     * @param changed a {@link Condition}, or an object whose monitor is the lock
     * @return false if the deadline passed
     * @throws InterruptedException if the thread is interrupted before or during the wait; its interrupt flag is
     *     cleared
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
     * Waits until {@code done} holds, checked each time {@code changed} is signaled or notified. An interrupt does not
     * end the wait; the flag is set afterwards.
     *
     * @param changed a {@link Condition}, or an object whose monitor is the lock
     * @return false if the deadline passed
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
     * @throws TimeoutException if the deadline passed
     * @throws ExecutionException if the answer is a failure
     * @throws InterruptedException if the thread is interrupted before or during the wait; its interrupt flag is
     *     cleared
     */
    public static <T> T interruptibly(Future<T> answer, Deadline deadline)
            throws ExecutionException, TimeoutException, InterruptedException {
        return deadline.unlimited() ? answer.get() : answer.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Waits for {@code answer}. An interrupt does not end the wait; the flag is set afterwards.
     *
     * @throws TimeoutException if the deadline passed
     * @throws ExecutionException if the answer is a failure
     * @throws CancellationException if {@code answer} is cancelled
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

    /** Waits until {@code thread} has ended. An interrupt does not end the wait; the flag is set afterwards. */
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
     * Checks that the thread is not interrupted.
     *
     * @throws InterruptedException if it is; its interrupt flag is cleared
     */
    public static void requireNoInterrupt() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /**
     * Returns the exception of an interrupted wait, and sets the thread's interrupt flag.
     *
     * @param operation the method of the API that waits
     * @param what the awaited event or object: {@code completion channel 3}
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

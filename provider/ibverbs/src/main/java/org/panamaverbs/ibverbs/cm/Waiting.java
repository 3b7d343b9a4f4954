package org.panamaverbs.ibverbs.cm;

import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;
import org.panamaverbs.api.Deadline;

/** Waits that an interrupt does not end; the thread's flag says of it afterwards. */
public final class Waiting {
    private Waiting() {}

    /**
     * Waits until {@code done}, looking each time that {@code changed} is signalled; with its lock.
     *
     * @return false if the deadline passed before
     */
    public static boolean until(BooleanSupplier done, Condition changed, Deadline deadline) {
        boolean interrupted = false;
        try {
            while (!done.getAsBoolean()) {
                long left = deadline.remainingNanos();
                if (left == 0) {
                    return false;
                }
                try {
                    changed.awaitNanos(left);
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
}

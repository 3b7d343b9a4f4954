package org.panamaverbs.local.context;

import java.util.function.BooleanSupplier;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.spi.support.Waits;

/**
 * What all devices of the process share: one lock over everything that a request or a connection changes. Who waits has
 * the lock.
 */
public final class Fabric {
    /**
     * The lock of all state of all queue pairs, queues and connections. Whoever changes what others wait for notifies.
     */
    public static final Object LOCK = new Object();

    private Fabric() {}

    /** Waits until {@code condition} and returns whether it holds when the deadline passes. */
    public static boolean await(BooleanSupplier condition, Deadline deadline) throws InterruptedException {
        return Waits.interruptibly(condition, deadline, LOCK);
    }
}

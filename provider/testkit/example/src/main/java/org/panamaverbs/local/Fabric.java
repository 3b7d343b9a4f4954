package org.panamaverbs.local;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.support.Waits;

/**
 * What all devices of the process share: one lock over everything that a request or a connection changes, the ports,
 * and the numbers of objects. All methods are called with the lock held.
 */
final class Fabric {
    /**
     * The lock of all state of all queue pairs, queues and connections. Whoever changes what others wait for notifies.
     */
    static final Object LOCK = new Object();

    private static final int FIRST_FREE_PORT = 49_152;
    private static final int LAST_PORT = 65_535;

    private static final Map<Integer, LocalListener> LISTENERS = new HashMap<>();
    private static int lastNumber;
    private static int lastPort = LAST_PORT;

    private Fabric() {}

    /** Returns a number that no object of the process has. */
    static int nextNumber() {
        synchronized (LOCK) {
            return ++lastNumber;
        }
    }

    /** Returns a port that nobody listens at. */
    static int freePort() {
        for (int tries = FIRST_FREE_PORT; tries <= LAST_PORT; tries++) {
            lastPort = lastPort == LAST_PORT ? FIRST_FREE_PORT : lastPort + 1;
            if (!LISTENERS.containsKey(lastPort)) {
                return lastPort;
            }
        }
        throw new ResourceException("listen", "all ports of this process are taken: close listeners", 0);
    }

    /** Has {@code listener} hear who connects to {@code port}; false if another does. */
    static boolean bind(int port, LocalListener listener) {
        return LISTENERS.putIfAbsent(port, listener) == null;
    }

    /** Frees the port of {@code listener}. */
    static void unbind(LocalListener listener) {
        LISTENERS.values().remove(listener);
    }

    /** Returns who listens at the port of {@code address}, which is one for all addresses. */
    static @Nullable LocalListener listenerAt(InetSocketAddress address) {
        return LISTENERS.get(address.getPort());
    }

    /** Waits until {@code condition} and returns whether it holds; an interrupt stays for the caller. */
    static boolean await(BooleanSupplier condition, Deadline deadline) {
        return Waits.uninterruptibly(condition, deadline, LOCK);
    }

    /** Waits until {@code condition} and returns whether it holds when the deadline passes. */
    static boolean awaitInterruptibly(BooleanSupplier condition, Deadline deadline) throws InterruptedException {
        return Waits.interruptibly(condition, deadline, LOCK);
    }
}

package org.panamaverbs.ibverbs.cm;

import java.util.function.Supplier;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;

/**
 * Local ports that the application leaves to the connection manager. It has ports of its own and does not look at
 * TCP's, so on iWARP another socket may have the one it takes, which siw says only when it listens or connects.
 */
public final class LocalPorts {
    /** How often a port that is left to the connection manager is asked for. */
    public static final int TRIES = 16;

    private LocalPorts() {}

    /**
     * Returns what {@code attempt} returns, which takes a new id each time. While it fails because the port is taken it
     * is made again, a few times, if {@code free}: the port is left to the connection manager.
     *
     * @throws ConnectionException if the last attempt failed
     */
    public static <T> T choose(boolean free, Supplier<T> attempt) {
        for (int tries = 1; ; tries++) {
            try {
                return attempt.get();
            } catch (ConnectionException e) {
                if (!free || e.reason() != Reason.ADDRESS_IN_USE || tries == TRIES) {
                    throw e;
                }
            }
        }
    }
}

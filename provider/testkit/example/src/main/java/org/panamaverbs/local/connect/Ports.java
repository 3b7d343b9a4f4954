package org.panamaverbs.local.connect;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.local.context.Fabric;

/** The ports of the process and who waits at them. Used with the lock of {@link Fabric} held. */
final class Ports {
    private static final int FIRST_FREE_PORT = 49_152;
    private static final int LAST_PORT = 65_535;

    private static final Map<Integer, Backlog> BACKLOGS = new HashMap<>();
    private static int lastPort = LAST_PORT;

    private Ports() {}

    /** Returns a port that nobody listens at. */
    static int free() {
        for (int tries = FIRST_FREE_PORT; tries <= LAST_PORT; tries++) {
            lastPort = lastPort == LAST_PORT ? FIRST_FREE_PORT : lastPort + 1;
            if (!BACKLOGS.containsKey(lastPort)) {
                return lastPort;
            }
        }
        throw new ResourceException("listen", "all ports of this process are taken: close listeners", 0);
    }

    /** Has who connects to {@code port} wait in {@code backlog}; false if another listens there. */
    static boolean bind(int port, Backlog backlog) {
        return BACKLOGS.putIfAbsent(port, backlog) == null;
    }

    /** Frees the port of {@code backlog}. */
    static void unbind(Backlog backlog) {
        BACKLOGS.values().remove(backlog);
    }

    /**
     * Returns where one waits at the port of {@code address}, which is one for all addresses; null if nobody listens.
     */
    static @Nullable Backlog backlogAt(InetSocketAddress address) {
        return BACKLOGS.get(address.getPort());
    }
}

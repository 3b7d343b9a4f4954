package org.panamaverbs.local.connect;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.local.context.Fabric;

/** The ports of the process and who listens at them. Used with the lock of {@link Fabric} held. */
final class Ports {
    private static final int FIRST_FREE_PORT = 49_152;
    private static final int LAST_PORT = 65_535;

    private static final Map<Integer, LocalListener> LISTENERS = new HashMap<>();
    private static int lastPort = LAST_PORT;

    private Ports() {}

    /** Returns a port that nobody listens at. */
    static int free() {
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
}

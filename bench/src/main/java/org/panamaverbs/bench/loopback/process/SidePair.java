package org.panamaverbs.bench.loopback.process;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Two processes that are connected; at rest unless they measure. The server says {@code port N} when it listens, and
 * the client is told N by its last argument; both say {@code ready} when they are connected.
 */
public final class SidePair implements AutoCloseable {
    private final SideProcess server;
    private final SideProcess client;

    /** Starts both sides and waits until they are connected. */
    public SidePair(SidePlan serverPlan, SidePlan clientPlan) throws IOException {
        server = new SideProcess(serverPlan);
        @Nullable SideProcess connecting = null;
        boolean connected = false;
        try {
            String port = server.ask(null, "port ");
            connecting = new SideProcess(clientPlan.and(port));
            connecting.ask(null, "ready");
            server.ask(null, "ready");
            connected = true;
        } finally {
            if (!connected) {
                if (connecting != null) {
                    connecting.end();
                }
                server.end();
            }
        }
        client = connecting;
    }

    /** Returns the side that listened. */
    public SideProcess server() {
        return server;
    }

    /** Returns the side that connected. */
    public SideProcess client() {
        return client;
    }

    /** Ends both sides. */
    @Override
    public void close() {
        client.end();
        server.end();
    }
}

package org.panamaverbs.iwarp.crowd;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.testkit.crowd.CrowdClients;

/** Clients in a process of their own, and what they have in common with those beside their server. */
final class CrowdProcess {
    /** What the process says when all is measured. */
    static final String DONE = "done";

    static final int WARM_UP = 20_000;

    private CrowdProcess() {}

    /** Runs the clients of a server at a port, one of which meets a port that is mute. */
    public static void main(String[] arguments) throws IOException {
        InetSocketAddress server = address(Integer.parseInt(arguments[0]));
        InetSocketAddress mute = address(Integer.parseInt(arguments[1]));
        try (CrowdClients clients = new CrowdClients(open(), server, deadline())) {
            System.out.print(clients.run(Integer.parseInt(arguments[2]), WARM_UP, mute));
            System.out.println(DONE);
            // Until the other side has looked.
            int end = System.in.read();
            assert end == -1 : end;
        }
    }

    static Verbs open() {
        return Verbs.open(OpenConfig.provider("iwarp").with("shm", "off").with("handshake.timeout", "600s"));
    }

    static InetSocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
    }

    static Deadline deadline() {
        return Deadline.in(Long.getLong("verbs.test.deadline", 120), TimeUnit.SECONDS);
    }
}

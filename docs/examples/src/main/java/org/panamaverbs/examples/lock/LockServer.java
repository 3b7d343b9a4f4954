package org.panamaverbs.examples.lock;

import static org.panamaverbs.memory.Access.LOCAL_WRITE;
import static org.panamaverbs.memory.Access.REMOTE_ATOMIC;
import static org.panamaverbs.memory.Access.REMOTE_READ;
import static org.panamaverbs.memory.Access.REMOTE_WRITE;

import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.examples.command.TwoEnds;

/** The server lends its memory, and looks at it when all clients are gone. */
final class LockServer {
    private LockServer() {}

    static void run(TwoEnds ends, int clients, int rounds) {
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var cells = domain.allocate(Cells.BYTES, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC);
                var queue = verbs.completionQueue(clients);
                var listener = verbs.listen(ends.listenAddress())) {
            // The server posts nothing: no receives, and the one send that a queue pair has at least.
            var config = QueuePairConfig.of(domain, queue)
                    .withDepth(1, 0)
                    .withAccess(REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC);
            var offer =
                    ConnectionConfig.defaults().withPrivateData(cells.remote().encode());
            ends.listening(listener.localAddress());
            List<Connection> connections = new ArrayList<>();
            try {
                for (int client = 0; client < clients; client++) {
                    connections.add(listener.accept(ends.deadline()).accept(config, offer, ends.deadline()));
                }
                for (Connection connection : connections) {
                    if (!connection.awaitDisconnect(ends.deadline())) {
                        throw new IllegalStateException("server: " + connection.remoteAddress() + " is still there");
                    }
                }
            } finally {
                connections.forEach(Connection::close);
            }
            long counter = cells.atomicTarget(Cells.COUNTER).getVolatile();
            long guarded = cells.atomicTarget(Cells.GUARDED).getVolatile();
            long expected = (long) clients * rounds;
            ends.say(
                    "server: the counter is %,d, the guarded value %,d, both have to be %,d",
                    counter, guarded, expected);
            if (counter != expected || guarded != expected) {
                throw new IllegalStateException("server: a step of " + expected + " was lost: the counter is " + counter
                        + ", the guarded value " + guarded);
            }
        }
    }
}

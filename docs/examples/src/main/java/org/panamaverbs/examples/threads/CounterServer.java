package org.panamaverbs.examples.threads;

import static org.panamaverbs.memory.Access.LOCAL_WRITE;
import static org.panamaverbs.memory.Access.REMOTE_ATOMIC;

import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.examples.command.TwoEnds;

/** The server has a counter for each virtual thread of the client, and looks at them in the end. */
final class CounterServer {
    private CounterServer() {}

    static void run(TwoEnds ends, int threads, int rounds) {
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var counters = domain.allocate((long) threads * Long.BYTES, LOCAL_WRITE, REMOTE_ATOMIC);
                var queue = verbs.completionQueue(1);
                var listener = verbs.listen(ends.listenAddress())) {
            ends.listening(listener.localAddress());
            var config = QueuePairConfig.of(domain, queue).withDepth(1, 0).withAccess(REMOTE_ATOMIC);
            var offer = ConnectionConfig.defaults()
                    .withPrivateData(counters.remote().encode());
            try (var request = listener.accept(ends.deadline());
                    var connection = request.accept(config, offer, ends.deadline())) {
                connection.awaitDisconnect(ends.deadline());
            }
            for (int thread = 0; thread < threads; thread++) {
                long counted = counters.atomicTarget((long) thread * Long.BYTES).getVolatile();
                if (counted != rounds) {
                    throw new IllegalStateException("server: thread " + thread + " counted to " + counted);
                }
            }
            ends.say("server: each of %,d counters is %,d", threads, rounds);
        }
    }
}

package org.panamaverbs.examples.threads;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.panamaverbs.memory.Access.LOCAL_WRITE;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/** The client: a virtual thread for each counter, written as if it had all of it for itself. */
final class CounterClient {
    private static final int PLACES = 64;

    private CounterClient() {}

    static void run(TwoEnds ends, int threads, int rounds) throws Exception {
        var server = ends.server();
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var results = domain.allocate((long) threads * Long.BYTES, LOCAL_WRITE);
                var channel = verbs.completionChannel();
                var queue =
                        verbs.completionQueue(CompletionQueueConfig.of(PLACES).withChannel(channel));
                var connection =
                        verbs.connect(server, QueuePairConfig.of(domain, queue).withDepth(PLACES, 0), ends.deadline());
                var requests = new Requests(queue, channel, connection.queuePair(), PLACES, ends.deadline())) {
            RemoteBuffer counters = RemoteBuffer.decode(connection.privateData());
            List<Future<?>> all = new ArrayList<>();
            long begin = System.nanoTime();
            try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int thread = 0; thread < threads; thread++) {
                    long cell = (long) thread * Long.BYTES;
                    all.add(executor.submit(() -> count(requests, results, counters, cell, rounds)));
                }
            }
            for (Future<?> one : all) {
                one.get();
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            long sum = (long) threads * rounds;
            ends.say(
                    "client: %,d requests of %,d virtual threads in %.3f s, %,.0f a second",
                    sum, threads, seconds, sum / seconds);
            connection.disconnect(ends.deadline());
        }
    }

    /** What one virtual thread does: plain code that waits, one step after the other. */
    private static Void count(Requests requests, RegisteredBuffer results, RemoteBuffer counters, long cell, int rounds)
            throws Exception {
        for (int round = 0; round < rounds; round++) {
            requests.fetchAdd(results, cell, counters, cell, 1);
            long before = results.segment().get(JAVA_LONG, cell);
            if (before != round) {
                throw new IllegalStateException("client: the counter was " + before + " before round " + round);
            }
        }
        return null;
    }
}

package org.panamaverbs.examples.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.examples.command.TwoEnds;

/** Some clients, each with a thread, a queue pair and a completion queue of its own, so that nothing is shared here. */
final class LockClients {
    private LockClients() {}

    static void run(TwoEnds ends, int clients, int rounds) throws Exception {
        var server = ends.server();
        AtomicLong tries = new AtomicLong();
        long begin = System.nanoTime();
        try (Verbs verbs = Verbs.open();
                ExecutorService threads = Executors.newThreadPerTaskExecutor(
                        Thread.ofPlatform().name("client-", 1).factory())) {
            List<Future<?>> all = new ArrayList<>();
            for (int client = 1; client <= clients; client++) {
                long id = client;
                all.add(threads.submit(
                        () -> tries.addAndGet(LockClient.run(verbs, server, id, rounds, ends.deadline()))));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        long sum = (long) clients * rounds;
        ends.say("clients: %,d times counted and locked in %.3f s, %,.0f a second", sum, seconds, sum / seconds);
        ends.say("clients: the lock was asked for %,d times", tries.get());
    }
}

package org.panamaverbs.examples.feed;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.examples.command.TwoEnds;

/** Some subscribers, a thread each; the network brings every one of them what the publisher sends once. */
final class Subscribers {
    private Subscribers() {}

    static void run(TwoEnds ends, Terms terms) throws Exception {
        try (Verbs verbs = Verbs.open()) {
            Terms.requireMulticast(verbs);
            var publisher = ends.server();
            try (ExecutorService threads = Executors.newThreadPerTaskExecutor(
                    Thread.ofPlatform().name("subscriber-", 1).factory())) {
                List<Future<?>> all = new ArrayList<>();
                for (int i = 1; i <= terms.subscribers(); i++) {
                    int id = i;
                    all.add(threads.submit(() -> {
                        long begin = System.nanoTime();
                        Sequence sequence = Subscriber.run(verbs, publisher, terms, ends.deadline());
                        ends.say(
                                "subscriber %d: %,d updates in order, %,d of them missed in %,d gaps and repeated, in %.1f s",
                                id,
                                sequence.next(),
                                sequence.missed(),
                                sequence.gaps(),
                                (System.nanoTime() - begin) / 1e9);
                    }));
                }
                for (Future<?> one : all) {
                    one.get();
                }
            }
        }
    }
}

package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.testkit.process.DirectMemory;

/** The memory that a poll needs is of those that poll at once, not of all that ever did. */
@Timeout(120)
@ParameterizedClass
@ValueSource(strings = {"shm=off", "shm.direct=off", "shm.direct=on"})
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
@Tag("alone")
class ManyPollersTest {
    @Parameter
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    String shm;

    private static final int THREADS = 3_000;
    private static final long MEMORY = 1 << 20;

    @Test
    void virtualThreadsThatPollAnIdleQueueKeepNoMemory() throws Exception {
        try (Peer client = new Peer(shm);
                Peer server = new Peer(shm)) {
            Peer.connect(client, server);
            assertThat(memoryOfManyPolls(client)).isLessThan(MEMORY);
            server.queuePair().recv(1, server.buffer, 0, 8);
            client.queuePair().send(2, client.buffer, 0, 8, SIGNALED);
            assertThat(client.nextOk().wrId()).isEqualTo(2);
            assertThat(server.nextOk().wrId()).isEqualTo(1);
        }
    }

    /** Returns the direct memory that came with the polls, while all who polled are there. */
    private static long memoryOfManyPolls(Peer peer) throws InterruptedException {
        long before = DirectMemory.usedBytes();
        CountDownLatch polled = new CountDownLatch(THREADS);
        CountDownLatch over = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(Thread.ofVirtual().start(() -> {
                peer.queue.poll(WorkCompletions.ofCapacity(1));
                polled.countDown();
                try {
                    over.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        assertThat(polled.await(60, TimeUnit.SECONDS)).isTrue();
        long more = DirectMemory.usedBytes() - before;
        over.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        return more;
    }
}

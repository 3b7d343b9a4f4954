package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.CompletionWait;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;

/** Threads that wait for streams of which not all have rings, or more than a thread sleeps at. */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class RingSleepAmongManyTest {
    private static final int ROUNDS = 600;
    private static final long RECEIVE = 1;

    private final Peer client = new Peer("progress=background", "shm.direct=off");
    private final CompletionChannel channel = client.verbs.completionChannel();
    private final CompletionQueue queue =
            client.verbs.completionQueue(CompletionQueueConfig.of(64).withChannel(channel));
    private final WorkCompletions completions = WorkCompletions.ofCapacity(1);
    private final CompletionWait wait = CompletionWait.of(queue, channel, Duration.ZERO);
    private final List<Connection> connections = new ArrayList<>();
    private final List<Peer> servers = new ArrayList<>();

    @AfterEach
    void close() {
        closeStreams();
        channel.close();
        servers.forEach(Peer::close);
        client.close();
    }

    private void closeStreams() {
        for (Connection connection : connections) {
            connection.close();
            connection.queuePair().close();
        }
        connections.clear();
        queue.close();
    }

    private void connect(String option) throws InterruptedException {
        Peer server = new Peer(option, "shm.direct=off");
        servers.add(server);
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            Peer.connect(
                    client,
                    QueuePairConfig.of(client.domain, queue),
                    server,
                    server.config(),
                    listener,
                    ConnectionConfig.defaults(),
                    queuePair -> {});
        }
        connections.add(client.connection());
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 0", "16, 0", "17, 0", "16, 1"})
    void aMessageOfEachIsHeardAtOnce(int withRings, int overTcp) throws Exception {
        for (int i = 0; i < withRings + overTcp; i++) {
            connect(i < withRings ? "shm=require" : "shm=off");
        }
        long start = System.nanoTime();
        for (int i = 0; i < ROUNDS; i++) {
            Peer server = servers.get(i % servers.size());
            PostStatus.check(connections.get(i % servers.size()).queuePair().recv(RECEIVE, client.buffer, 0, 64));
            Background<Integer> waiter = Background.start(() -> wait.await(completions, Peer.soon()));
            waiter.whenWaiting();
            PostStatus.check(server.queuePair().send(0, server.buffer, 64, 64, SendFlag.SIGNALED));
            assertThat(waiter.get()).isEqualTo(1);
            assertThat(completions.get(0).wrId()).isEqualTo(RECEIVE);
            server.nextOk();
        }
        // Each that is not woken up would cost the 20 ms after which a wait looks whether it was interrupted.
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.MILLISECONDS.toNanos(ROUNDS * 10L));
    }

    @Test
    void closingTheStreamsAndTheChannelEndsTheSleep() throws Exception {
        connect("shm=require");
        Background<Boolean> waiter =
                Background.start(() -> channel.await(Peer.soon()).isPresent());
        waiter.whenWaiting();
        closeStreams();
        channel.close();
        assertThatThrownBy(waiter::get).isInstanceOf(IllegalStateException.class);
    }
}

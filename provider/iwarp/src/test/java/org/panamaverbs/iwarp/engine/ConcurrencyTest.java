package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

@Timeout(120)
@ParameterizedClass
@ValueSource(strings = {"shm=off", "shm.direct=off", "shm.direct=on"})
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
class ConcurrencyTest {
    @Parameter
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    String shm;

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @Test
    void threadsShareAQueuePair() throws Exception {
        int threads = 3;
        int each = 3000;
        try (Peer client = new Peer(threads * each, shm);
                Peer server = new Peer(shm)) {
            Peer.connect(client, server);
            RemoteBuffer remote = Peer.remote(server);
            List<Background<Boolean>> posters = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                long result = 8L * t;
                posters.add(Background.start(() -> {
                    for (int i = 0; i < each; i++) {
                        while (client.queuePair().fetchAdd(i, client.buffer, result, remote, 1024, 1, SIGNALED)
                                == PostStatus.QUEUE_FULL) {
                            Thread.onSpinWait();
                        }
                    }
                    return true;
                }));
            }
            WorkCompletions completions = WorkCompletions.ofCapacity(64);
            int done = 0;
            while (done < threads * each) {
                int count = client.queue.poll(completions, Peer.soon());
                for (int i = 0; i < count; i++) {
                    assertThat(completions.get(i).ok()).isTrue();
                }
                done += count;
            }
            for (Background<Boolean> poster : posters) {
                assertThat(poster.get()).isTrue();
            }
            assertThat(server.buffer.segment().get(ValueLayout.JAVA_LONG, 1024)).isEqualTo((long) threads * each);
        }
    }

    @Test
    void servesManyConnectionsWhileNobodyPollsThere() throws Exception {
        int connections = 40;
        try (Peer client = new Peer(shm);
                Peer server = new Peer(shm);
                Listener listener = server.verbs.listen(ANY_PORT)) {
            Background<Boolean> accepting = Background.start(() -> {
                for (int i = 0; i < connections; i++) {
                    server.closeFirst(listener.accept(Peer.soon())
                            .accept(server.config(), ConnectionConfig.defaults(), Peer.soon()));
                }
                return true;
            });
            List<Connection> made = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                Connection connection = client.verbs.connect(
                        listener.localAddress(), client.config(), ConnectionConfig.defaults(), Peer.soon());
                client.closeFirst(connection);
                made.add(connection);
            }
            accepting.get();
            RemoteBuffer remote = Peer.remote(server);
            for (int round = 0; round < 20; round++) {
                for (Connection connection : made) {
                    connection.queuePair().fetchAdd(round, client.buffer, 0, remote, 0, 1, SIGNALED);
                }
                for (int i = 0; i < connections; i++) {
                    client.nextOk();
                }
            }
            assertThat(server.buffer.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(20L * connections);
        }
    }

    @Test
    void deregistersWhileAPeerWrites() throws Exception {
        try (Peer client = new Peer(1024, shm);
                Peer server = new Peer(shm)) {
            Peer.connect(client, server);
            RegisteredBuffer doomed = server.domain.allocate(Peer.BUFFER_BYTES, Peer.ALL);
            RemoteBuffer remote = doomed.remote();
            for (int i = 0; i < 100; i++) {
                client.queuePair().write(i, client.buffer, 0, Peer.BUFFER_BYTES, remote, 0, SIGNALED);
            }
            client.nextOk();
            doomed.close();

            assertThat(doomed.segment().scope().isAlive()).isFalse();
            // It may be that all of them were faster; this one comes too late in any case.
            client.queuePair().write(100, client.buffer, 0, Peer.BUFFER_BYTES, remote, 0, SIGNALED);
            assertThat(client.connection().awaitDisconnect(Peer.soon())).isTrue();
            assertThat(client.connection().terminateCause()).isPresent();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void leavesNoDescriptorsBehind() throws Exception {
        churn();
        long before = descriptors();
        churn();

        assertThat(descriptors()).isLessThanOrEqualTo(before);
    }

    private void churn() throws Exception {
        try (Peer client = new Peer(shm);
                Peer server = new Peer(shm);
                Listener listener = server.verbs.listen(ANY_PORT)) {
            for (int i = 0; i < 20; i++) {
                Background<Boolean> accepting = Background.start(() -> {
                    try (CompletionQueue queue = server.verbs.completionQueue(8);
                            Connection connection = listener.accept(Peer.soon())
                                    .accept(
                                            QueuePairConfig.of(server.domain, queue),
                                            ConnectionConfig.defaults(),
                                            Peer.soon())) {
                        return connection.awaitDisconnect(Peer.soon());
                    }
                });
                try (Connection connection = client.verbs.connect(
                        listener.localAddress(), client.config(), ConnectionConfig.defaults(), Peer.soon())) {
                    if (i % 2 == 0) {
                        connection.disconnect(Peer.soon());
                    }
                }
                assertThat(accepting.get()).isTrue();
            }
        }
    }

    private static long descriptors() throws Exception {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }
}

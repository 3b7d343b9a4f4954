package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.testkit.Requirement;

/**
 * A peer that sends more than the completion queue of its stream holds, while others beside it, of the same context and
 * protection domain, exchange messages: they lose none, and none comes twice or out of order (RFC 5042 §6.4.6).
 */
@Timeout(120)
@ParameterizedClass
@ValueSource(strings = {"shm=off", "shm.direct=off", "shm.direct=on"})
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
class OverrunIsolationTest {
    @Parameter
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    String shm;

    private static final int ROUNDS = 200;
    private static final int OVERRUN_BEGINS = 50;
    private static final int SMALL = 4;
    private static final int STRIDE = 64;

    /** One well-behaved stream: each round a message there and a message back. */
    private static final class Exchange {
        private final Peer client;
        private final Peer server;
        private final Connection accepted;
        private final long base;

        Exchange(int index, Peer client, Peer server, Connection accepted) {
            this.client = client;
            this.server = server;
            this.accepted = accepted;
            base = 1_000_000L * (index + 1);
        }

        private long offset() {
            return base / 1_000_000 * STRIDE;
        }

        void round(int round) {
            PostStatus.check(accepted.queuePair().recv(base + round, server.buffer, offset(), STRIDE));
            PostStatus.check(client.queuePair().recv(round, client.buffer, 0, STRIDE));
            client.buffer.segment().set(ValueLayout.JAVA_LONG, STRIDE, base + round);

            PostStatus.check(client.queuePair().send(round, client.buffer, STRIDE, Long.BYTES, SIGNALED));
            WorkCompletion received = server.nextOk();
            assertThat(received.wrId()).isEqualTo(base + round);
            assertThat(received.qpNumber()).isEqualTo(accepted.queuePair().number());
            assertThat(server.buffer.segment().get(ValueLayout.JAVA_LONG, offset()))
                    .isEqualTo(base + round);

            PostStatus.check(accepted.queuePair().send(-base - round, server.buffer, offset(), Long.BYTES, SIGNALED));
            assertThat(server.nextOk().wrId()).isEqualTo(-base - round);
            // A Send and a receive, each of this round.
            assertThat(client.nextOk().wrId()).isEqualTo(round);
            assertThat(client.nextOk().wrId()).isEqualTo(round);
            assertThat(client.buffer.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(base + round);
        }
    }

    private static Connection connect(Peer client, QueuePairConfig theirs, Listener listener) throws Exception {
        Background<Connection> accepted = Background.start(
                () -> listener.accept(Peer.soon()).accept(theirs, ConnectionConfig.defaults(), Peer.soon()));
        client.connected(client.verbs.connect(listener.localAddress(), client.config(), Peer.soon()));
        return accepted.get();
    }

    @ParameterizedTest
    @ValueSource(strings = {"background", "spin"})
    @Requirement("SEC-6.4.6-01")
    void aStreamThatOverrunsItsQueueDisturbsNoOther(String progress) throws Exception {
        try (Peer greedy = new Peer(shm);
                Peer first = new Peer(shm);
                Peer second = new Peer(shm);
                Peer server = new Peer(shm, "progress=" + progress);
                CompletionQueue small = server.verbs.completionQueue(SMALL);
                Listener listener = server.verbs.listen(Raw.ANY_PORT);
                Connection overrun = connect(greedy, server.config().withRecvCq(small), listener);
                Connection one = connect(first, server.config(), listener);
                Connection other = connect(second, server.config(), listener)) {
            List<Exchange> others = new ArrayList<>(
                    List.of(new Exchange(0, first, server, one), new Exchange(1, second, server, other)));
            int tooMany = small.capacity() + 1;
            for (int i = 0; i < tooMany; i++) {
                PostStatus.check(overrun.queuePair().recv(i, server.buffer));
            }
            for (int round = 0; round < ROUNDS; round++) {
                if (round >= OVERRUN_BEGINS && round < OVERRUN_BEGINS + tooMany) {
                    PostStatus.check(greedy.queuePair().send(round, greedy.buffer, 0, 0, 0));
                }
                for (Exchange exchange : others) {
                    exchange.round(round);
                }
            }

            assertThat(overrun.awaitDisconnect(Peer.soon())).isTrue();
            assertThat(server.event(AsyncEvent.Type.CQ_ERROR).source()).isEqualTo(small);
            assertThat(overrun.queuePair().state()).isEqualTo(QueuePairState.ERROR);
            assertThat(greedy.connection().awaitDisconnect(Peer.soon())).isTrue();
            for (Exchange exchange : others) {
                exchange.round(ROUNDS);
            }
            assertThat(one.isConnected() && other.isConnected()).isTrue();
        }
    }

    // RFC 5042 §6.4.3.2: CQ_MIN_SIZE is the sum of the receive queues and of the send queues.
    @Test
    @Requirement("SEC-6.4.3.2-02")
    void aQueueOfTheSumOfItsQueuesIsNotOverrunWhateverPeersSend() throws Exception {
        try (Peer first = new Peer(shm);
                Peer second = new Peer(shm);
                Peer server = new Peer(shm);
                CompletionQueue shared = server.verbs.completionQueue(2 * (SMALL + SMALL));
                Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            QueuePairConfig config = QueuePairConfig.of(server.domain, shared).withDepth(SMALL, SMALL);
            try (Connection one = connect(first, config, listener);
                    Connection other = connect(second, config, listener)) {
                for (Peer client : List.of(first, second)) {
                    for (int i = 0; i < SMALL; i++) {
                        PostStatus.check(client.queuePair().recv(i, client.buffer));
                    }
                }
                for (Connection each : List.of(one, other)) {
                    for (int i = 0; i < SMALL; i++) {
                        PostStatus.check(each.queuePair().recv(i, server.buffer, 0, STRIDE));
                        PostStatus.check(each.queuePair().send(i, server.buffer, 0, 1, SIGNALED));
                    }
                }
                for (Peer client : List.of(first, second)) {
                    for (int i = 0; i < 10 * SMALL; i++) {
                        client.queuePair().send(i, client.buffer, 0, 0, SIGNALED);
                    }
                }
                assertThat(one.awaitDisconnect(Peer.soon())).isTrue();
                assertThat(other.awaitDisconnect(Peer.soon())).isTrue();

                assertThat(shared.poll(WorkCompletions.ofCapacity(2 * shared.capacity())))
                        .isEqualTo(shared.capacity());
            }
        }
    }
}

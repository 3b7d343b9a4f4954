package org.panamaverbs.iwarp.engine;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.util.OutstandingSends;
import org.panamaverbs.api.util.Ways;
import org.panamaverbs.testkit.network.Relay;
import org.panamaverbs.testkit.network.Relay.Cut;
import org.panamaverbs.testkit.network.Relay.Pace;
import org.panamaverbs.testkit.network.Relay.Way;

/**
 * A path that is reset or goes silent amid numbered messages: they go on over another one, each taken once and in
 * order, since the peer says how many it has. What this side knows does not say it.
 */
@Timeout(60)
class LostPathTest {
    private static final int MESSAGES = 64;
    private static final int BYTES = 4096;
    private static final int RECEIVES = MESSAGES;

    private final List<Long> taken = new ArrayList<>();

    @ParameterizedTest
    @EnumSource(names = {"RESET", "STALL"})
    void messagesGoOnOverAnotherPathAndEachIsTakenOnce(Cut cut) throws Exception {
        Way broken = new Way(Pace.pieces(BYTES), cut, 20 * BYTES);
        try (Peer client = new Peer("shm=off", "progress.timeout=500ms");
                Peer server = new Peer("shm=off");
                Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            Background<Boolean> serving = Background.start(() -> {
                while (taken.size() < MESSAGES) {
                    serve(server, listener);
                }
                return true;
            });
            InetSocketAddress gone;
            try (Relay link = new Relay(listener.localAddress(), broken, Way.quick())) {
                gone = link.address();
                try (Connection first = connect(client, gone, Peer.soon())) {
                    assertThat(has(first)).isZero();
                    assertThat(allArrived(client, first)).isFalse();
                }
            }
            try (Connection second = Ways.first(
                    List.of(at -> connect(client, gone, at), at -> connect(client, listener.localAddress(), at)),
                    Duration.ofSeconds(5),
                    Peer.soon())) {
                assertThat(has(second)).isBetween(1, MESSAGES - 1);
                assertThat(allArrived(client, second)).isTrue();
            }
            assertThat(serving.get()).isTrue();
            assertThat(taken)
                    .containsExactlyElementsOf(
                            LongStream.range(0, MESSAGES).boxed().toList());
        }
    }

    private static Connection connect(Peer client, InetSocketAddress address, Deadline deadline) {
        return client.verbs.connect(address, client.config(), deadline);
    }

    /**
     * Sends what the peer lacks. Completed is not arrived: TCP holds much, and the disconnect says what becomes of it.
     */
    private static boolean allArrived(Peer client, Connection connection) {
        if (!send(client, connection).requests().isEmpty()) {
            return false;
        }
        try {
            connection.disconnect(Peer.soon());
            return connection.terminateCause().isEmpty();
        } catch (ConnectionException e) {
            return false;
        }
    }

    /** Returns how many messages the peer said that it has. */
    private static int has(Connection connection) {
        return ByteBuffer.wrap(connection.privateData()).getInt();
    }

    /** Accepts once and takes messages until the connection is down; tells the peer first how many it has. */
    private void serve(Peer server, Listener listener) {
        try (ConnectionRequest request = listener.accept(Peer.soon());
                QueuePair queuePair = server.domain.queuePair(server.config())) {
            for (int i = 0; i < RECEIVES; i++) {
                receive(server, queuePair, i);
            }
            byte[] have =
                    ByteBuffer.allocate(Integer.BYTES).putInt(taken.size()).array();
            ConnectionConfig config = ConnectionConfig.defaults().withPrivateData(have);
            try (Connection connection = request.accept(queuePair, config, Peer.soon())) {
                int flushed = 0;
                while (flushed < RECEIVES) {
                    WorkCompletion next = server.next();
                    if (next.ok()) {
                        taken.add(server.buffer.segment().get(JAVA_LONG, BYTES * next.wrId()));
                        receive(server, queuePair, (int) next.wrId());
                    } else {
                        flushed++;
                    }
                }
                assertThat(connection.awaitDisconnect(Peer.soon())).isTrue();
            }
        }
    }

    private static void receive(Peer server, QueuePair queuePair, int place) {
        PostStatus.check(queuePair.recv(place, server.buffer, (long) BYTES * place, BYTES));
    }

    /** Sends from the message on that the peer lacks, until all are sent or one fails; returns what is known then. */
    private static OutstandingSends send(Peer client, Connection connection) {
        QueuePair queuePair = connection.queuePair();
        OutstandingSends ledger = OutstandingSends.of(queuePair);
        WorkCompletions completions = WorkCompletions.ofCapacity(16);
        int next = has(connection);
        boolean failed = false;
        while (!failed && (next < MESSAGES || !ledger.isSettled())) {
            if (next < MESSAGES) {
                client.buffer.segment().set(JAVA_LONG, (long) BYTES * next, next);
                PostStatus.check(queuePair.send(next, client.buffer, (long) BYTES * next, BYTES, SIGNALED));
                ledger.posted(next++, SIGNALED);
            }
            int count = client.queue.poll(completions);
            for (int i = 0; i < count; i++) {
                assertThat(ledger.completed(completions.get(i))).isTrue();
                failed |= !completions.get(i).ok();
            }
        }
        if (failed) {
            assertThat(ledger.settle(client.queue, completions, other -> {}, Peer.soon()))
                    .isTrue();
        }
        return ledger;
    }
}

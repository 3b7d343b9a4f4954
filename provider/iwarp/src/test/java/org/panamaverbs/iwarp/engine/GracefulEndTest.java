package org.panamaverbs.iwarp.engine;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.FENCE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.testkit.network.Relay;
import org.panamaverbs.testkit.network.Relay.Cut;
import org.panamaverbs.testkit.network.Relay.Pace;
import org.panamaverbs.testkit.network.Relay.Way;

/**
 * What was posted before a disconnect, over links that take longer than the linger time: it arrives, or one is told.
 */
@Timeout(120)
class GracefulEndTest {
    private static final int SENDS = 16;
    private static final int BYTES = Peer.BUFFER_BYTES / SENDS;
    private static final long RATE = 2 << 20;

    private final List<Peer> peers = new ArrayList<>();
    private Peer client = peer("linger=200ms");
    private Peer server = peer("linger=200ms");

    private Peer peer(String... options) {
        Peer peer = new Peer(options);
        peers.add(peer);
        return peer;
    }

    @AfterEach
    void close() {
        peers.forEach(Peer::close);
    }

    /** Connects both sides through {@code link}, with receives at the server, and, if {@code both}, at the client. */
    private void connect(Listener listener, Relay link, boolean both) throws Exception {
        Background<Connection> accepted = Background.start(() -> {
            ConnectionRequest request = listener.accept(Peer.soon());
            QueuePair queuePair = server.domain.queuePair(server.config());
            server.closeFirst(queuePair);
            receive(server, queuePair);
            return request.accept(queuePair, ConnectionConfig.defaults(), Peer.soon());
        });
        QueuePair queuePair = client.domain.queuePair(client.config());
        client.closeFirst(queuePair);
        if (both) {
            receive(client, queuePair);
        }
        client.connected(client.verbs.connect(link.address(), queuePair, ConnectionConfig.defaults(), Peer.soon()));
        server.connected(accepted.get());
    }

    private static void receive(Peer peer, QueuePair queuePair) {
        for (int i = 0; i < SENDS; i++) {
            PostStatus.check(queuePair.recv(100 + i, peer.buffer, (long) i * BYTES, BYTES));
        }
    }

    private static void send(Peer peer) {
        for (int i = 0; i < SENDS; i++) {
            PostStatus.check(peer.queuePair().send(i, peer.buffer, (long) i * BYTES, BYTES, SIGNALED));
        }
    }

    /** Counts the completions of {@code peer}'s receives that are a success, once all are there. */
    private static int received(Peer peer, int alsoSent) {
        int good = 0;
        for (int i = 0; i < SENDS + alsoSent; i++) {
            WorkCompletion next = peer.next();
            good += next.wrId() >= 100 && next.ok() ? 1 : 0;
        }
        return good;
    }

    @ParameterizedTest
    @ValueSource(strings = {"sockets=auto", "sockets=nio", "progress=spin"})
    void whatWasPostedArrivesThroughASlowLink(String option) throws Exception {
        client = peer("linger=200ms", option);
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT);
                Relay link = new Relay(listener.localAddress(), Way.slow(RATE), Way.quick())) {
            connect(listener, link, false);
            send(client);
            for (int i = 0; i < SENDS; i++) {
                client.nextOk();
            }

            client.connection().disconnect(Deadline.in(60, SECONDS));

            assertThat(client.connection().terminateCause()).isEmpty();
            assertThat(received(server, 0)).isEqualTo(SENDS);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sockets=auto", "sockets=nio", "progress=spin"})
    void whatThePeerHadPostedArrivesBehindOurFin(String option) throws Exception {
        client = peer("linger=1s", option);
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT);
                Relay link = new Relay(listener.localAddress(), Way.quick(), Way.slow(RATE / 3))) {
            connect(listener, link, true);
            PostStatus.check(client.queuePair().send(0, client.buffer, 0, 1, SIGNALED));
            client.nextOk();
            assertThat(server.nextOk().wrId()).isEqualTo(100);
            send(server);

            client.connection().disconnect(Deadline.in(60, SECONDS));

            assertThat(client.connection().terminateCause()).isEmpty();
            assertThat(received(client, 0)).isEqualTo(SENDS);
            assertThat(server.connection().awaitDisconnect(Peer.soon())).isTrue();
            assertThat(server.connection().terminateCause()).isEmpty();
        }
    }

    /** It is no failure: the peer may close when it likes, and completions tell what it was not given any more. */
    @ParameterizedTest
    @ValueSource(strings = {"sockets=auto", "sockets=nio", "progress=spin"})
    void whatCannotBeSentBehindThePeersFinIsFlushedAndNotThrown(String option) throws Exception {
        client = peer("linger=200ms", option);
        server = peer("linger=10s");
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT);
                Relay link = new Relay(listener.localAddress(), Way.slow(RATE / 2), Way.quick())) {
            connect(listener, link, false);
            QueuePair queuePair = client.queuePair();
            // The Read is still on its way when the peer ends; what is fenced waits for its answer.
            PostStatus.check(queuePair.send(0, client.buffer, 0, BYTES, SIGNALED));
            PostStatus.check(queuePair.read(1, client.buffer, 0, 8, server.buffer.remote(), 0, SIGNALED));
            PostStatus.check(queuePair.send(2, client.buffer, 0, 8, SIGNALED | FENCE));
            Background<Boolean> ended = Background.start(() -> {
                server.connection().disconnect(Deadline.in(60, SECONDS));
                return true;
            });
            Raw.await("the peer's end", () -> !server.connection().isConnected());

            client.connection().disconnect(Deadline.in(60, SECONDS));

            assertThat(client.connection().terminateCause()).isEmpty();
            assertThat(client.nextOk().wrId()).isZero();
            for (int i = 1; i <= 2; i++) {
                WorkCompletion flushed = client.next();
                assertThat(flushed.wrId()).isEqualTo(i);
                assertThat(flushed.status()).isEqualTo(WcStatus.WR_FLUSH_ERROR);
                assertThat(flushed.vendorError()).isZero();
            }
            assertThat(received(server, 0)).isOne();
            assertThat(ended.get()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"RESET, false", "RESET, true", "STALL, false", "STALL, true"})
    void aLinkThatBreaksIsTold(Cut cut, boolean before) throws Exception {
        TerminateReason reason = cut == Cut.STALL ? TerminateReason.PEER_SILENT : TerminateReason.PEER_RESET;
        client = peer("linger=200ms", "progress.timeout=500ms");
        Way broken = new Way(Pace.rate(2 * RATE, 0), cut, SENDS * BYTES / 2);
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT);
                Relay link = new Relay(listener.localAddress(), broken, Way.quick())) {
            connect(listener, link, false);
            send(client);
            for (int i = 0; i < SENDS; i++) {
                client.nextOk();
            }
            if (before) {
                assertThat(client.connection().awaitDisconnect(Deadline.in(60, SECONDS)))
                        .isTrue();
            }

            assertThatThrownBy(() -> client.connection().disconnect(Deadline.in(60, SECONDS)))
                    .isInstanceOfSatisfying(ConnectionException.class, told -> {
                        assertThat(told.reason()).isEqualTo(ConnectionException.Reason.RESET);
                        assertThat(told.terminateCause().orElseThrow().reason()).isEqualTo(reason);
                    })
                    .hasMessageContainingAll(
                            "may not have arrived",
                            "queue pair " + client.queuePair().number() + " of device iwarp0",
                            "peer 127.0.0.1:" + link.address().getPort(),
                            "remedy: ");
            assertThat(client.connection().terminateCause().orElseThrow().reason())
                    .isEqualTo(reason);
            assertThatThrownBy(() -> client.connection().disconnect(Peer.soon()))
                    .isInstanceOf(ConnectionException.class);
        }
    }

    @Test
    void whoDisconnectsIsToldThatAnotherThreadAborted() throws Exception {
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT);
                Relay link = new Relay(listener.localAddress(), Way.slow(RATE / 32), Way.quick())) {
            connect(listener, link, false);
            send(client);
            Background<Boolean> disconnecting = Background.start(() -> {
                assertThatThrownBy(() -> client.connection().disconnect(Deadline.in(60, SECONDS)))
                        .isInstanceOfSatisfying(
                                ConnectionException.class,
                                told -> assertThat(told.reason()).isEqualTo(ConnectionException.Reason.CLOSED))
                        .hasMessageContainingAll("aborted", "may not have arrived");
                return true;
            });
            disconnecting.whenWaiting();

            client.queuePair().modify(QueuePairAttributes.to(QueuePairState.ERROR));

            assertThat(disconnecting.get()).isTrue();
        }
    }

    /** Its bytes are on their way for longer than the other side has to close behind them. */
    @ParameterizedTest
    @ValueSource(strings = {"sockets=auto", "sockets=nio", "progress=spin"})
    void whatWasPostedArrivesThroughALinkWithADelay(String option) throws Exception {
        client = peer("linger=200ms", option);
        Way late = Way.at(Pace.rate(8 * RATE, MILLISECONDS.toNanos(20)));
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT);
                Relay link = new Relay(listener.localAddress(), late, late)) {
            connect(listener, link, false);
            send(client);
            for (int i = 0; i < SENDS; i++) {
                client.nextOk();
            }

            client.connection().disconnect(Deadline.in(60, SECONDS));

            assertThat(client.connection().terminateCause()).isEmpty();
            assertThat(received(server, 0)).isEqualTo(SENDS);
        }
    }

    /** The other side disconnects, and what this one had posted cannot get there any more. */
    @ParameterizedTest
    @EnumSource(names = {"RESET", "STALL", "FIN"})
    void theSideThatFollowsIsTold(Cut cut) throws Exception {
        client = peer("linger=4s");
        server = peer("linger=200ms", "progress.timeout=500ms");
        Way broken = new Way(Pace.rate(2 * RATE, 0), cut, SENDS * BYTES / 2);
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT);
                Relay link = new Relay(listener.localAddress(), Way.quick(), broken)) {
            connect(listener, link, true);
            PostStatus.check(client.queuePair().send(0, client.buffer, 0, 1, SIGNALED));
            client.nextOk();
            assertThat(server.nextOk().wrId()).isEqualTo(100);
            send(server);
            Background<Boolean> first = Background.start(() -> {
                assertThatThrownBy(() -> client.connection().disconnect(Deadline.in(60, SECONDS)))
                        .isInstanceOf(ConnectionException.class);
                return true;
            });

            assertThat(server.connection().awaitDisconnect(Deadline.in(60, SECONDS)))
                    .isTrue();
            assertThat(server.connection().terminateCause().orElseThrow().reason())
                    .isIn(TerminateReason.PEER_SILENT, TerminateReason.PEER_RESET);
            assertThat(first.get()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sockets=auto", "sockets=nio"})
    void aDeadlineThatIsTooShortIsTold(String option) throws Exception {
        client = peer("linger=100ms", option);
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT);
                Relay link = new Relay(listener.localAddress(), Way.slow(RATE / 32), Way.quick())) {
            connect(listener, link, false);
            send(client);

            assertThatThrownBy(() -> client.connection().disconnect(Deadline.in(500, MILLISECONDS)))
                    .isInstanceOf(DeadlineExceededException.class)
                    .hasMessageContaining("may not have arrived");
            assertThat(client.connection().isConnected()).isFalse();
            assertThatThrownBy(() -> client.connection().disconnect(Peer.soon()))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("may not have arrived");
        }
    }
}

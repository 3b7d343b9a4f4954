package org.panamaverbs.iwarp.engine;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.testkit.Requirement;

@Timeout(60)
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
@Tag("alone")
class ConnectionManagerTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    // What is agreed on of the wire is what most of these tests are about.
    private final Peer client = new Peer("shm=off");
    private final Peer server = new Peer("handshake.timeout=300ms");

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private Connection connect(InetSocketAddress address, ConnectionConfig config) {
        return client.verbs.connect(address, client.config(), config, Peer.soon());
    }

    private ConnectionException failure(InetSocketAddress address) {
        return catchThrowableOfType(ConnectionException.class, () -> connect(address, ConnectionConfig.defaults()));
    }

    @Test
    @Requirement({"ENH-9.1-01", "ENH-9.1-03", "ENH-9.1-10", "MPA-1.2-01", "MPA-4.4-02", "MPA-7.1.1-15"})
    void carriesPrivateDataAndDepthsBothWays() throws Exception {
        try (Listener listener = server.verbs.listen(ANY_PORT)) {
            Background<Connection> accepted = Background.start(() -> {
                ConnectionRequest request = listener.accept(Peer.soon());
                assertThat(request.privateData()).containsExactly(1, 2, 3);
                assertThat(request.peerResponderResources()).isEqualTo(4);
                assertThat(request.peerInitiatorDepth()).isEqualTo(7);
                ConnectionConfig answer = ConnectionConfig.defaults()
                        .withPrivateData(new byte[508])
                        .withDepths(8, 9);
                return request.accept(server.config(), answer, Peer.soon());
            });
            ConnectionConfig asked = ConnectionConfig.defaults()
                    .withPrivateData(new byte[] {1, 2, 3})
                    .withDepths(4, 7);
            try (Connection ours = connect(listener.localAddress(), asked);
                    Connection theirs = accepted.get()) {
                assertThat(ours.privateData()).hasSize(508);
                assertThat(ours.initiatorDepth()).isEqualTo(7);
                assertThat(ours.responderResources()).isEqualTo(4);
                assertThat(theirs.initiatorDepth())
                        .as("at most what the peer takes")
                        .isEqualTo(4);
                assertThat(theirs.responderResources()).isEqualTo(8);
                assertThat(ours.peerInitiatorDepth()).isEqualTo(4);
                assertThat(ours.peerResponderResources()).isEqualTo(8);
                assertThat(theirs.peerInitiatorDepth()).isEqualTo(7);
                assertThat(theirs.peerResponderResources()).isEqualTo(4);
                assertThat(ours.remoteAddress()).isEqualTo(listener.localAddress());
                assertThat(theirs.remoteAddress()).isEqualTo(ours.localAddress());
                assertThat(ours.transport()).isEqualTo("MPA rev 2, CRC32C, no markers, RTR Write, IRD 4, ORD 7");
                assertThat(ours.isConnected()).isTrue();
            }
        }
    }

    @Test
    @Requirement("MPA-7.1.2-6-02")
    void tellsTheInitiatorWhyItWasRejected() throws Exception {
        try (Listener listener = server.verbs.listen(ANY_PORT)) {
            Background<Optional<?>> rejected = Background.start(() -> {
                listener.accept(Peer.soon()).reject(new byte[] {9, 8});
                return Optional.empty();
            });
            ConnectionException refusal = failure(listener.localAddress());

            assertThat(refusal.reason()).isEqualTo(Reason.REJECTED);
            assertThat(refusal.privateData()).containsExactly(9, 8);
            rejected.get();
        }
    }

    @Test
    void answersARequestOnce() throws Exception {
        try (Listener listener = server.verbs.listen(ANY_PORT)) {
            Background<ConnectionException> asked = Background.start(() -> failure(listener.localAddress()));
            ConnectionRequest request = listener.accept(Peer.soon());
            request.reject(new byte[0]);

            assertThat(asked.get().reason()).isEqualTo(Reason.REJECTED);
            assertThatThrownBy(() -> request.reject(new byte[0])).isInstanceOf(IllegalStateException.class);
            request.close();
        }
    }

    @Test
    void dropsThePeerOfARequestThatIsClosed() throws Exception {
        try (Listener listener = server.verbs.listen(ANY_PORT)) {
            Background<ConnectionException> asked = Background.start(() -> failure(listener.localAddress()));
            listener.accept(Peer.soon()).close();

            ConnectionException reset = asked.get();
            assertThat(reset.reason()).isEqualTo(Reason.RESET);
            assertThat(reset).hasMessageContaining("revision=1");
        }
    }

    @Test
    void whoAsksForRevision1IsNotToldToDoSo() throws Exception {
        try (Peer old = new Peer("shm=off", "revision=1");
                Listener listener = server.verbs.listen(ANY_PORT)) {
            Background<?> dropped = Background.start(() -> {
                listener.accept(Peer.soon()).close();
                return 0;
            });
            assertThatThrownBy(() -> old.verbs.connect(listener.localAddress(), old.config(), Peer.soon()))
                    .isInstanceOfSatisfying(
                            ConnectionException.class,
                            reset -> assertThat(reset.reason()).isEqualTo(Reason.RESET))
                    .hasMessageNotContaining("revision=1");
            dropped.get();
        }
    }

    @Test
    @Requirement("ENH-9.2-11")
    void reportsThatNoReadyToReceiveMessageSuitsBoth() throws Exception {
        try (Peer stubborn = new Peer("rtr=send");
                Listener listener = server.verbs.listen(ANY_PORT)) {
            Background<Connection> accepted = Background.start(() ->
                    listener.accept(Peer.soon()).accept(server.config(), ConnectionConfig.defaults(), Peer.soon()));

            assertThatThrownBy(() -> stubborn.verbs.connect(listener.localAddress(), stubborn.config(), Peer.soon()))
                    .isInstanceOfSatisfying(ConnectionException.class, refusal -> {
                        assertThat(refusal.reason()).isEqualTo(Reason.NEGOTIATION);
                        assertThat(refusal.terminateCause().orElseThrow().errorCode())
                                .isEqualTo(7);
                        assertThat(refusal.peerInitiatorDepth()).isPositive();
                        assertThat(refusal.peerResponderResources()).isPositive();
                    });
            try (Connection theirs = accepted.get()) {
                assertThat(theirs.awaitDisconnect(Peer.soon())).isTrue();
                assertThat(theirs.terminateCause()).isPresent();
            }
        }
    }

    @Test
    void dropsWaitingRequestsWhenTheListenerCloses() throws Exception {
        Listener listener = server.verbs.listen(ANY_PORT);
        Background<ConnectionException> answered = Background.start(() -> failure(listener.localAddress()));
        ConnectionRequest first = listener.accept(Peer.soon());
        Background<ConnectionException> waiting = Background.start(() -> failure(listener.localAddress()));
        listener.close();
        first.reject(new byte[0]);

        assertThat(answered.get().reason()).as("was taken before").isEqualTo(Reason.REJECTED);
        assertThat(waiting.get().reason()).isIn(Reason.RESET, Reason.REFUSED);
    }

    @Test
    void failsTheAttemptWhenItsQueuePairIsClosed() throws Exception {
        try (Listener listener = server.verbs.listen(ANY_PORT)) {
            QueuePair queuePair = client.domain.queuePair(client.config());
            Background<Connection> attempt = Background.start(() ->
                    client.verbs.connect(listener.localAddress(), queuePair, ConnectionConfig.defaults(), Peer.soon()));
            ConnectionRequest request = listener.accept(Peer.soon());
            queuePair.close();
            assertThatThrownBy(attempt::get)
                    .as("before the peer answers")
                    .isInstanceOfSatisfying(
                            ConnectionException.class,
                            closed -> assertThat(closed.reason()).isEqualTo(Reason.CLOSED));
            assertThatThrownBy(() -> request.accept(server.config(), ConnectionConfig.defaults(), Peer.soon()))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("the peer closed");
        }
    }

    @Test
    void reportsThatNobodyListens() throws Exception {
        InetSocketAddress free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = (InetSocketAddress) socket.getLocalSocketAddress();
        }
        assertThat(failure(free).reason()).isEqualTo(Reason.REFUSED);
    }

    @Test
    void reportsNamesThatDoNotResolve() {
        InetSocketAddress nowhere = InetSocketAddress.createUnresolved("nobody.invalid", 1);

        assertThat(failure(nowhere).reason()).isEqualTo(Reason.UNREACHABLE);
    }

    @Test
    @Requirement("MPA-7.1.1-04")
    void reportsPeersThatDoNotSpeakMpa() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Background<Socket> talker = Background.start(() -> {
                Socket peer = socket.accept();
                peer.getOutputStream()
                        .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                return peer;
            });
            assertThat(failure((InetSocketAddress) socket.getLocalSocketAddress())
                            .reason())
                    .isEqualTo(Reason.PROTOCOL);
            talker.get().close();
        }
    }

    @Test
    void undoesAnAttemptWhoseDeadlinePasses() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                QueuePair queuePair = client.domain.queuePair(client.config())) {
            queuePair.recv(5, client.buffer);
            InetSocketAddress address = (InetSocketAddress) silent.getLocalSocketAddress();

            assertThatThrownBy(() -> client.verbs.connect(
                            address, queuePair, ConnectionConfig.defaults(), Deadline.in(50, MILLISECONDS)))
                    .isInstanceOf(DeadlineExceededException.class);
            assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
            assertThat(client.next().status()).isEqualTo(WcStatus.WR_FLUSH_ERROR);
        }
    }

    @Test
    void connectsAQueuePairOnce() throws Exception {
        try (Listener listener = server.verbs.listen(ANY_PORT)) {
            Peer.connect(client, server, listener);

            assertThatThrownBy(() -> client.verbs.connect(
                            listener.localAddress(), client.queuePair(), ConnectionConfig.defaults(), Peer.soon()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("state RTS");
            assertThat(client.connection().isConnected()).isTrue();
            assertThat(client.queuePair().query().get(QueuePairAttributes.Field.MAX_RD_ATOMIC))
                    .hasValue(16);
        }
    }

    @Test
    @Requirement("SEC-7.2-01")
    void refusesPrivateDataAndDepthsThatDoNotFit() {
        assertThatThrownBy(() -> connect(ANY_PORT, ConnectionConfig.defaults().withPrivateData(new byte[509])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 to 508");
        assertThatThrownBy(() -> connect(ANY_PORT, ConnectionConfig.defaults().withDepths(129, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("responderResources");
    }

    // As with every provider, so that nobody finds out on hardware.
    @Test
    void refusesWhatNoDeviceTakesOnBothSides() throws Exception {
        ConnectionConfig fits = ConnectionConfig.defaults();
        try (Listener listener = server.verbs.listen(ANY_PORT)) {
            Background<ConnectionException> asked = Background.start(() -> failure(listener.localAddress()));
            ConnectionRequest request = listener.accept(Peer.soon());
            Map.of(
                            "retryCount", fits.withRetries(8, 7),
                            "rnrRetryCount", fits.withRetries(7, -1),
                            "typeOfService", fits.withTypeOfService(256))
                    .forEach((name, config) -> {
                        assertThatThrownBy(() -> connect(listener.localAddress(), config))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContaining(name);
                        assertThatThrownBy(() -> request.accept(server.config(), config, Peer.soon()))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContaining(name);
                    });
            request.reject(new byte[0]);

            assertThat(asked.get().reason()).as("was there for an answer").isEqualTo(Reason.REJECTED);
        }
    }

    @Test
    void takesNoMorePeersThanTheBacklogHolds() throws Exception {
        try (Listener listener =
                server.verbs.listen(ANY_PORT, ListenerConfig.defaults().withBacklog(1))) {
            Background<ConnectionException> first = Background.start(() -> failure(listener.localAddress()));
            ConnectionRequest one = listener.accept(Peer.soon());
            Background<ConnectionException> second = Background.start(() -> failure(listener.localAddress()));
            ConnectionRequest two = listener.accept(Peer.soon());
            one.reject(new byte[0]);
            two.reject(new byte[0]);

            assertThat(first.get().reason()).isEqualTo(Reason.REJECTED);
            assertThat(second.get().reason()).isEqualTo(Reason.REJECTED);
        }
    }

    @Test
    void wakesUpWhoWaitsForRequestsOnClose() throws Exception {
        Listener listener = server.verbs.listen(ANY_PORT);
        Background<Optional<ConnectionRequest>> waiting =
                Background.start(() -> listener.poll(Deadline.never())).whenWaiting();

        listener.close();

        assertThatThrownBy(waiting::get)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void freesTheAddressOnClose() {
        Listener first = server.verbs.listen(ANY_PORT);
        InetSocketAddress address = first.localAddress();
        assertThatThrownBy(() -> server.verbs.listen(address))
                .isInstanceOfSatisfying(
                        ConnectionException.class,
                        taken -> assertThat(taken.reason()).isEqualTo(Reason.ADDRESS_IN_USE));
        first.close();

        server.verbs.listen(address).close();
    }

    @Test
    @Requirement({"DDP-6.2.1-01", "RDMAP-6.2-01"})
    void disconnectsGracefully() throws Exception {
        try (Listener listener = server.verbs.listen(ANY_PORT)) {
            Peer.connect(client, server, listener, queuePair -> queuePair.recv(1, server.buffer));
            client.queuePair().send(2, client.buffer, 0, 100_000, 0);
            client.connection().disconnect(Peer.soon());

            assertThat(server.connection().awaitDisconnect(Peer.soon())).isTrue();
            assertThat(server.nextOk().byteCount()).isEqualTo(100_000);
            assertThat(client.connection().terminateCause()).isEmpty();
            assertThat(server.connection().terminateCause()).isEmpty();
            assertThat(client.queuePair().state()).isEqualTo(QueuePairState.ERROR);
            client.connection().disconnect(Deadline.now());
        }
    }
}

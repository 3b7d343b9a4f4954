package org.panamaverbs.testkit.conformance.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.net.InetSocketAddress;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.TlsConfig;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Completion;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.PairConfig;
import org.panamaverbs.testkit.Posts;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.Waits;

/** Setting up connections: who may speak first, depths, addresses, ownership, many at once. */
public abstract class ConnectionSetupConformance extends Conformance {
    /** For subclasses. */
    protected ConnectionSetupConformance() {}

    @Test
    void connectionKnowsItsQueuePairAddressesAndTransport() {
        ConnectedPair pair = pair();
        Connection a = pair.link().a();
        Connection b = pair.link().b();
        assertThat(a.isConnected()).isTrue();
        assertThat(b.isConnected()).isTrue();
        assertThat(a.queuePair().state()).isEqualTo(QueuePairState.RTS);
        assertThat(a.privateData())
                .satisfiesAnyOf(
                        data -> assertThat(data).isEmpty(),
                        data -> assertThat(data).containsOnly(0));
        assertThat(b.localAddress().getPort()).isPositive();
        assertThat(a.remoteAddress().getPort()).isPositive();
        assertThat(a.remoteAddress().getAddress().isAnyLocalAddress()).isFalse();
        assertThat(a.transport()).isNotBlank();
        assertThat(a.terminateCause()).isEmpty();
        assertThat(a.queuePair().query().state()).contains(QueuePairState.RTS);
    }

    @Test
    void connectsOverIpv6() {
        InetSocketAddress address = provider().listenAddressV6().orElse(null);
        Endpoint b = sideB();
        requires(address != null, b.verbs(), "has no IPv6 address here");
        Endpoint a = sideA();
        try (Listener listener = b.verbs().listen(java.util.Objects.requireNonNull(address))) {
            QueuePair queuePairB = b.newQueuePair(config -> config);
            Background<Connection> accepting = accept(listener, queuePairB, b.connectionConfig());
            Connection connection = resources()
                    .add(a.verbs()
                            .connect(
                                    provider().connectAddress(listener.localAddress()),
                                    a.newQueuePair(config -> config),
                                    a.connectionConfig(),
                                    Waits.deadline()));
            poller().await("the accept", accepting::isDone);
            exchange(a, b, new Link(connection, accepting.await(Waits.deadline())), 1);
        }
    }

    @Test
    @Requirement({"ENH-5-02", "ENH-9.2-10", "ENH-RTR-01"})
    void acceptingSideSendsFirstInThePeerToPeerModel() {
        ConnectedPair pair = pair(PairConfig.defaults()
                .withQueuePairA(config -> config)
                .withConnections(config -> config.withPeerToPeer(true)));
        accepted(pair.qpA().recv(1, pair.a().buffer(), 0, 8));
        pair.b().putLong(100, 4711);
        accepted(pair.qpB().send(2, pair.b().buffer(), 100, 8, SIGNALED));
        pair.a().inbox().takeOk(1);
        assertThat(pair.a().getLong(0)).isEqualTo(4711);
        pair.b().inbox().takeOk(2);
        pair.a().inbox().expectNothing();
    }

    // siw waives the ready-to-receive message whoever begins; what needs none sends at once.
    @Test
    void acceptingSideSendsFirstToAnInitiatorThatSendsNothing() {
        ConnectedPair pair = pair(PairConfig.defaults()
                .withQueuePairA(config -> config)
                .withConnections(config -> config.withPeerToPeer(false)));
        accepted(pair.qpA().recv(1, pair.a().buffer(), 0, 8));
        pair.b().putLong(100, 4711);
        accepted(pair.qpB().send(2, pair.b().buffer(), 100, 8, SIGNALED));
        pair.a().inbox().takeOk(1);
        assertThat(pair.a().getLong(0)).isEqualTo(4711);
        pair.b().inbox().takeOk(2);
    }

    @Test
    @Requirement("ENH-9.2-12")
    void acceptingSidesSendWaitsForTheFirstMessageOtherwise() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        QueuePair queuePairA = a.newQueuePair(config -> config);
        QueuePair queuePairB = b.newQueuePair(config -> config);
        accepted(queuePairA.recv(1, a.buffer(), 0, 8));
        accepted(queuePairB.recv(2, b.buffer(), 0, 8));
        try (Listener listener = b.verbs().listen(provider().listenAddress())) {
            Background<Connection> accepting = Background.start("accept and send", () -> {
                try (ConnectionRequest request = listener.accept(Waits.deadline())) {
                    Connection connection = resources()
                            .add(request.accept(
                                    queuePairB, b.connectionConfig().withPeerToPeer(false), Waits.deadline()));
                    b.putLong(100, 4711);
                    Posts.accepted(queuePairB.send(3, b.buffer(), 100, 8, SIGNALED));
                    return connection;
                }
            });
            resources()
                    .add(a.verbs()
                            .connect(
                                    provider().connectAddress(listener.localAddress()),
                                    queuePairA,
                                    a.connectionConfig().withPeerToPeer(false),
                                    Waits.deadline()));
            a.putLong(100, 815);
            accepted(queuePairA.send(4, a.buffer(), 100, 8, SIGNALED));
            poller().await("the accept", accepting::isDone);
            poller().await(
                            "both messages",
                            () -> a.inbox().size() == 2 && b.inbox().size() == 2);
        }
        assertThat(a.inbox().take(2))
                .allMatch(Completion::ok)
                .extracting(Completion::wrId)
                .contains(1L, 4L);
        assertThat(b.inbox().take(2))
                .allMatch(Completion::ok)
                .extracting(Completion::wrId)
                .contains(2L, 3L);
        assertThat(a.getLong(0)).isEqualTo(4711);
        assertThat(b.getLong(0)).isEqualTo(815);
    }

    @Test
    @Requirement({"ENH-9.1-01", "ENH-9.1-03", "ENH-9.1-04", "ENH-9.1-08", "ENH-9.1-10", "RDMAP-6.1-06"})
    void readDepthsAreNegotiatedAndShown() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        ConnectionConfig asked = a.connectionConfig().withDepths(4, 8);
        try (Listener listener = b.verbs().listen(provider().listenAddress())) {
            List<Integer> told = new ArrayList<>();
            QueuePair queuePairB = b.newQueuePair(config -> config);
            Background<Connection> accepting = Background.start("accept", () -> {
                try (ConnectionRequest request = listener.accept(Waits.deadline())) {
                    told.add(request.peerResponderResources());
                    told.add(request.peerInitiatorDepth());
                    assertThat(request.remoteAddress().getPort()).isPositive();
                    return resources()
                            .add(request.accept(queuePairB, b.connectionConfig().withDepths(8, 3), Waits.deadline()));
                }
            });
            Connection atA = resources()
                    .add(a.verbs()
                            .connect(
                                    provider().connectAddress(listener.localAddress()),
                                    a.newQueuePair(config -> config),
                                    asked,
                                    Waits.deadline()));
            poller().await("the accept", accepting::isDone);
            Connection atB = accepting.await(Waits.deadline());
            assertThat(told.get(0)).isIn(4, -1);
            assertThat(told.get(1)).isIn(8, -1);
            // Once connected both sides still know what the peer said, as far as they are told.
            assertThat(atB.peerResponderResources()).isEqualTo(told.get(0));
            assertThat(atB.peerInitiatorDepth()).isEqualTo(told.get(1));
            assertThat(atA.peerResponderResources()).isIn(4, 8, -1);
            assertThat(atA.peerInitiatorDepth()).isIn(3, -1);
            assertThat(atA.initiatorDepth()).isBetween(1, 8).isLessThanOrEqualTo(atB.responderResources());
            assertThat(atB.initiatorDepth()).isBetween(1, 3).isLessThanOrEqualTo(atA.responderResources());
        }
    }

    @Test
    @Requirement("SEC-7.2-01")
    void acceptorsSmallerDepthLimitsTheInitiator() {
        ConnectedPair pair = pair(PairConfig.defaults()
                .withConnections(config -> config.withDepths(1, 1), config -> config.withDepths(1, 1)));
        assertThat(pair.link().a().initiatorDepth()).isEqualTo(1);
        for (int i = 0; i < 10; i++) {
            accepted(pair.qpA().read(i, pair.a().buffer(), 0, 100, pair.b().remote(), 0, SIGNALED));
        }
        for (int i = 0; i < 10; i++) {
            pair.a().inbox().takeOk(i);
        }
    }

    @Test
    void connectionOwnsQueuePairThatItMade() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        try (Listener listener = b.verbs().listen(provider().listenAddress())) {
            Background<Connection> accepting = Background.start("accept", () -> {
                try (ConnectionRequest request = listener.accept(Waits.deadline())) {
                    return resources().add(request.accept(b.queuePairConfig(), b.connectionConfig(), Waits.deadline()));
                }
            });
            Connection connection = resources()
                    .add(a.verbs()
                            .connect(
                                    provider().connectAddress(listener.localAddress()),
                                    a.queuePairConfig(),
                                    a.connectionConfig(),
                                    Waits.deadline()));
            poller().await("the accept", accepting::isDone);
            exchange(a, b, new Link(connection, accepting.await(Waits.deadline())), 1);
            QueuePair queuePair = connection.queuePair();
            connection.close();
            assertThatThrownBy(() -> queuePair.send(1, a.buffer(), 0, 8, SIGNALED))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void connectionLeavesQueuePairThatItWasGiven() {
        ConnectedPair pair = pair();
        guaranteed(pair, Guarantee.FLUSH_AFTER_FAILURE);
        pair.link().a().close();
        accepted(pair.qpA().send(1, pair.a().buffer(), 0, 8, SIGNALED));
        assertThat(pair.a().inbox().take().ok()).isFalse();
    }

    @Test
    @Requirement("MPA-7.1-03")
    void receivesPostedBeforeConnectingAreUsed() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        QueuePair queuePairB = b.newQueuePair(config -> config);
        assertThat(queuePairB.state()).isEqualTo(QueuePairState.INIT);
        accepted(queuePairB.recv(5, b.buffer(), 0, 8));
        try (Listener listener = b.verbs().listen(provider().listenAddress())) {
            Background<Connection> accepting = accept(listener, queuePairB, b.connectionConfig());
            Connection connection = resources()
                    .add(a.verbs()
                            .connect(
                                    provider().connectAddress(listener.localAddress()),
                                    a.queuePairConfig(),
                                    Waits.deadline()));
            accepted(connection.queuePair().send(6, a.buffer(), 0, 8, SIGNALED));
            b.inbox().takeOk(5);
            a.inbox().takeOk(6);
            poller().await("the accept", accepting::isDone);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = 64)
    void manyConnectionsAtOnce(int count) {
        Endpoint a = sideA();
        Endpoint b = sideB();
        requires(
                Math.min(a.capabilities().maxQp(), b.capabilities().maxQp()) > count,
                a.verbs(),
                "has fewer than " + count + " queue pairs");
        ConcurrentLinkedQueue<Connection> atB = new ConcurrentLinkedQueue<>();
        List<Connection> atA = new ArrayList<>();
        try (Listener listener = b.verbs().listen(provider().listenAddress())) {
            Background<Integer> accepting = Background.start("accept", () -> {
                for (int i = 0; i < count; i++) {
                    try (ConnectionRequest request = listener.accept(Waits.deadline())) {
                        QueuePair queuePair = b.newQueuePair(ConnectionSetupConformance::small);
                        Posts.accepted(queuePair.recv(queuePair.number(), b.buffer(), 0, 8));
                        atB.add(resources().add(request.accept(queuePair, b.connectionConfig(), Waits.deadline())));
                    }
                }
                return count;
            });
            List<Background<Connection>> connecting = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                QueuePair queuePair = a.newQueuePair(ConnectionSetupConformance::small);
                connecting.add(Background.start(
                        "connect",
                        () -> resources()
                                .add(a.verbs()
                                        .connect(
                                                provider().connectAddress(listener.localAddress()),
                                                queuePair,
                                                a.connectionConfig(),
                                                Waits.deadline()))));
            }
            for (Background<Connection> one : connecting) {
                poller().await("a connection", one::isDone);
                atA.add(one.await(Waits.deadline()));
            }
            poller().await("the accepts", accepting::isDone);
            assertThat(accepting.await(Waits.deadline())).isEqualTo(count);
        }
        atA.forEach(connection -> Posts.accepted(
                connection.queuePair().send(connection.queuePair().number(), a.buffer(), 0, 8, SIGNALED)));
        List<Completion> received = b.inbox().take(count);
        assertThat(received).allMatch(completion -> completion.ok() && completion.wrId() == completion.qpNumber());
        assertThat(received).extracting(Completion::qpNumber).doesNotHaveDuplicates();
        assertThat(a.inbox().take(count)).allMatch(Completion::ok);
        assertThat(atB).hasSize(count).allMatch(Connection::isConnected);
    }

    /** Who asks for TLS must not get a connection in clear. */
    @Test
    @ApiCase
    void refusesTlsWhereThereIsNone() throws NoSuchAlgorithmException {
        Endpoint a = sideA();
        requires(!a.capabilities().has(Feature.TLS), a.verbs(), "has TLS");
        TlsConfig tls = TlsConfig.of(SSLContext.getDefault());
        String device = a.verbs().device().name();
        assertThatThrownBy(() -> a.verbs()
                        .listen(
                                provider().listenAddress(),
                                ListenerConfig.defaults().withTls(tls)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContainingAll(device, "TLS");
        QueuePair queuePair = a.newQueuePair(config -> config);
        try (Listener listener = sideB().verbs().listen(provider().listenAddress())) {
            assertThatThrownBy(() -> a.verbs()
                            .connect(
                                    provider().connectAddress(listener.localAddress()),
                                    queuePair,
                                    a.connectionConfig().withTls(tls),
                                    Waits.deadline()))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContainingAll(device, "TLS");
        }
    }

    /** It is the listener's to demand; the request can be answered still. */
    @Test
    void refusesTlsOfWhoAccepts() throws NoSuchAlgorithmException {
        TlsConfig tls = TlsConfig.of(SSLContext.getDefault());
        Endpoint a = sideA();
        Endpoint b = sideB();
        QueuePair queuePairB = b.newQueuePair(config -> config);
        try (Listener listener = b.verbs().listen(provider().listenAddress())) {
            Background<Connection> accepting = Background.start("accept", () -> {
                try (ConnectionRequest request = listener.accept(Waits.deadline())) {
                    ConnectionConfig config = b.connectionConfig();
                    assertThatThrownBy(() -> request.accept(queuePairB, config.withTls(tls), Waits.deadline()))
                            .isInstanceOfAny(UnsupportedOperationException.class, IllegalArgumentException.class)
                            .message()
                            .containsIgnoringCase("tls");
                    return resources().add(request.accept(queuePairB, config, Waits.deadline()));
                }
            });
            Connection connection = resources()
                    .add(a.verbs()
                            .connect(
                                    provider().connectAddress(listener.localAddress()),
                                    a.newQueuePair(config -> config),
                                    a.connectionConfig(),
                                    Waits.deadline()));
            poller().await("the accept", accepting::isDone);
            exchange(a, b, new Link(connection, accepting.await(Waits.deadline())), 1);
        }
    }

    private static QueuePairConfig small(QueuePairConfig config) {
        return config.withDepth(4, 4).withSge(1, 1);
    }

    private Background<Connection> accept(Listener listener, QueuePair queuePair, ConnectionConfig config) {
        return Background.start("accept", () -> {
            try (ConnectionRequest request = listener.accept(Waits.deadline())) {
                return resources().add(request.accept(queuePair, config, Waits.deadline()));
            }
        });
    }

    private static void exchange(Endpoint a, Endpoint b, Link link, long value) {
        a.putLong(0, value);
        accepted(link.qpB().recv(1, b.buffer(), 8, 8));
        accepted(link.qpA().send(2, a.buffer(), 0, 8, SIGNALED));
        b.inbox().takeOk(1);
        a.inbox().takeOk(2);
        assertThat(b.getLong(8)).isEqualTo(value);
    }
}

package org.panamaverbs.ibverbs.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.TlsConfig;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.datagram.IbvDatagrams;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Waits;

/** Connections whose peers and threads do what they should not. */
class ConnectionsOverStubTest extends OverStub {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 7174);

    // rdma/rdma_cma.h: enum rdma_cm_event_type
    private static final int ESTABLISHED = 9;
    private static final int DISCONNECTED = 10;
    // infiniband/verbs.h: enum ibv_event_type
    private static final int COMM_EST = 4;

    private IbvCompletionQueue queue;

    @BeforeEach
    void open() {
        queue = verbs.queue(1024);
    }

    @Test
    void acceptOfAnAnsweredRequestLeavesTheQueuePairAlone() {
        try (Listener listener = listen()) {
            int port = Stub.request(listener.localAddress().getPort());
            ConnectionRequest request = listener.accept(Waits.deadline());
            IbvQueuePair first = queuePair();
            Background<Connection> accepting = accepting(request, first);
            IbvQueuePair second = queuePair();

            assertThatThrownBy(() -> accept(request, second))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("already answered");
            assertThat(second.state()).isEqualTo(QueuePairState.INIT);
            assertThatThrownBy(() -> request.reject(new byte[0])).hasMessageContaining("already answered");

            Stub.event(port, ESTABLISHED);
            try (Connection connection = accepting.await(Waits.deadline())) {
                assertThat(connection.isConnected()).isTrue();
            }
        }
    }

    @Test
    void optionsOfOtherProvidersAreRefusedForListenersToo() {
        ListenerConfig config = ListenerConfig.defaults().with("reply.begin", "01");
        assertThatThrownBy(() -> verbs.connections().listen(ANY_PORT, config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("provider ibverbs has no listener option reply.begin; it has none");
    }

    @Test
    void wildcardIsThisHost() {
        InetSocketAddress wildcard = new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 7174);
        int before = Stub.connects();
        Background<Connection> connecting = Background.start(
                "connect",
                () -> verbs.connections()
                        .connect(wildcard, queuePair(), false, ConnectionConfig.defaults(), Waits.deadline()));
        Stub.await("the peer is asked", () -> Stub.connects() == before + 1);
        Stub.event(Stub.lastPort(), ESTABLISHED);
        try (Connection connection = connecting.await(Waits.deadline())) {
            assertThat(connection.remoteAddress()).isEqualTo(PEER);
        }
    }

    /** The addresses are librdmacm's: what the JDK's own sockets may use has no part in it. */
    @Test
    void ipv6IsThereThoughTheJdkIsToHaveIpv4Alone() {
        String property = "java.net.preferIPv4Stack";
        String set = System.setProperty(property, "true");
        try {
            int before = Stub.connects();
            Background<Connection> connecting = Background.start(
                    "connect",
                    () -> verbs.connections()
                            .connect(
                                    new InetSocketAddress(InetAddress.ofLiteral("::1"), 7174),
                                    queuePair(),
                                    false,
                                    ConnectionConfig.defaults(),
                                    Waits.deadline()));
            Stub.await("the peer is asked", () -> Stub.connects() == before + 1 || connecting.isDone());
            Stub.event(Stub.lastPort(), ESTABLISHED);
            connecting.await(Waits.deadline()).close();
        } finally {
            if (set == null) {
                System.clearProperty(property);
            } else {
                System.setProperty(property, set);
            }
        }
    }

    @Test
    void requestIsThereForAnotherQueuePairThanOneThatCannotBeConnected() {
        try (Listener listener = listen()) {
            Stub.request(listener.localAddress().getPort());
            ConnectionRequest request = listener.accept(Waits.deadline());
            IbvQueuePair unfit = queuePair();
            unfit.modify(QueuePairAttributes.to(QueuePairState.RTS));
            assertThatThrownBy(() -> accept(request, unfit)).hasMessageContaining("expected state INIT");
            assertThat(unfit.state()).isEqualTo(QueuePairState.RTS);
            try (Connection connection = accept(request, queuePair())) {
                assertThat(connection.isConnected()).isTrue();
            }
        }
    }

    @Test
    void requestWhoseQueuePairCannotBeMadeIsStillThere() {
        try (Listener listener = listen()) {
            Stub.request(listener.localAddress().getPort());
            ConnectionRequest request = listener.accept(Waits.deadline());
            QueuePairConfig tooDeep = QueuePairConfig.of(verbs.domain(), queue).withDepth(1 << 20, 1);
            assertThatThrownBy(() -> request.accept(tooDeep, ConnectionConfig.defaults(), Waits.deadline()))
                    .hasMessageContaining("maxSendWr");
            assertThatThrownBy(() -> request.reject(new byte[149]))
                    .hasMessage("private data must be 0 to 148 bytes here, got 149");
            request.reject(new byte[148]);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    void requestIsThereThoughItWasAcceptedForAnUnreliableQueuePair(QueuePairType type) {
        try (Listener listener = listen()) {
            Stub.request(listener.localAddress().getPort());
            ConnectionRequest request = listener.accept(Waits.deadline());
            int before = Stub.objects();
            QueuePairConfig unreliable =
                    QueuePairConfig.of(verbs.domain(), queue).withType(type);
            assertThatThrownBy(() -> request.accept(unreliable, ConnectionConfig.defaults(), Waits.deadline()))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining(type.name());
            assertThat(Stub.objects()).isEqualTo(before);
            try (Connection connection = accept(request, queuePair())) {
                assertThat(connection.isConnected()).isTrue();
            }
        }
    }

    @Test
    void closedQueuePairTakesNoDatagrams() {
        IbvDatagrams datagrams = new IbvDatagrams(verbs.cm());
        IbvQueuePair closed =
                verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue).withType(QueuePairType.UD));
        closed.close();
        assertThatThrownBy(() -> datagrams.connect(PEER, closed, ConnectionConfig.defaults(), Waits.deadline()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(closed.resourceName() + " is closed");
    }

    @Test
    void refusesUnreliableQueuePairsAtOnce() {
        IbvQueuePair unreliable =
                verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue).withType(QueuePairType.UC));
        assertThatThrownBy(() -> connect(unreliable, Waits.deadline()))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("queue pair " + unreliable.number())
                .hasMessageContaining("UC");
        assertThat(unreliable.state()).isEqualTo(QueuePairState.INIT);
    }

    @Test
    void endOfAConnectionLeavesTheNextOfItsQueuePairAlone() {
        try (Listener listener = listen()) {
            IbvQueuePair queuePair = queuePair();
            int port = Stub.request(listener.localAddress().getPort());
            try (Connection first = accept(listener.accept(Waits.deadline()), queuePair)) {
                startAnew(queuePair);
                Stub.request(listener.localAddress().getPort());
                try (Connection second = accept(listener.accept(Waits.deadline()), queuePair)) {
                    Stub.event(port, DISCONNECTED);
                    assertThat(first.awaitDisconnect(Waits.deadline())).isTrue();
                    assertThat(second.isConnected()).isTrue();
                }
            }
        }
    }

    @Test
    void endOfAConnectionLeavesAQueuePairThatWasResetAlone() {
        try (Listener listener = listen()) {
            IbvQueuePair queuePair = queuePair();
            int port = Stub.request(listener.localAddress().getPort());
            try (Connection connection = accept(listener.accept(Waits.deadline()), queuePair)) {
                startAnew(queuePair);
                Stub.event(port, DISCONNECTED);
                assertThat(connection.awaitDisconnect(Waits.deadline())).isTrue();
                assertThat(queuePair.state()).isEqualTo(QueuePairState.INIT);
            }
        }
    }

    @Test
    void connectionWhoseQueuePairIsAnothersIsNotConnected() {
        try (Listener listener = listen()) {
            IbvQueuePair queuePair = queuePair();
            Stub.request(listener.localAddress().getPort());
            try (Connection first = accept(listener.accept(Waits.deadline()), queuePair)) {
                startAnew(queuePair);
                Stub.request(listener.localAddress().getPort());
                try (Connection second = accept(listener.accept(Waits.deadline()), queuePair)) {
                    assertThat(first.isConnected()).isFalse();
                    assertThat(second.isConnected()).isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("refused")
    void queuePairOfARefusedConnectIsGone(ConnectionConfig config) {
        int before = Stub.objects();
        IbvQueuePair made = verbs.domain().create(QueuePairConfig.of(verbs.domain(), queue));
        assertThatThrownBy(() -> verbs.connections().connect(PEER, made, true, config, Waits.deadline()))
                .isInstanceOf(RuntimeException.class);
        assertThat(made.isOpen()).isFalse();
        assertThat(Stub.objects()).isEqualTo(before);
    }

    static List<ConnectionConfig> refused() throws GeneralSecurityException {
        ConnectionConfig config = ConnectionConfig.defaults();
        return List.of(
                config.withTls(TlsConfig.of(SSLContext.getDefault())),
                config.withPrivateData(new byte[1000]),
                config.withDepths(1000, 1),
                config.withTypeOfService(256),
                config.with("unknown", "1"));
    }

    // InfiniBand Architecture 1.4, 12.9.6: what confirms a connection
    // may be lost, and a message of the peer does as well.
    @Test
    void firstMessageOfThePeerConfirmsTheConnection() {
        try (Listener listener = listen()) {
            Stub.request(listener.localAddress().getPort());
            IbvQueuePair queuePair = queuePair();
            Background<Connection> accepting = accepting(listener.accept(Waits.deadline()), queuePair);
            Stub.asyncEvent(queuePair.number(), COMM_EST);
            try (Connection connection = accepting.await(Waits.deadline())) {
                assertThat(connection.isConnected()).isTrue();
                Stub.asyncEvent(queuePair.number(), COMM_EST);
                assertThat(verbs.context().asyncEvent(Waits.deadline())).isPresent();
                assertThat(verbs.context().asyncEvent(Waits.deadline())).isPresent();
            }
        }
    }

    @Test
    void closingTheQueuePairEndsItsConnect() {
        IbvQueuePair queuePair = queuePair();
        Background<Connection> connecting = connecting(queuePair);
        queuePair.close();
        assertThat(Stub.ids()).isZero();
        assertClosed(connecting, queuePair);
    }

    @Test
    void closingTheQueuePairEndsItsAcceptOnceTheDeviceHasSaidHowItWent() {
        try (Listener listener = listen()) {
            int port = Stub.request(listener.localAddress().getPort());
            IbvQueuePair queuePair = queuePair();
            Background<Connection> accepting = accepting(listener.accept(Waits.deadline()), queuePair);
            Background<Boolean> closing = Background.start("close", () -> {
                queuePair.close();
                return true;
            });
            Stub.await("closing has begun", () -> !queuePair.isOpen());
            assertThat(closing.isDone()).isFalse();
            Stub.event(port, ESTABLISHED);
            assertClosed(accepting, queuePair);
            assertThat(closing.await(Waits.deadline())).isTrue();
        }
    }

    @Test
    void closedQueuePairIsNotConnected() {
        IbvQueuePair queuePair = queuePair();
        queuePair.close();
        assertThatThrownBy(() -> connect(queuePair, Waits.deadline()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(queuePair.resourceName() + " is closed");
    }

    @Test
    void queuePairIsClosedAfterAnAttemptThatFailed() {
        IbvQueuePair queuePair = queuePair();
        assertThatThrownBy(() -> connect(queuePair, Waits.brief())).isInstanceOf(DeadlineExceededException.class);
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
        queuePair.close();
    }

    @Test
    void deviceStaysOpenUntilItsListenersAreClosed() {
        Listener listener = listen();
        assertThatThrownBy(() -> verbs.context().close()).hasMessageContaining("listener at 127.0.0.1");
        Stub.request(listener.localAddress().getPort());
        ConnectionRequest request = listener.accept(Waits.deadline());
        listener.close();
        assertThatThrownBy(() -> verbs.context().close()).hasMessageContaining("connection request of 127.0.0.1:9");
        request.close();
    }

    private Listener listen() {
        return verbs.connections().listen(ANY_PORT, ListenerConfig.defaults());
    }

    private IbvQueuePair queuePair() {
        return verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue));
    }

    private static void startAnew(IbvQueuePair queuePair) {
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.INIT));
    }

    private static Connection accept(ConnectionRequest request, IbvQueuePair queuePair) {
        return request.accept(queuePair, ConnectionConfig.defaults(), Waits.deadline());
    }

    /** Accepts on another thread, with an answer of the peer that is still to come. */
    private static Background<Connection> accepting(ConnectionRequest request, IbvQueuePair queuePair) {
        Stub.answerAccepts(false);
        int before = Stub.accepts();
        Background<Connection> result = Background.start("accept", () -> accept(request, queuePair));
        Stub.await("rdma_accept is called", () -> Stub.accepts() > before);
        return result;
    }

    private Connection connect(IbvQueuePair queuePair, Deadline deadline) {
        return verbs.connections().connect(PEER, queuePair, false, ConnectionConfig.defaults(), deadline);
    }

    /** Connects on another thread, with an answer of the peer that is still to come. */
    private Background<Connection> connecting(IbvQueuePair queuePair) {
        int before = Stub.connects();
        Background<Connection> result = Background.start("connect", () -> connect(queuePair, Waits.deadline()));
        Stub.await("rdma_connect is called", () -> Stub.connects() > before);
        return result;
    }

    private static void assertClosed(Background<Connection> attempt, IbvQueuePair queuePair) {
        assertThatThrownBy(() -> attempt.await(Waits.deadline()))
                .isInstanceOfSatisfying(
                        ConnectionException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CLOSED))
                .hasMessageContaining(queuePair.resourceName() + " was closed");
    }
}

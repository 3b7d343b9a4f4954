package org.panamaverbs.ibverbs.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.RetryTimes;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.memory.Access;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Waits;

/** Where this side moves the queue pair itself, which is InfiniBand and RoCE. */
class InfiniBandOverStubTest extends OverStub {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 7174);

    // rdma/rdma_cma.h: enum rdma_cm_event_type
    private static final int CONNECT_RESPONSE = 5;

    private IbvCompletionQueue queue;

    @Override
    protected StubVerbs opened() {
        return new StubVerbs(Transport.ROCE);
    }

    @BeforeEach
    void openRoce() {
        queue = verbs.queue(16);
    }

    private void open(Transport transport) {
        reopen(transport);
        queue = verbs.queue(16);
    }

    @ParameterizedTest
    @EnumSource(names = {"INFINIBAND", "ROCE"})
    void connectingKeepsTheRightsOfTheQueuePair(Transport transport) {
        open(transport);
        IbvQueuePair none = queuePair();
        setAccess(none, 0);
        IbvQueuePair one = queuePair();
        setAccess(one, Access.REMOTE_READ.bit());
        IbvQueuePair asMade = queuePair();
        long made = access(asMade);

        try (Connection first = connect(none);
                Connection second = connect(one);
                Connection third = connect(asMade)) {
            assertThat(access(none)).isZero();
            assertThat(access(one)).isEqualTo(Access.REMOTE_READ.bit());
            assertThat(access(asMade)).isEqualTo(made).isNotZero();
            assertThat(first.isConnected() && second.isConnected() && third.isConnected())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"INFINIBAND", "ROCE"})
    void acceptingKeepsTheRightsOfTheQueuePair(Transport transport) {
        open(transport);
        IbvQueuePair queuePair = queuePair();
        setAccess(queuePair, 0);
        try (Listener listener = verbs.connections().listen(ANY_PORT, ListenerConfig.defaults())) {
            Stub.request(listener.localAddress().getPort());
            try (Connection connection = listener.accept(Waits.deadline())
                    .accept(queuePair, ConnectionConfig.defaults(), Waits.deadline())) {
                assertThat(access(queuePair)).isZero();
                assertThat(connection.isConnected()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 4", "96, 96"})
    void acceptedConnectionOfRoceHasItsTypeOfService(int typeOfService, int trafficClass) {
        IbvQueuePair queuePair = queuePair();
        ConnectionConfig config = ConnectionConfig.defaults().withTypeOfService(typeOfService);
        try (Listener listener = verbs.connections().listen(ANY_PORT, ListenerConfig.defaults())) {
            Stub.request(listener.localAddress().getPort());
            try (Connection connection =
                    listener.accept(Waits.deadline()).accept(queuePair, config, Waits.deadline())) {
                assertThat(queuePair.query().address().orElseThrow().trafficClass())
                        .isEqualTo(trafficClass);
                assertThat(connection.isConnected()).isTrue();
            }
        }
    }

    // There the connecting side has chosen: the path of its request, the socket that the kernel accepts.
    @ParameterizedTest
    @EnumSource(names = {"INFINIBAND", "IWARP"})
    void typeOfServiceIsRefusedWhereAnAcceptedConnectionCannotHaveOne(Transport transport) {
        open(transport);
        ConnectionConfig config = ConnectionConfig.defaults().withTypeOfService(96);
        try (Listener listener = verbs.connections().listen(ANY_PORT, ListenerConfig.defaults())) {
            Stub.request(listener.localAddress().getPort());
            try (ConnectionRequest request = listener.accept(Waits.deadline())) {
                assertThatThrownBy(() -> request.accept(queuePair(), config, Waits.deadline()))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("typeOfService")
                        .hasMessageContaining("stub0")
                        .hasMessageContaining("96");
            }
        }
    }

    // The code of 0.64 ms, where the kernel's connection manager has 0, which is 655.36 ms; the route says 18.
    @ParameterizedTest
    @CsvSource({"-1, -1, 12, 18", "9, 3, 3, 9", "31, 0, 0, 31"})
    void retryTimesAreSetOnBothSides(int ackTimeout, int minRnrTimer, int expectedTimer, int expectedTimeout) {
        ConnectionConfig config =
                ConnectionConfig.defaults().withRetryTimes(RetryTimes.ofCodes(ackTimeout, minRnrTimer));
        IbvQueuePair accepts = queuePair();
        IbvQueuePair connects = queuePair();
        try (Listener listener = verbs.connections().listen(ANY_PORT, ListenerConfig.defaults())) {
            Stub.request(listener.localAddress().getPort());
            try (Connection accepted = listener.accept(Waits.deadline()).accept(accepts, config, Waits.deadline());
                    Connection connected = connect(connects, config.withDepths(4, 4))) {
                assertThat(accepted.isConnected() && connected.isConnected()).isTrue();
                for (IbvQueuePair each : new IbvQueuePair[] {accepts, connects}) {
                    assertThat(each.query().minRnrTimer()).hasValue(expectedTimer);
                    assertThat(each.query().timeout()).hasValue(expectedTimeout);
                }
            }
        }
    }

    @Test
    void retryTimesAreRefusedOnIwarp() {
        open(Transport.IWARP);
        ConnectionConfig config =
                ConnectionConfig.defaults().withRetryTimes(RetryTimes.defaults().withMinRnrTimer(Duration.ofMillis(1)));

        assertThatThrownBy(() -> verbs.connections().connect(PEER, queuePair(), false, config, Waits.deadline()))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("stub0")
                .hasMessageContaining("RETRY_TIMES");
    }

    @Test
    void rightsThatWereRefusedAreNotKept() {
        IbvQueuePair queuePair = queuePair();
        setAccess(queuePair, Access.REMOTE_READ.bit());
        Stub.fail("ibv_modify_qp", 22, 1);
        assertThatThrownBy(() -> setAccess(queuePair, 0)).hasMessageContaining("EINVAL");
        try (Connection connection = connect(queuePair)) {
            assertThat(access(queuePair)).isEqualTo(Access.REMOTE_READ.bit());
            assertThat(connection.isConnected()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"INFINIBAND, 0", "ROCE, 0", "INFINIBAND, 2", "ROCE, 2"})
    void depthsAreThoseThatThePeerSays(Transport transport, int depths) {
        open(transport);
        Stub.depths(depths);
        try (Connection connection = connect(queuePair())) {
            assertThat(connection.responderResources()).isEqualTo(depths);
            assertThat(connection.initiatorDepth()).isEqualTo(depths);
            assertThat(connection
                            .queuePair()
                            .post(WorkRequest.of(SendOpcode.RDMA_READ).wrId(1).flags(SendFlag.SIGNALED)))
                    .isEqualTo(depths == 0 ? PostStatus.NO_INITIATOR_DEPTH : PostStatus.ACCEPTED);
        }
    }

    private IbvQueuePair queuePair() {
        return verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue));
    }

    private static void setAccess(IbvQueuePair queuePair, int rights) {
        queuePair.modify(QueuePairAttributes.to(QueuePairState.INIT).set(Field.ACCESS, rights));
    }

    private static long access(IbvQueuePair queuePair) {
        return queuePair.query().get(Field.ACCESS).orElseThrow();
    }

    /**
     * The peer has answered, and is gone before the answer is taken: the connection manager refuses what comes then.
     */
    @ParameterizedTest
    @ValueSource(strings = {"rdma_init_qp_attr", "rdma_establish"})
    void peerThatIsGoneBehindItsAnswerIsNoArgumentOfOurs(String call) {
        IbvQueuePair queuePair = queuePair();
        Background<Connection> connecting = connecting(queuePair, ConnectionConfig.defaults());
        Stub.fail(call, Errno.EINVAL, 1);
        Stub.event(Stub.lastPort(), CONNECT_RESPONSE);

        assertThatThrownBy(() -> connecting.await(Waits.deadline()))
                .isInstanceOfSatisfying(
                        ConnectionException.class, e -> assertThat(e.reason()).isEqualTo(Reason.RESET))
                .hasMessageContainingAll(call, "EINVAL", "given up");
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
    }

    /** An adapter takes tens of microseconds for each command. */
    @Test
    void stateOfAConnectionIsKnownWithoutAskingTheDevice() {
        IbvQueuePair queuePair = queuePair();
        try (Connection connection = connect(queuePair)) {
            Stub.fail("ibv_query_qp", Errno.EIO, Integer.MAX_VALUE);
            assertThat(connection.isConnected()).isTrue();
            assertThat(queuePair.state()).isEqualTo(QueuePairState.RTS);
            Stub.hold(queuePair.number(), true);
            assertThat(queuePair.post(WorkRequest.of(SendOpcode.SEND).wrId(1).flags(SendFlag.SIGNALED)))
                    .isEqualTo(PostStatus.ACCEPTED);
            Stub.fault(queuePair.number());
            assertThat(queue.poll(WorkCompletions.ofCapacity(4))).isEqualTo(1);
            assertThat(connection.isConnected()).isFalse();
            assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
        }
    }

    /** Its completions with errors do not say whether it has entered SQE. */
    @Test
    void stateOfDatagramsIsAskedOfTheDevice() {
        IbvQueuePair datagrams =
                verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue).withType(QueuePairType.UD));
        datagrams.modify(QueuePairAttributes.to(QueuePairState.RTS));
        Stub.fault(datagrams.number());
        assertThat(datagrams.state()).isEqualTo(QueuePairState.ERROR);
        Stub.fail("ibv_query_qp", Errno.EIO, 1);
        assertThatThrownBy(datagrams::state).isInstanceOf(ResourceException.class);
    }

    private Connection connect(IbvQueuePair queuePair) {
        return connect(queuePair, ConnectionConfig.defaults().withDepths(4, 4));
    }

    private Connection connect(IbvQueuePair queuePair, ConnectionConfig config) {
        Background<Connection> result = connecting(queuePair, config);
        Stub.event(Stub.lastPort(), CONNECT_RESPONSE);
        return result.await(Waits.deadline());
    }

    /** Returns what has sent its request. */
    private Background<Connection> connecting(IbvQueuePair queuePair, ConnectionConfig config) {
        int before = Stub.connects();
        Background<Connection> result = Background.start(
                "connect", () -> verbs.connections().connect(PEER, queuePair, false, config, Waits.deadline()));
        Stub.await("rdma_connect is called", () -> Stub.connects() > before);
        return result;
    }
}

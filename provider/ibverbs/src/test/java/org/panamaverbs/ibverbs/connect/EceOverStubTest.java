package org.panamaverbs.ibverbs.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.api.ext.Ece;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Waits;

/** Vendors' options travel with the set-up of connections, where both sides are of that vendor. */
class EceOverStubTest extends OverStub {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 7174);
    private static final int CONNECT_RESPONSE = 5; // rdma/rdma_cma.h: enum rdma_cm_event_type
    private static final int VENDOR = 0x15B3;

    @Override
    protected StubVerbs opened() {
        return new StubVerbs(Transport.ROCE);
    }

    private IbvQueuePair queuePair() {
        return verbs.queuePair(QueuePairConfig.of(verbs.domain(), verbs.queue(16)));
    }

    private Connection connect(IbvQueuePair queuePair) {
        int before = Stub.connects();
        Background<Connection> result = Background.start(
                "connect",
                () -> verbs.connections()
                        .connect(PEER, queuePair, false, ConnectionConfig.defaults(), Waits.deadline()));
        Stub.await("rdma_connect is called", () -> Stub.connects() > before);
        Stub.event(Stub.lastPort(), CONNECT_RESPONSE);
        return result.await(Waits.deadline());
    }

    private Connection accept(IbvQueuePair queuePair) {
        try (Listener listener = verbs.connections().listen(ANY_PORT, ListenerConfig.defaults())) {
            Stub.request(listener.localAddress().getPort());
            return listener.accept(Waits.deadline()).accept(queuePair, ConnectionConfig.defaults(), Waits.deadline());
        }
    }

    @Test
    void whoConnectsTellsItsOwnAndTakesTheAnswers() {
        Stub.ece(VENDOR, 0x3F, VENDOR, 0x107);
        IbvQueuePair queuePair = queuePair();
        try (Connection connection = connect(queuePair)) {
            assertThat(Stub.toldEce()).isEqualTo(0x3F);
            assertThat(queuePair.queryEce()).isEqualTo(new Ece(VENDOR, 0x07));
            assertThat(connection.isConnected()).isTrue();
        }
    }

    @Test
    void whoAcceptsAnswersWithWhatItsDeviceMadeOfTheRequests() {
        Stub.ece(VENDOR, 0x3F, VENDOR, 0x107);
        IbvQueuePair queuePair = queuePair();
        try (Connection connection = accept(queuePair)) {
            assertThat(queuePair.queryEce()).isEqualTo(new Ece(VENDOR, 0x07));
            assertThat(Stub.toldEce()).isEqualTo(0x07);
            assertThat(connection.isConnected()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "99, 7"})
    void optionsOfOthersAreLeftOut(int vendor, int options) {
        Stub.ece(VENDOR, 0x3F, vendor, options);
        IbvQueuePair queuePair = queuePair();
        try (Connection connection = accept(queuePair)) {
            assertThat(queuePair.queryEce()).isEqualTo(new Ece(VENDOR, 0x3F));
            assertThat(connection.isConnected()).isTrue();
        }
    }

    @Test
    void aDeviceWithoutThemSaysNothing() {
        Stub.ece(VENDOR, 0x3F, VENDOR, 0x107);
        IbvQueuePair queuePair = queuePair();
        Stub.fail("ibv_query_ece", Errno.EOPNOTSUPP, 2);
        try (Connection connection = accept(queuePair)) {
            assertThat(Stub.toldEce()).isZero();
            assertThat(connection.isConnected()).isTrue();
        }
    }
}

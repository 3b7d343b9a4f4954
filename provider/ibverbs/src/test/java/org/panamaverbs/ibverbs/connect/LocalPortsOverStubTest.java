package org.panamaverbs.ibverbs.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Waits;

/** Local ports that another socket has: asked for, and chosen by the connection manager. */
class LocalPortsOverStubTest extends OverStub {
    private static final InetAddress HOST = InetAddress.ofLiteral("127.0.0.1");
    private static final InetSocketAddress PEER = new InetSocketAddress(HOST, 7174);
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(HOST, 0);
    private static final InetSocketAddress ONE_PORT = new InetSocketAddress(HOST, 7175);
    // rdma/rdma_cma.h: enum rdma_cm_event_type
    private static final int ESTABLISHED = 9;
    private static final int ALWAYS = Integer.MAX_VALUE;

    private IbvQueuePair queuePair;

    @BeforeEach
    void open() {
        queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), verbs.queue(16)));
    }

    @Test
    void connectsFromAnotherPortThanOneThatIsTaken() {
        Stub.fail("rdma_connect", Errno.EADDRINUSE, 3);
        int before = Stub.connects();
        Background<Connection> connecting = Background.start("connect", () -> connect(ConnectionConfig.defaults()));
        Stub.await("the fourth port is free", () -> Stub.connects() == before + 4);
        Stub.event(Stub.lastPort(), ESTABLISHED);
        try (Connection connection = connecting.await(Waits.deadline())) {
            assertThat(connection.isConnected()).isTrue();
            Stub.await("the other ids are gone", () -> Stub.ids() == 1);
        }
    }

    @Test
    void givesUpWhenAllPortsSeemTaken() {
        Stub.fail("rdma_connect", Errno.EADDRINUSE, ALWAYS);
        int before = Stub.connects();
        assertTaken(() -> connect(ConnectionConfig.defaults().withLocalAddress(ANY_PORT)));
        assertThat(Stub.connects() - before).isEqualTo(16);
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void triesThePortThatIsAskedForOnce() {
        Stub.fail("rdma_connect", Errno.EADDRINUSE, ALWAYS);
        int before = Stub.connects();
        assertTaken(() -> connect(ConnectionConfig.defaults().withLocalAddress(ONE_PORT)));
        assertThat(Stub.connects() - before).isEqualTo(1);
    }

    @Test
    void listensAtAnotherPortThanOneThatIsTaken() {
        Stub.fail("rdma_listen", Errno.EADDRINUSE, 3);
        try (Listener listener = listen(ANY_PORT)) {
            assertThat(listener.localAddress().getPort()).isPositive();
        }
    }

    @Test
    void listensNowhereElseThanAsked() {
        Stub.fail("rdma_listen", Errno.EADDRINUSE, 1);
        assertTaken(() -> listen(ONE_PORT));
    }

    @Test
    void linkLocalAddressThatNoInterfaceHasIsRefusedBeforeItIsBound() {
        InetSocketAddress elsewhere = new InetSocketAddress(InetAddress.ofLiteral("fe80::dead:beef"), 0);
        assertThatThrownBy(() -> listen(elsewhere)).hasMessageContaining("needs a scope");
        int before = Stub.connects();
        assertThatThrownBy(() -> connect(ConnectionConfig.defaults().withLocalAddress(elsewhere)))
                .hasMessageContaining("choose a local address of IPv4");
        assertThat(Stub.connects()).isEqualTo(before);
    }

    private Connection connect(ConnectionConfig config) {
        return verbs.connections().connect(PEER, queuePair, false, config, Waits.deadline());
    }

    private Listener listen(InetSocketAddress address) {
        return verbs.connections().listen(address, ListenerConfig.defaults());
    }

    private static void assertTaken(ThrowingCallable attempt) {
        assertThatThrownBy(attempt)
                .isInstanceOfSatisfying(
                        ConnectionException.class, e -> assertThat(e.reason()).isEqualTo(Reason.ADDRESS_IN_USE))
                .hasMessageContaining("stub0");
    }
}

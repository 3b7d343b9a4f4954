package org.panamaverbs.ibverbs.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.DatagramListener;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.ibverbs.cm.CmId;
import org.panamaverbs.ibverbs.cm.LostEvents;
import org.panamaverbs.ibverbs.datagram.IbvDatagrams;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Waits;

/** Who waits hears that the device was removed. */
class RemovedDeviceOverStubTest extends OverStub {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 7174);

    // rdma/rdma_cma.h: enum rdma_cm_event_type
    private static final int DEVICE_REMOVAL = 11;

    @Test
    void datagramListenerHearsThatTheDeviceIsGone() {
        IbvDatagrams datagrams = new IbvDatagrams(verbs.cm());
        try (DatagramListener listener = datagrams.listen(ANY_PORT, ListenerConfig.defaults())) {
            Stub.event(listener.localAddress().getPort(), DEVICE_REMOVAL);
            assertRemoved(() -> listener.accept(Waits.deadline()));
            assertRemoved(() -> listener.poll(Waits.deadline()));
        }
    }

    @Test
    void waitingListenerHearsThatTheDeviceIsGone() {
        try (Listener listener = listen()) {
            Background<Boolean> waiting = Background.start("accept", () -> {
                listener.accept(Waits.deadline());
                return true;
            });
            Stub.event(listener.localAddress().getPort(), DEVICE_REMOVAL);
            assertRemoved(() -> waiting.await(Waits.deadline()));
            assertRemoved(() -> listener.poll(Waits.deadline()));
        }
    }

    /** As of one whose event could not be followed, since there was no memory. */
    @Test
    void listenerWhoseEventIsLostHearsNobody() {
        CmId id = verbs.cm().channel().create("a listener of a test");
        try (Listener listener = IbvListener.open(verbs.cm(), ANY_PORT, ListenerConfig.defaults(), object -> id)) {
            Stub.request(listener.localAddress().getPort());
            LostEvents.deliver(id);
            Stub.await("the request is dropped", () -> Stub.ids() == 1);
            assertRemoved(() -> listener.poll(Waits.deadline()));
        }
    }

    @Test
    void requestsOfAGoneDeviceAreDropped() {
        try (Listener listener = listen()) {
            int port = listener.localAddress().getPort();
            Stub.request(port);
            Stub.event(port, DEVICE_REMOVAL);
            Stub.await("the request is dropped", () -> Stub.ids() == 1);
            assertRemoved(() -> listener.poll(Waits.deadline()));
        }
    }

    @Test
    void removalOfTheDeviceEndsConnections() {
        try (Listener listener = listen()) {
            int port = Stub.request(listener.localAddress().getPort());
            IbvQueuePair queuePair = queuePair();
            try (Connection connection = listener.accept(Waits.deadline())
                    .accept(queuePair, ConnectionConfig.defaults(), Waits.deadline())) {
                Stub.event(port, DEVICE_REMOVAL);
                assertThat(connection.awaitDisconnect(Waits.deadline())).isTrue();
                assertThat(connection.isConnected()).isFalse();
                assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
                connection.disconnect(Waits.deadline());
            }
        }
    }

    @Test
    void removalOfTheDeviceEndsAttempts() {
        IbvQueuePair queuePair = queuePair();
        Background<Connection> connecting = connecting(queuePair);
        Stub.event(Stub.lastPort(), DEVICE_REMOVAL);
        assertRemoved(() -> connecting.await(Waits.deadline()));
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
    }

    private Listener listen() {
        return verbs.connections().listen(ANY_PORT, ListenerConfig.defaults());
    }

    private IbvQueuePair queuePair() {
        return verbs.queuePair(QueuePairConfig.of(verbs.domain(), verbs.queue(1024)));
    }

    /** Connects on another thread, with an answer of the peer that is still to come. */
    private Background<Connection> connecting(IbvQueuePair queuePair) {
        int before = Stub.connects();
        Background<Connection> result = Background.start(
                "connect",
                () -> verbs.connections()
                        .connect(PEER, queuePair, false, ConnectionConfig.defaults(), Waits.deadline()));
        Stub.await("rdma_connect is called", () -> Stub.connects() > before);
        return result;
    }

    private static void assertRemoved(ThrowingCallable waiting) {
        assertThatThrownBy(waiting)
                .isInstanceOfSatisfying(
                        ConnectionException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CLOSED))
                .hasMessageContaining("stub0")
                .hasMessageContaining("removed");
    }
}

package org.panamaverbs.ibverbs.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.testkit.Waits;

/** What of the connection manager's events answers no call reaches applications as asynchronous events. */
class CmNoticesOverStubTest extends OverStub {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);

    // rdma/rdma_cma.h: enum rdma_cm_event_type
    private static final int ADDR_CHANGE = 14;

    @ParameterizedTest
    @CsvSource({"14, ADDR_CHANGE, true", "15, TIMEWAIT_EXIT, true", "11, DEVICE_REMOVAL, false"})
    void queuePairOfAConnectionIsToldOf(int number, AsyncEvent.Type type, boolean staysConnected) {
        try (Listener listener = listen()) {
            int port = Stub.request(listener.localAddress().getPort());
            IbvQueuePair queuePair = queuePair();
            try (Connection connection = listener.accept(Waits.deadline())
                    .accept(queuePair, ConnectionConfig.defaults(), Waits.deadline())) {
                Stub.event(port, number);
                AsyncEvent event = event();
                assertThat(event.type()).isEqualTo(type);
                assertThat(event.source()).isSameAs(queuePair);
                assertThat(event.detail()).contains("127.0.0.1");
                if (staysConnected) {
                    assertThat(connection.isConnected()).isTrue();
                } else {
                    assertThat(connection.awaitDisconnect(Waits.deadline())).isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"14, ADDR_CHANGE", "11, DEVICE_REMOVAL"})
    void deviceOfAListenerIsToldOf(int number, AsyncEvent.Type type) {
        try (Listener listener = listen()) {
            Stub.event(listener.localAddress().getPort(), number);
            AsyncEvent event = event();
            assertThat(event.type()).isEqualTo(type);
            assertThat(event.source()).isSameAs(verbs);
            assertThat(event.detail()).contains("listener at 127.0.0.1");
        }
    }

    /** A set-up waits for its answer, and takes nothing else for it. */
    @Test
    void setUpGoesOnOverAnAddressThatMoves() {
        try (Listener listener = listen()) {
            int port = Stub.request(listener.localAddress().getPort());
            IbvQueuePair queuePair = queuePair();
            var request = listener.accept(Waits.deadline());
            Stub.event(port, ADDR_CHANGE);
            try (Connection connection = request.accept(queuePair, ConnectionConfig.defaults(), Waits.deadline())) {
                assertThat(connection.isConnected()).isTrue();
            }
        }
    }

    private AsyncEvent event() {
        Optional<AsyncEvent> event = verbs.context().asyncEvent(Waits.deadline());
        return event.orElseThrow(() -> new AssertionError("no event came"));
    }

    private Listener listen() {
        return verbs.connections().listen(ANY_PORT, ListenerConfig.defaults());
    }

    private IbvQueuePair queuePair() {
        return verbs.queuePair(QueuePairConfig.of(verbs.domain(), verbs.queue(1024)));
    }
}

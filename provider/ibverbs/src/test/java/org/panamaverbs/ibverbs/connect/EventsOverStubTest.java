package org.panamaverbs.ibverbs.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.Events;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.ibverbs.call.EventPoll;
import org.panamaverbs.ibverbs.completion.ChannelWait;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.spi.support.MemberEventQueue;
import org.panamaverbs.testkit.Waits;

/** Event queues and attempts that no thread waits for, with peers that do what they should not. */
class EventsOverStubTest extends OverStub {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 7174);

    // rdma/rdma_cma.h: enum rdma_cm_event_type
    private static final int REJECTED = 8;
    private static final int ESTABLISHED = 9;
    private static final int DISCONNECTED = 10;

    private IbvCompletionQueue completions;
    private EventQueue queue;
    private final Events events = Events.ofCapacity(4);

    @BeforeEach
    void open() {
        completions = verbs.queue(1024);
        queue = new MemberEventQueue(
                "event queue 1", verbs.context(), verbs.context().asyncEvents(), ChannelWait.open());
    }

    @AfterEach
    void close() {
        queue.close();
    }

    private IbvQueuePair queuePair() {
        return verbs.queuePair(QueuePairConfig.of(verbs.domain(), completions));
    }

    private PendingConnection begin(IbvQueuePair queuePair, Deadline deadline) {
        int before = Stub.connects();
        PendingConnection attempt =
                verbs.connections().begin(PEER, queuePair, false, ConnectionConfig.defaults(), deadline);
        Stub.await("the peer is asked", () -> Stub.connects() > before);
        return attempt;
    }

    private Event next() {
        assertThat(queue.await(events, Waits.deadline())).isOne();
        return events.get(0);
    }

    @Test
    void attemptIsFollowedByTheEndOfItsConnection() {
        PendingConnection attempt = begin(queuePair(), Waits.deadline());
        queue.add(attempt, "attempt");
        int port = Stub.lastPort();
        Stub.event(port, ESTABLISHED);
        // At once: the connection hears of what comes before it is made.
        Stub.event(port, DISCONNECTED);
        Event event = next();
        assertThat(event.type()).isEqualTo(Event.Type.ESTABLISHED);
        assertThat(event.attachment()).isEqualTo("attempt");
        try (Connection connection = event.connection()) {
            queue.add(connection, "connection");
            assertThat(next().type()).isEqualTo(Event.Type.DISCONNECTED);
        }
    }

    @Test
    void requestIsAcceptedAndNobodyWaits() {
        Stub.answerAccepts(false);
        try (Listener listener = verbs.connections().listen(ANY_PORT, ListenerConfig.defaults())) {
            queue.add(listener, "listener");
            int port = Stub.request(listener.localAddress().getPort());
            Event event = next();
            assertThat(event.attachment()).isEqualTo("listener");
            IbvQueuePair queuePair = queuePair();
            int before = Stub.accepts();
            queue.add(
                    event.request().beginAccept(queuePair, ConnectionConfig.defaults(), Waits.deadline()), "accepting");
            Stub.await("the peer is answered", () -> Stub.accepts() > before);
            assertThat(queue.poll(events)).isZero();
            Stub.event(port, ESTABLISHED);
            assertThat(next().type()).isEqualTo(Event.Type.ESTABLISHED);
            events.get(0).connection().close();
        }
    }

    @Test
    void attemptsThatWaitForTheirPeersTakeNoThread() {
        List<PendingConnection> attempts = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            attempts.add(begin(queuePair(), Waits.deadline()));
        }
        Stub.await(
                "no thread is at an attempt",
                () -> Thread.getAllStackTraces().values().stream()
                        .flatMap(Stream::of)
                        .noneMatch(frame -> frame.getClassName().equals(PendingSetUp.class.getName())));
        attempts.forEach(PendingConnection::close);
    }

    @Test
    void rejectionIsTheResult() {
        IbvQueuePair queuePair = queuePair();
        PendingConnection attempt = begin(queuePair, Waits.deadline());
        Stub.event(Stub.lastPort(), REJECTED);
        assertThatThrownBy(() -> attempt.await(Waits.deadline())).isInstanceOf(ConnectionException.class);
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void latenessSaysWhatDidNotCome() {
        // Long enough for the peer to be asked on a busy machine.
        PendingConnection attempt = begin(queuePair(), Deadline.in(1, TimeUnit.SECONDS));
        assertThatThrownBy(() -> attempt.await(Waits.deadline()))
                .isInstanceOf(DeadlineExceededException.class)
                .hasMessageContainingAll("connection to 127.0.0.1:7174", "the peer did not answer", "undone");
    }

    @Test
    void closingTheAttemptEndsIt() {
        IbvQueuePair queuePair = queuePair();
        PendingConnection attempt = begin(queuePair, Waits.deadline());
        attempt.close();
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
        assertThatThrownBy(attempt::take).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void closingTheQueuePairEndsTheAttempt() {
        IbvQueuePair queuePair = verbs.domain().create(QueuePairConfig.of(verbs.domain(), completions));
        PendingConnection attempt = begin(queuePair, Waits.deadline());
        queuePair.close();
        assertThatThrownBy(() -> attempt.await(Waits.deadline()))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("was closed during set-up");
    }

    @Test
    void descriptorTellsOfEventsAndWakeups() {
        try (EventPoll watcher = EventPoll.open()) {
            watcher.add(queue.fileDescriptor().orElseThrow());
            assertThat(watcher.look()).isZero();
            queue.wakeup();
            assertThat(watcher.look()).isOne();
            assertThat(queue.poll(events)).isZero();
            assertThat(watcher.look()).isZero();
            queue.addAsyncEvents("device");
            IbvQueuePair queuePair = queuePair();
            Stub.asyncEvent(queuePair.number(), 1);
            Stub.await("the descriptor tells", () -> watcher.look() == 1);
            assertThat(next().type()).isEqualTo(Event.Type.ASYNC);
        }
    }
}

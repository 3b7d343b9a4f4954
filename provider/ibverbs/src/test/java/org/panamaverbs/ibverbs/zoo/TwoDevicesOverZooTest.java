package org.panamaverbs.ibverbs.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.Events;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.ibverbs.zoo.Zoo.Sickness;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.Resources;
import org.panamaverbs.spi.watch.QueuePairWatch;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Waits;

/** A process with two adapters: one listener and one event queue for both. */
@Timeout(60)
class TwoDevicesOverZooTest {
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0);
    private static final int BYTES = 64;

    private final Zoo zoo = new Zoo.Roce();
    private final Zoo otherZoo = new Zoo.Sick();
    private final Resources resources = new Resources();
    private Verbs one;
    private Verbs other;
    private final Logger logger = Logger.getLogger(QueuePairWatch.class.getPackageName());
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void open() {
        assumeTrue(zoo.missing().isEmpty(), () -> zoo.missing().orElse(""));
        one = resources.add(zoo.openA());
        other = resources.add(otherZoo.openA());
        logger.addHandler(handler);
        logger.setLevel(Level.FINE);
    }

    @AfterEach
    void close() {
        logger.removeHandler(handler);
        logger.setLevel(null);
        if (zoo.missing().isEmpty()) {
            Zoo.sick(Sickness.WELL);
        }
        resources.close();
    }

    /** What each side of a connection has of its device. */
    private record Side(Verbs verbs, ProtectionDomain domain, CompletionQueue queue) {
        QueuePairConfig config() {
            return QueuePairConfig.of(domain, queue);
        }
    }

    private Side side(Verbs verbs) {
        return new Side(verbs, resources.add(verbs.protectionDomain()), resources.add(verbs.completionQueue(16)));
    }

    private InetSocketAddress at(Verbs verbs, Listener listener) {
        InetAddress host = (verbs.equals(one) ? zoo : otherZoo).listenAddress().getAddress();
        return new InetSocketAddress(host, listener.localAddress().getPort());
    }

    private Background<Connection> connecting(Side peer, Listener listener) {
        return Background.start(
                "connect",
                () -> peer.verbs()
                        .connect(
                                at(peer.verbs(), listener),
                                peer.config(),
                                ConnectionConfig.defaults(),
                                Waits.deadline()));
    }

    @Test
    void requestSaysItsDeviceAndIsAcceptedOnAnObjectOfThat() {
        try (Listener listener = one.listen(ANY, ListenerConfig.defaults(), List.of(other))) {
            for (Verbs verbs : List.of(one, other)) {
                Side peer = side(verbs);
                Side wrong = side(verbs.equals(one) ? other : one);
                Background<Connection> connecting = connecting(peer, listener);
                ConnectionRequest request = resources.add(listener.accept(Waits.deadline()));
                assertThat(request.verbs()).isSameAs(verbs);
                assertThatThrownBy(() -> request.accept(wrong.config(), ConnectionConfig.defaults(), Waits.deadline()))
                        .isInstanceOf(IllegalArgumentException.class);
                resources.add(request.accept(peer.config(), ConnectionConfig.defaults(), Waits.deadline()));
                assertThat(resources.add(connecting.await(Waits.deadline())).isConnected())
                        .isTrue();
            }
        }
    }

    @Test
    void connectionOutlivesItsListenerAndTheDeviceThatListened() {
        Side peer = side(other);
        Listener listener = one.listen(ANY, ListenerConfig.defaults(), List.of(other));
        Background<Connection> connecting = connecting(peer, listener);
        Connection accepted = resources.add(
                listener.accept(Waits.deadline()).accept(peer.config(), ConnectionConfig.defaults(), Waits.deadline()));
        Connection connected = resources.add(connecting.await(Waits.deadline()));
        assertThatThrownBy(other::close).hasMessageContaining("listener");
        listener.close();
        one.close();
        assertThat(accepted.isConnected()).isTrue();
        connected.disconnect(Waits.deadline());
        assertThat(accepted.awaitDisconnect(Waits.deadline())).isTrue();
    }

    @Test
    void listenerOfOneDeviceRejectsPeersOfAnotherAndSaysWhatHelps() {
        Side peer = side(other);
        try (Listener listener = one.listen(ANY, ListenerConfig.defaults())) {
            Background<Connection> connecting = connecting(peer, listener);
            assertThatThrownBy(() -> connecting.await(Waits.deadline())).isInstanceOf(ConnectionException.class);
            assertThat(lines)
                    .anySatisfy(line ->
                            assertThat(line).contains("roce0", "another device, sick0", "remedy: ", "Verbs.listen"));
        }
    }

    @Test
    void devicesOfAListenerAreDifferentAndItsAddressIsOfNone() {
        assertThatThrownBy(() -> one.listen(ANY, ListenerConfig.defaults(), List.of(other, one)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("roce0, sick0, roce0");
        assertThatThrownBy(() -> one.listen(zoo.listenAddress(), ListenerConfig.defaults(), List.of(other)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("wildcard", "remedy: ");
    }

    @Test
    void listenerGoesOnWithoutADeviceThatWasRemovedAndEndsWithTheLast() {
        Side peer = side(one);
        try (Listener listener = other.listen(ANY, ListenerConfig.defaults(), List.of(one))) {
            Zoo.sick(Sickness.REMOVED);
            assertThat(other.asyncEvent(Waits.deadline())).isPresent();
            Background<Connection> connecting = connecting(peer, listener);
            resources.add(listener.accept(Waits.deadline())
                    .accept(peer.config(), ConnectionConfig.defaults(), Waits.deadline()));
            resources.add(connecting.await(Waits.deadline()));
            Zoo.sick(Sickness.WELL);
        }
    }

    /** As a C program does with epoll(7) over the descriptors of both. */
    @Test
    void eventQueueTakesObjectsOfBoth() {
        EventQueue queue = resources.add(one.eventQueue());
        Listener listener = resources.add(one.listen(ANY, ListenerConfig.defaults(), List.of(other)));
        queue.add(listener, "listener");
        queue.addAsyncEvents("one");
        queue.addAsyncEvents(other, "other");
        CompletionChannel channel = resources.add(other.completionChannel());
        queue.add(channel, "channel");
        Side peer = side(other);
        ProtectionDomain domain = resources.add(other.protectionDomain());
        CompletionQueue completions =
                resources.add(other.completionQueue(CompletionQueueConfig.of(16).withChannel(channel)));
        RegisteredBuffer buffer = resources.add(domain.allocate(BYTES, Access.LOCAL_WRITE));
        completions.arm(false);

        Background<Connection> connecting = connecting(peer, listener);
        Event request = next(queue, Event.Type.CONNECT_REQUEST);
        QueuePairConfig config = QueuePairConfig.of(domain, completions);
        queue.add(request.request().beginAccept(config, ConnectionConfig.defaults(), Waits.deadline()), "attempt");
        Connection accepted = resources.add(next(queue, Event.Type.ESTABLISHED).connection());
        Connection connected = resources.add(connecting.await(Waits.deadline()));
        queue.add(accepted, "connection");
        RegisteredBuffer target = resources.add(peer.domain().allocate(BYTES, Access.LOCAL_WRITE));
        PostStatus.check(connected.queuePair().recv(1, target, 0, BYTES));
        PostStatus.check(accepted.queuePair().send(2, buffer, 0, BYTES, SendFlag.SIGNALED));
        assertThat(next(queue, Event.Type.COMPLETION).attachment()).isEqualTo("channel");
        Zoo.sick(Sickness.REMOVED);
        assertThat(next(queue, Event.Type.ASYNC).attachment()).isEqualTo("other");
        Zoo.sick(Sickness.WELL);
        assertThat(queue.remove(other)).isTrue();
    }

    /** Returns the next event of {@code type}; others are passed over. */
    private static Event next(EventQueue queue, Event.Type type) {
        Events events = Events.ofCapacity(1);
        while (queue.await(events, Waits.deadline()) == 1) {
            if (events.get(0).type() == type) {
                return events.get(0);
            }
        }
        throw new AssertionError("no " + type);
    }
}

package org.panamaverbs.testkit.conformance.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.Waits;

/** Listeners, and connecting to what does not answer; every wait ends by its deadline. */
public abstract class ListenerConformance extends Conformance {
    /** For subclasses. */
    protected ListenerConformance() {}

    @Test
    void choosesPortWhenAskedForNone() {
        Endpoint b = sideB();
        try (Listener first = b.verbs().listen(provider().listenAddress());
                Listener second = b.verbs().listen(provider().listenAddress())) {
            assertThat(first.localAddress().getPort()).isPositive();
            assertThat(second.localAddress().getPort())
                    .isPositive()
                    .isNotEqualTo(first.localAddress().getPort());
        }
    }

    @Test
    void refusesPortThatIsTaken() {
        Endpoint b = sideB();
        try (Listener first = b.verbs().listen(provider().listenAddress())) {
            InetSocketAddress taken = first.localAddress();
            ConnectionException refused = catchThrowableOfType(
                    ConnectionException.class, () -> b.verbs().listen(taken));
            assertThat(refused).isNotNull();
            assertThat(refused.reason()).isEqualTo(ConnectionException.Reason.ADDRESS_IN_USE);
        }
    }

    @Test
    @Needs(Feature.IPV6_ONLY)
    void listenerOfIpv6AloneLeavesThePortOfIpv4() {
        Endpoint b = sideB();
        ListenerConfig alone = ListenerConfig.defaults().withBacklog(1).withReuseAddress(false);
        try (Listener six = b.verbs().listen(any("::", 0), alone.withIpv6Only(true))) {
            InetSocketAddress same = any("0.0.0.0", six.localAddress().getPort());
            try (Listener four = b.verbs().listen(same, alone)) {
                assertThat(four.localAddress().getPort())
                        .isEqualTo(six.localAddress().getPort());
            }
        }
        assertThatThrownBy(() -> b.verbs().listen(any("0.0.0.0", 0), alone.withIpv6Only(true)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("IPv6");
    }

    @Test
    @ApiCase
    void devicesWithoutListenersOfIpv6AloneRefuse() {
        Endpoint b = sideB();
        requires(!b.capabilities().has(Feature.IPV6_ONLY), b.verbs(), "has IPV6_ONLY");
        ListenerConfig config = ListenerConfig.defaults().withIpv6Only(true);
        assertThatThrownBy(() -> b.verbs().listen(provider().listenAddress(), config))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("lacks IPV6_ONLY");
    }

    private static InetSocketAddress any(String address, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), port);
    }

    @Test
    void connectingToPortWithoutListenerIsRefused() {
        Endpoint a = sideA();
        InetSocketAddress address = closedPort(sideB());
        QueuePair queuePair = a.newQueuePair(config -> config);
        ConnectionException refused = catchThrowableOfType(
                ConnectionException.class,
                () -> a.verbs().connect(address, queuePair, a.connectionConfig(), Waits.deadline()));
        assertThat(refused).isNotNull();
        assertThat(refused.reason()).isEqualTo(ConnectionException.Reason.REFUSED);
        assertThat(refused.operation()).isNotBlank();
        assertThat(refused.privateData()).isEmpty();
    }

    @Test
    @Requirement("MPA-7.1.2-10-01")
    void connectGivesUpAtItsDeadlineWhenNobodyAccepts() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        QueuePair queuePair = a.newQueuePair(config -> config);
        try (Listener listener = b.verbs().listen(provider().listenAddress())) {
            long start = System.nanoTime();
            assertThatThrownBy(() -> a.verbs()
                            .connect(
                                    provider().connectAddress(listener.localAddress()),
                                    queuePair,
                                    a.connectionConfig(),
                                    Waits.brief()))
                    .isInstanceOf(DeadlineExceededException.class);
            assertThat(System.nanoTime() - start).isGreaterThan(90_000_000L);
            assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
        }
    }

    @Test
    void acceptGivesUpAtItsDeadlineWhenNobodyConnects() {
        Endpoint b = sideB();
        try (Listener listener = b.verbs().listen(provider().listenAddress())) {
            assertThat(listener.poll(Waits.brief())).isEmpty();
            assertThatThrownBy(() -> listener.accept(Waits.brief())).isInstanceOf(DeadlineExceededException.class);
        }
    }

    @Test
    void closingListenerEndsTheWait() {
        Endpoint b = sideB();
        Listener listener = resources().add(b.verbs().listen(provider().listenAddress()));
        Background<Boolean> waiting = Background.start("accept", () -> {
            assertThatThrownBy(() -> listener.accept(Waits.deadline())).isInstanceOf(IllegalStateException.class);
            return true;
        });
        poller().pollAWhile();
        listener.close();
        assertThat(waiting.await(Waits.deadline())).isTrue();
        assertThatThrownBy(() -> listener.accept(Waits.brief())).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void closedListenerLeavesConnectionsAlone() {
        ConnectedPair pair = pair();
        try (Listener listener = pair.b().verbs().listen(provider().listenAddress())) {
            assertThat(listener.localAddress().getPort()).isPositive();
        }
        pair.barrier();
    }

    @Test
    void closingRequestUnansweredDropsThePeer() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        try (Listener listener = b.verbs().listen(provider().listenAddress())) {
            Background<Boolean> dropping = Background.start("drop", () -> {
                try (ConnectionRequest request = listener.accept(Waits.deadline())) {
                    return request.remoteAddress().getPort() > 0;
                }
            });
            assertThatThrownBy(() -> a.verbs()
                            .connect(
                                    provider().connectAddress(listener.localAddress()),
                                    a.newQueuePair(config -> config),
                                    a.connectionConfig(),
                                    Waits.deadline()))
                    .isInstanceOf(ConnectionException.class);
            assertThat(dropping.await(Waits.deadline())).isTrue();
        }
    }

    @Test
    void failedQueuePairCannotBeConnectedAgainButAnotherCan() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        QueuePair failed = a.newQueuePair(config -> config);
        InetSocketAddress nobody = closedPort(b);
        assertThatThrownBy(() -> a.verbs().connect(nobody, failed, a.connectionConfig(), Waits.deadline()))
                .isInstanceOf(ConnectionException.class);
        ConnectedPair pair = pair();
        pair.barrier();
    }

    @Test
    void closingTheQueuePairEndsItsConnect() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        QueuePair queuePair = a.newQueuePair(config -> config);
        try (Listener listener = b.verbs().listen(provider().listenAddress())) {
            Background<Boolean> connecting = Background.start("connect", () -> {
                ConnectionException ended = catchThrowableOfType(
                        ConnectionException.class,
                        () -> a.verbs()
                                .connect(
                                        provider().connectAddress(listener.localAddress()),
                                        queuePair,
                                        a.connectionConfig(),
                                        Waits.deadline()));
                assertThat(ended).isNotNull();
                assertThat(ended.reason()).isEqualTo(ConnectionException.Reason.CLOSED);
                return true;
            });
            Background<Boolean> closing;
            try (ConnectionRequest request = listener.accept(Waits.deadline())) {
                assertThat(request.remoteAddress().getPort()).isPositive();
                closing = Background.start("close", () -> {
                    queuePair.close();
                    return true;
                });
                assertThat(connecting.await(Waits.deadline())).isTrue();
            }
            // Some kernels keep the queue pair until they hear from the peer.
            assertThat(closing.await(Waits.deadline())).isTrue();
        }
        ConnectedPair pair = pair();
        pair.barrier();
    }

    @Test
    void requestIsThereForAnotherQueuePairThanOneThatCannotBeConnected() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        QueuePair failed = b.newQueuePair(config -> config);
        failed.modify(QueuePairAttributes.to(QueuePairState.ERROR));
        QueuePair fresh = b.newQueuePair(config -> config);
        try (Listener listener = b.verbs().listen(provider().listenAddress())) {
            Background<Boolean> accepting = Background.start("accept", () -> {
                try (ConnectionRequest request = listener.accept(Waits.deadline())) {
                    assertThatThrownBy(() -> request.accept(failed, b.connectionConfig(), Waits.deadline()))
                            .isInstanceOf(IllegalStateException.class);
                    Connection made = resources().add(request.accept(fresh, b.connectionConfig(), Waits.deadline()));
                    return made.isConnected();
                }
            });
            Connection connection = resources()
                    .add(a.verbs()
                            .connect(
                                    provider().connectAddress(listener.localAddress()),
                                    a.newQueuePair(config -> config),
                                    a.connectionConfig(),
                                    Waits.deadline()));
            assertThat(connection.isConnected()).isTrue();
            poller().await("the accept", accepting::isDone);
            assertThat(accepting.await(Waits.deadline())).isTrue();
        }
    }

    private InetSocketAddress closedPort(Endpoint b) {
        try (Listener listener = b.verbs().listen(provider().listenAddress())) {
            return provider().connectAddress(listener.localAddress());
        }
    }
}

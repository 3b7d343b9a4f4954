package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.network.HangingNames;

/** A resolver that does not answer holds nobody beyond the deadline. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HangingNameTest {
    private String host;
    private InetSocketAddress peer;

    @BeforeEach
    void hang() {
        host = HangingNames.hang();
        peer = InetSocketAddress.createUnresolved(host, 7174);
    }

    @AfterEach
    void release() {
        HangingNames.release();
    }

    @Test
    void connectEndsAtItsDeadline() {
        assertThatThrownBy(() -> connect(peer, ConnectionConfig.defaults(), Deadline.in(Duration.ofMillis(200))))
                .isInstanceOf(DeadlineExceededException.class)
                .hasMessageContainingAll("the host name " + host, "not resolved before the deadline", "resolv.conf")
                .hasNoSuppressedExceptions();
    }

    @Test
    void anAttemptThatNobodyWaitsForEndsAtItsDeadline() {
        try (var verbs = Verbs.open(OpenConfig.provider("iwarp"));
                var domain = verbs.protectionDomain();
                var queue = verbs.completionQueue(16);
                var attempt = verbs.beginConnect(
                        peer,
                        QueuePairConfig.of(domain, queue),
                        ConnectionConfig.defaults(),
                        Deadline.in(Duration.ofMillis(200)))) {
            assertThatThrownBy(() -> attempt.await(Waits.deadline()))
                    .isInstanceOf(DeadlineExceededException.class)
                    .hasMessageContainingAll("was not resolved before the deadline", host, "resolv.conf");
        }
    }

    @Test
    void localNameIsAlsoWithinTheDeadline() {
        InetSocketAddress local = InetSocketAddress.createUnresolved(host, 0);
        InetSocketAddress nobody = InetSocketAddress.createUnresolved("127.0.0.1", 7174);
        assertThatThrownBy(() -> connect(
                        nobody,
                        ConnectionConfig.defaults().withLocalAddress(local),
                        Deadline.in(Duration.ofMillis(200))))
                .isInstanceOf(DeadlineExceededException.class)
                .hasMessageContaining("not resolved before the deadline");
    }

    @Test
    void attemptsShareALookup() {
        Deadline deadline = Deadline.in(Duration.ofMillis(200));
        assertThatThrownBy(() -> connect(peer, ConnectionConfig.defaults(), deadline))
                .isInstanceOf(DeadlineExceededException.class);
        assertThatThrownBy(() -> connect(peer, ConnectionConfig.defaults(), Deadline.now()))
                .isInstanceOf(DeadlineExceededException.class);
        assertThat(HangingNames.lookups()).isEqualTo(1);
    }

    @Test
    void anInterruptEndsTheWaitAndIsKept() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> connect(peer, ConnectionConfig.defaults(), Deadline.never()))
                .isInstanceOf(WaitInterruptedException.class)
                .hasMessageContaining("the address of host " + host);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void whoWaitsHearsWhatTheResolverSays() {
        Background<Void> connecting = Background.start("connect", () -> {
            connect(peer, ConnectionConfig.defaults(), Waits.deadline());
            return null;
        });
        Raw.await("the lookup", () -> HangingNames.lookups() == 1);
        HangingNames.release();
        assertThatThrownBy(() -> connecting.await(Waits.deadline()))
                .isInstanceOf(ConnectionException.class)
                .hasMessageStartingWith("connect: the host name " + host + " does not resolve (queue pair ")
                .hasMessageContainingAll(", peer " + host + ":", "; remedy: check the name", "`getent hosts " + host)
                .hasMessageNotContaining("route");
    }

    private static void connect(InetSocketAddress peer, ConnectionConfig config, Deadline deadline) {
        try (var verbs = Verbs.open(OpenConfig.provider("iwarp"));
                var domain = verbs.protectionDomain();
                var queue = verbs.completionQueue(16)) {
            verbs.connect(peer, QueuePairConfig.of(domain, queue), config, deadline)
                    .close();
        }
    }
}

package org.panamaverbs.ibverbs.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.datagram.IbvDatagrams;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.network.HangingNames;

/** A resolver that does not answer holds nobody beyond the deadline. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HangingNameOverStubTest extends OverStub {
    private static final ConnectionConfig DEFAULTS = ConnectionConfig.defaults();

    private IbvCompletionQueue queue;
    private String host;

    @BeforeEach
    void open() {
        queue = verbs.queue(1024);
        host = HangingNames.hang();
    }

    @AfterEach
    void close() {
        HangingNames.release();
    }

    @Test
    void connectEndsAtItsDeadline() {
        IbvQueuePair queuePair = verbs.domain().create(QueuePairConfig.of(verbs.domain(), queue));
        expectDeadline(() -> verbs.connections().connect(name(7174), queuePair, true, DEFAULTS, soon()));
        assertThat(queuePair.isOpen()).isFalse();
    }

    @Test
    void anAttemptThatNobodyWaitsForEndsAtItsDeadline() {
        IbvQueuePair queuePair = verbs.domain().create(QueuePairConfig.of(verbs.domain(), queue));
        try (var attempt = verbs.connections().begin(name(7174), queuePair, true, DEFAULTS, soon())) {
            assertThatThrownBy(() -> attempt.await(Waits.deadline()))
                    .isInstanceOf(DeadlineExceededException.class)
                    .hasMessageContainingAll("was not resolved before the deadline", host, "resolv.conf");
        }
    }

    @Test
    void localNameIsAlsoWithinTheDeadline() {
        IbvQueuePair queuePair = verbs.domain().create(QueuePairConfig.of(verbs.domain(), queue));
        var peer = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 7174);
        ConnectionConfig config = DEFAULTS.withLocalAddress(name(0));
        expectDeadline(() -> verbs.connections().connect(peer, queuePair, true, config, soon()));
        assertThat(queuePair.isOpen()).isFalse();
    }

    @Test
    void connectingDatagramsEndsAtItsDeadline() {
        IbvQueuePair queuePair =
                verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue).withType(QueuePairType.UD));
        IbvDatagrams datagrams = new IbvDatagrams(verbs.cm());
        expectDeadline(() -> datagrams.connect(name(7174), queuePair, DEFAULTS, soon()));
    }

    private void expectDeadline(ThrowingCallable connecting) {
        assertThatThrownBy(connecting)
                .isInstanceOf(DeadlineExceededException.class)
                .hasMessageContainingAll("the host name " + host, "not resolved before the deadline")
                .hasNoSuppressedExceptions();
    }

    private InetSocketAddress name(int port) {
        return InetSocketAddress.createUnresolved(host, port);
    }

    private static Deadline soon() {
        return Deadline.in(Duration.ofMillis(200));
    }
}

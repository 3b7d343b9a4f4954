package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.memory.Access;
import org.panamaverbs.testkit.Waits;

/** A connect that failed leaves nothing behind that keeps what was opened before it from being closed. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailedConnectTest {
    private static final ConnectionConfig DEFAULTS = ConnectionConfig.defaults();

    @Test
    void refusal() throws IOException {
        InetSocketAddress nobody;
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = address(listener);
        }
        expect(ConnectionException.class, nobody, DEFAULTS, Waits.deadline());
    }

    @Test
    void silence() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Deadline soon = Deadline.in(Duration.ofMillis(200));
            expect(DeadlineExceededException.class, address(listener), DEFAULTS, soon);
        }
    }

    @Test
    void unknownName() {
        InetSocketAddress unknown = InetSocketAddress.createUnresolved("no.such.host.invalid", 7);
        expect(ConnectionException.class, unknown, DEFAULTS, Waits.deadline());
    }

    @Test
    void localAddressOfAnother() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var another = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 0);
            expect(ConnectionException.class, address(listener), DEFAULTS.withLocalAddress(another), Waits.deadline());
        }
    }

    @Test
    void privateDataThatIsTooLong() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            expect(
                    IllegalArgumentException.class,
                    address(listener),
                    DEFAULTS.withPrivateData(new byte[1024]),
                    Waits.deadline());
        }
    }

    private static void expect(
            Class<? extends Throwable> type, InetSocketAddress peer, ConnectionConfig config, Deadline deadline) {
        assertThatThrownBy(() -> {
                    try (var verbs = Verbs.open(OpenConfig.provider("iwarp"));
                            var domain = verbs.protectionDomain();
                            var queue = verbs.completionQueue(16);
                            var buffer = domain.allocate(4096, Access.LOCAL_WRITE);
                            var connection = verbs.connect(peer, QueuePairConfig.of(domain, queue), config, deadline)) {
                        throw new AssertionError(connection + " with " + buffer);
                    }
                })
                .isInstanceOf(type)
                .hasNoSuppressedExceptions();
    }

    private static InetSocketAddress address(ServerSocket listener) {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }
}

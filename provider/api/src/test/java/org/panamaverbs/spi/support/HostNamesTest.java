package org.panamaverbs.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;

/** What a resolver that hangs does is tried by the tests of the providers. */
class HostNamesTest {
    private static final Deadline DEADLINE = Deadline.in(Duration.ofSeconds(30));

    @Test
    void resolvedAddressIsTheAnswer() {
        InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 7);
        assertThat(HostNames.resolved("connect", address, Deadline.now())).isSameAs(address);
    }

    @Test
    void nameIsLookedUpAndKept() {
        InetSocketAddress answer =
                HostNames.resolved("connect", InetSocketAddress.createUnresolved("localhost", 7), DEADLINE);
        assertThat(answer.getAddress().isLoopbackAddress()).isTrue();
        assertThat(answer.getHostString()).isEqualTo("localhost");
        assertThat(answer.getPort()).isEqualTo(7);
    }

    @Test
    void unknownHostIsUnreachable() {
        InetSocketAddress unknown = InetSocketAddress.createUnresolved("no.such.host.invalid", 7);
        assertThatThrownBy(() -> HostNames.resolved("connect", unknown, DEADLINE))
                .isInstanceOfSatisfying(
                        ConnectionException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNREACHABLE))
                .hasMessage(
                        "connect: the host name no.such.host.invalid does not resolve; remedy: check the name, /etc/hosts"
                                + " and the name servers in /etc/resolv.conf: `getent hosts no.such.host.invalid`");
    }
}

package org.panamaverbs.ibverbs.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.ConnectionException;

class SocketAddressesTest {
    @Test
    void textTellsPortFromAddress() {
        assertThat(SocketAddresses.text(new InetSocketAddress(literal("10.0.3.1"), 7)))
                .isEqualTo("10.0.3.1:7");
        assertThat(SocketAddresses.text(new InetSocketAddress(literal("2001:db8::1"), 7)))
                .isEqualTo("[2001:db8:0:0:0:0:0:1]:7");
        assertThat(SocketAddresses.text(InetSocketAddress.createUnresolved("peer", 7)))
                .isEqualTo("peer:7");
    }

    @Test
    void unknownHostIsUnreachable() {
        assertThatThrownBy(() -> SocketAddresses.resolved(
                        "connect", InetSocketAddress.createUnresolved("no.such.host.invalid", 7)))
                .isInstanceOfSatisfying(
                        ConnectionException.class,
                        e -> assertThat(e.reason()).isEqualTo(ConnectionException.Reason.UNREACHABLE))
                .hasMessageContaining("no.such.host.invalid");
    }

    private static InetAddress literal(String address) {
        return InetAddress.ofLiteral(address);
    }
}

package org.panamaverbs.ibverbs.cm;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

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

    private static InetAddress literal(String address) {
        return InetAddress.ofLiteral(address);
    }
}

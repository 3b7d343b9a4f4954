package org.panamaverbs.ibverbs.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.ConnectionException;

class SocketAddressesTest {
    private final Arena arena = Arena.ofAuto();

    @Test
    void encodesIpv4AsC() {
        MemorySegment encoded = SocketAddresses.encode(new InetSocketAddress(literal("10.0.3.1"), 0x1C06), arena);
        byte[] expected = {0, 0, 0x1C, 0x06, 10, 0, 3, 1};
        expected[ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 0 : 1] = 2;
        assertThat(encoded.asSlice(0, 8).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
    }

    @Test
    void ipv4SurvivesTheWayThere() {
        survives(new InetSocketAddress(literal("192.0.2.7"), 65_535));
    }

    @Test
    void ipv6SurvivesTheWayThere() {
        survives(new InetSocketAddress(literal("2001:db8::1"), 1));
    }

    @Test
    void scopeOfLinkLocalAddressSurvives() throws UnknownHostException {
        byte[] octets = literal("fe80::1").getAddress();
        InetSocketAddress address = new InetSocketAddress(Inet6Address.getByAddress(null, octets, 3), 7);
        InetSocketAddress decoded = SocketAddresses.decode(SocketAddresses.encode(address, arena));
        assertThat(decoded).isEqualTo(address);
        assertThat(((Inet6Address) java.util.Objects.requireNonNull(decoded).getAddress()).getScopeId())
                .isEqualTo(3);
    }

    @Test
    void otherFamiliesHaveNoAddress() {
        MemorySegment infiniBand = arena.allocate(128, Long.BYTES);
        infiniBand.set(ValueLayout.JAVA_SHORT, 0, (short) 27);
        assertThat(SocketAddresses.decode(infiniBand)).isNull();
        assertThat(SocketAddresses.decode(arena.allocate(128, Long.BYTES))).isNull();
    }

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

    private void survives(InetSocketAddress address) {
        assertThat(SocketAddresses.decode(SocketAddresses.encode(address, arena)))
                .isEqualTo(address);
    }

    private static InetAddress literal(String address) {
        return InetAddress.ofLiteral(address);
    }
}

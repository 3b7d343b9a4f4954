package org.panamaverbs.bindings;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class SockaddrTest {
    private final Arena arena = Arena.ofAuto();

    @Test
    void encodesIpv4AsC() {
        MemorySegment encoded = arena.allocate(Sockaddr.MAX_BYTES);
        assertThat(Sockaddr.encode(new InetSocketAddress(literal("10.0.3.1"), 0x1C06), encoded))
                .isEqualTo(16);
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
    void mappedAddressIsWhatItIs() {
        MemorySegment encoded = arena.allocate(Sockaddr.MAX_BYTES);
        Sockaddr.encode(new InetSocketAddress(literal("::1"), 7), encoded);
        byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 0, 3, 1};
        MemorySegment.copy(mapped, 0, encoded, ValueLayout.JAVA_BYTE, 8, mapped.length);
        assertThat(Sockaddr.decode(encoded)).contains(new InetSocketAddress(literal("10.0.3.1"), 7));
    }

    @Test
    void scopeOfLinkLocalAddressSurvives() throws UnknownHostException {
        byte[] octets = literal("fe80::1").getAddress();
        InetSocketAddress address = new InetSocketAddress(Inet6Address.getByAddress(null, octets, 3), 7);
        InetSocketAddress decoded = survives(address);
        assertThat(((Inet6Address) decoded.getAddress()).getScopeId()).isEqualTo(3);
    }

    @Test
    void otherFamiliesHaveNoAddress() {
        MemorySegment infiniBand = arena.allocate(128, Long.BYTES);
        infiniBand.set(ValueLayout.JAVA_SHORT, 0, (short) 27);
        assertThat(Sockaddr.decode(infiniBand)).isEmpty();
        assertThat(Sockaddr.decode(arena.allocate(128, Long.BYTES))).isEmpty();
    }

    private InetSocketAddress survives(InetSocketAddress address) {
        MemorySegment encoded = arena.allocate(Sockaddr.MAX_BYTES);
        Sockaddr.encode(address, encoded);
        InetSocketAddress decoded = Sockaddr.decode(encoded).orElseThrow();
        assertThat(decoded).isEqualTo(address);
        return decoded;
    }

    private static InetAddress literal(String address) {
        return InetAddress.ofLiteral(address);
    }
}

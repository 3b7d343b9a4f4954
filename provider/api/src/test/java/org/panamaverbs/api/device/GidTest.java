package org.panamaverbs.api.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GidTest {
    @ParameterizedTest
    @CsvSource({
        "fe80000000000000, aca51ffffe5b12b0, fe80::aca5:1fff:fe5b:12b0",
        "0000000000000000, 0000ffff0a000301, ::ffff:10.0.3.1",
        "0000000000000000, 0000ffffffffffff, ::ffff:255.255.255.255",
        "fd00000300000000, 0000000000000001, fd00:3::1",
        "20010db800000001, 0001000100010001, 2001:db8:0:1:1:1:1:1",
        "20010db800000000, 0001000000000001, 2001:db8::1:0:0:1",
        "0000000000000000, 0000000000000000, ::",
        "0000000000000000, 0000000000000001, ::1",
        "0001000000000000, 0000000000000000, 1::",
        "5254001234560000, 0000000000000000, 5254:12:3456::",
        "0001000000020000, 0000000300000000, 1:0:2::3:0:0",
    })
    void isWrittenAsInetNtopDoesAndReadBack(String prefix, String interfaceId, String text) {
        Gid gid = new Gid(Long.parseUnsignedLong(prefix, 16), Long.parseUnsignedLong(interfaceId, 16));
        assertThat(gid).hasToString(text);
        assertThat(Gid.of(gid.toBytes())).isEqualTo(gid);
        assertThat(Gid.of(gid.toAddress())).isEqualTo(gid);
        assertThat(Gid.of(InetAddress.ofLiteral(text))).isEqualTo(gid);
        assertThat(gid.isZero()).isEqualTo(text.equals("::"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.3.1", "255.1.2.3", "fe80:0:0:0:202:3ff:fe04:506", "fd00:3:0:0:0:0:0:1"})
    void isTheAddressOfRoceV2(String address) {
        assertThat(Gid.of(InetAddress.ofLiteral(address)).toAddress().getHostAddress())
                .isEqualTo(address);
    }

    @Test
    void octetsAreInNetworkOrder() {
        assertThat(new Gid(0x0102_0304_0506_0708L, 0x090A_0B0C_0D0E_0F10L).toBytes())
                .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    }

    @Test
    void hasSixteenOctets() {
        assertThatThrownBy(() -> Gid.of(new byte[4]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a GID has 16 bytes, got 4");
    }
}

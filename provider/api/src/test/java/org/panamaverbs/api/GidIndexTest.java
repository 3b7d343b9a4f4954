package org.panamaverbs.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.DeviceAttributes.Entry;
import org.panamaverbs.api.DeviceAttributes.Port;

/** The index of a GID is the port's, whatever is left out of the list. */
class GidIndexTest {
    private static final Port PORT = new Port(
            1,
            List.of(
                    entry("state", "PORT_ACTIVE (4)"),
                    entry("GID[  0]", "fe80:0000:0000:0000:0202:03ff:fe04:0506, RoCE v1"),
                    entry("GID[  1]", "fe80::202:3ff:fe04:506, RoCE v2"),
                    entry("GID[  4]", "0000:0000:0000:0000:0000:ffff:0a00:0301, RoCE v1"),
                    entry("GID[  5]", "::ffff:10.0.3.1, RoCE v2"),
                    entry("GID[ 12]", "::ffff:10.0.3.2, RoCE v2"),
                    entry("GID[130]", "fd00:3::1, RoCE v2")));

    @ParameterizedTest
    @CsvSource({"fe80::202:3ff:fe04:506, 1", "10.0.3.1, 5", "10.0.3.2, 12", "fd00:3::1, 130"})
    void isThatOfTheTable(String own, int expected) {
        assertThat(PORT.gidIndex(InetAddress.ofLiteral(own))).hasValue(expected);
    }

    @Test
    void isAbsentForAnAddressThatThePortDoesNotHave() {
        assertThat(PORT.gidIndex(InetAddress.ofLiteral("10.0.3.3"))).isEqualTo(OptionalInt.empty());
        assertThat(new Port(1, List.of()).gidIndex(InetAddress.ofLiteral("10.0.3.1")))
                .isEmpty();
    }

    private static Entry entry(String name, String value) {
        return new Entry("", name, value, List.of());
    }
}

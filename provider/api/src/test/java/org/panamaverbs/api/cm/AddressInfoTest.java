package org.panamaverbs.api.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.api.ConnectionException;

/** Addresses by names of hosts and services. */
class AddressInfoTest {
    @TempDir
    Path directory;

    @Test
    void servicesAreFoundByNameAliasAndNumber() throws IOException {
        Path services = directory.resolve("services");
        Files.writeString(services, """
                # Network services
                echo        7/udp
                iscsi-target 3260/tcp  iscsi scsi2 # of storage
                svn         3690/tcp subversion
                """);
        assertThat(AddressInfo.port("iscsi-target", services)).isEqualTo(3260);
        assertThat(AddressInfo.port("scsi2", services)).isEqualTo(3260);
        assertThat(AddressInfo.port("subversion", services)).isEqualTo(3690);
        assertThat(AddressInfo.port("7174", services)).isEqualTo(7174);
        assertThat(AddressInfo.port("0", services)).isZero();
        for (String unknown : new String[] {"echo", "of", "iscsi-", "3690/tcp", ""}) {
            assertThatThrownBy(() -> AddressInfo.port(unknown, services))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not a number");
        }
        assertThatThrownBy(() -> AddressInfo.port("65536", services)).hasMessageContaining("a port is 0 to 65535");
        assertThatThrownBy(() -> AddressInfo.port("svn", directory.resolve("none")))
                .hasMessageContaining("cannot be read");
    }

    @Test
    void hostsAreFoundWithTheirPort() {
        assertThat(AddressInfo.of("127.0.0.1", "7174"))
                .containsExactly(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 7174));
        assertThat(AddressInfo.of("localhost", "1")).isNotEmpty().allMatch(each -> each.getPort() == 1);
        assertThatThrownBy(() -> AddressInfo.of("host.invalid", "1"))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("host.invalid is unknown");
    }

    @Test
    void linkLocalAddressKeepsItsScope() {
        Inet6Address found =
                (Inet6Address) AddressInfo.of("fe80::1%1", "1").get(0).getAddress();
        assertThat(found.getScopeId()).isEqualTo(1);
    }

    @Test
    void whereToListenIsIpv4AloneIfTheProcessIsToHaveNoOther() {
        String property = "java.net.preferIPv4Stack";
        String before = System.setProperty(property, "true");
        try {
            assertThat(AddressInfo.passive("7174"))
                    .singleElement()
                    .extracting(InetSocketAddress::getAddress)
                    .isInstanceOf(Inet4Address.class);
        } finally {
            if (before == null) {
                System.clearProperty(property);
            } else {
                System.setProperty(property, before);
            }
        }
    }

    @Test
    void whereToListenAreBothWildcards() {
        assumeFalse(Boolean.getBoolean("java.net.preferIPv4Stack"), "this process is to have IPv4 alone");
        assertThat(AddressInfo.passive("7174"))
                .extracting(InetSocketAddress::getAddress)
                .satisfiesExactly(
                        first -> assertThat(first)
                                .isInstanceOf(Inet6Address.class)
                                .matches(each -> each.isAnyLocalAddress()),
                        second -> assertThat(second)
                                .isInstanceOf(Inet4Address.class)
                                .matches(each -> each.isAnyLocalAddress()));
    }
}

package org.panamaverbs.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.spi.support.HostAddresses.Link;

/** Addresses as applications write them, and as a socket needs them. */
class HostAddressesTest {
    private static final Link LOOPBACK = link("lo", 1, "127.0.0.1", "::1");
    private static final Link ETHERNET = link("eth0", 4, "192.0.2.2", "fe80::2", "2001:db8::2");
    private static final Link WIRELESS = link("wlan0", 7, "fe80::3");
    private static final Link IPV4 = link("eth1", 9, "198.51.100.2");

    private static Link link(String name, int index, String... addresses) {
        return new Link(
                name,
                index,
                name.equals("lo"),
                List.of(addresses).stream().map(InetAddress::ofLiteral).toList());
    }

    private static InetSocketAddress at(String address) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), 7174);
    }

    private static InetSocketAddress destination(String address, Link... links) {
        return new HostAddresses(false, List.of(links)).destinationOf("connect", at(address));
    }

    private static InetSocketAddress bound(String address, Link... links) {
        return new HostAddresses(false, List.of(links)).boundOf("listen", at(address));
    }

    private static int scope(InetSocketAddress address) {
        return ((Inet6Address) address.getAddress()).getScopeId();
    }

    @Test
    void addressesThatSayAllStayAsTheyAre() {
        for (String address : List.of("192.0.2.9", "127.0.0.1", "2001:db8::9", "fe80::9%3")) {
            InetSocketAddress given = at(address);
            assertThat(HostAddresses.destination("connect", given, false)).isSameAs(given);
            assertThat(HostAddresses.bound("listen", given, false)).isSameAs(given);
        }
        assertThat(bound("0.0.0.0", LOOPBACK)).isEqualTo(at("0.0.0.0"));
        assertThat(bound("::", LOOPBACK)).isEqualTo(at("::"));
    }

    @Test
    void wildcardLeadsToTheLoopbackOfItsFamily() throws SocketException {
        assertThat(destination("0.0.0.0", LOOPBACK)).isEqualTo(at("127.0.0.1"));
        assertThat(destination("::", ETHERNET, LOOPBACK)).isEqualTo(at("::1"));
        boolean hasIpv6 =
                HostAddresses.isIpv4Only() || NetworkInterface.getByInetAddress(InetAddress.ofLiteral("::1")) != null;
        assertThat(HostAddresses.destination("connect", at("::"), false)).isEqualTo(at(hasIpv6 ? "::1" : "127.0.0.1"));
    }

    @Test
    void wildcardOfIpv6LeadsToIpv4WhereThereIsNoOther() {
        assertThat(destination("::", link("lo", 1, "127.0.0.1"), IPV4)).isEqualTo(at("127.0.0.1"));
    }

    @Test
    void linkLocalAddressOfThisMachineHasTheScopeOfItsInterface() {
        assertThat(scope(destination("fe80::3", LOOPBACK, ETHERNET, WIRELESS))).isEqualTo(7);
        assertThat(scope(bound("fe80::2", LOOPBACK, ETHERNET, WIRELESS))).isEqualTo(4);
    }

    @Test
    void linkLocalAddressOfAPeerHasTheScopeOfTheOnlyLink() {
        assertThat(scope(destination("fe80::9", LOOPBACK, ETHERNET, IPV4))).isEqualTo(4);
    }

    /** TLS compares it with the peer's certificate. */
    @Test
    void nameOfAHostIsKept() throws UnknownHostException {
        InetAddress named = InetAddress.getByAddress(
                "peer.example", InetAddress.ofLiteral("fe80::9").getAddress());
        InetSocketAddress found = new HostAddresses(false, List.of(ETHERNET))
                .destinationOf("connect", new InetSocketAddress(named, 7174));
        assertThat(scope(found)).isEqualTo(4);
        assertThat(found.getHostString()).isEqualTo("peer.example");
    }

    @Test
    void linkLocalAddressThatMayBeOnSeveralLinksNeedsAName() {
        assertThatThrownBy(() -> destination("fe80::9", LOOPBACK, ETHERNET, WIRELESS))
                .isInstanceOfSatisfying(
                        ConnectionException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNREACHABLE))
                .hasMessageContaining(
                        "remedy: name the interface: fe80:0:0:0:0:0:0:9%eth0 or fe80:0:0:0:0:0:0:9%wlan0");
    }

    @Test
    void linkLocalAddressThatIsNotHereCannotBeBound() {
        assertThatThrownBy(() -> bound("fe80::9", LOOPBACK, ETHERNET))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("no interface of this machine has it")
                .hasMessageContaining("ip addr");
        assertThatThrownBy(() -> destination("fe80::9", LOOPBACK, IPV4))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("no interface of this machine has a link-local address");
    }

    @Test
    void processWithoutIpv6HasIpv4Only() {
        HostAddresses off = new HostAddresses(true, List.of(LOOPBACK, ETHERNET));
        assertThat(off.boundOf("listen", at("::"))).isEqualTo(at("0.0.0.0"));
        assertThat(off.destinationOf("connect", at("::"))).isEqualTo(at("127.0.0.1"));
        for (String address : List.of("::1", "fe80::2", "2001:db8::2")) {
            assertThatThrownBy(() -> off.destinationOf("connect", at(address)))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("remedy: use an IPv4 address")
                    .hasMessageContaining("java.net.preferIPv4Stack");
            assertThatThrownBy(() -> off.boundOf("listen", at(address))).isInstanceOf(ConnectionException.class);
        }
    }

    /** The JDK lists no address of IPv6 then, and the caller's sockets are not the JDK's. */
    @Test
    void ipv6OfAnotherStackIsLeftToThatStack() {
        String property = "java.net.preferIPv4Stack";
        String before = System.setProperty(property, "true");
        try {
            for (String address : List.of("::1", "2001:db8::2", "fe80::2", "fe80::2%3")) {
                InetSocketAddress given = at(address);
                assertThat(HostAddresses.destination("connect", given, false)).isSameAs(given);
                assertThat(HostAddresses.bound("listen", given, false)).isSameAs(given);
                assertThatThrownBy(() -> HostAddresses.destination("connect", given, true))
                        .isInstanceOf(ConnectionException.class);
            }
            assertThat(HostAddresses.destination("connect", at("::"), false)).isEqualTo(at("::1"));
            assertThat(HostAddresses.bound("listen", at("::"), false)).isEqualTo(at("::"));
            assertThat(HostAddresses.destination("connect", at("::"), true)).isEqualTo(at("127.0.0.1"));
            assertThat(HostAddresses.bound("listen", at("::"), true)).isEqualTo(at("0.0.0.0"));
        } finally {
            if (before == null) {
                System.clearProperty(property);
            } else {
                System.setProperty(property, before);
            }
        }
    }

    @Test
    void wildcardToConnectFromIsOfTheFamilyOfThePeer() {
        assertThat(HostAddresses.source("connect", at("0.0.0.0"), at("::1"), false))
                .isEqualTo(at("::"));
        assertThat(HostAddresses.source("connect", at("::"), at("127.0.0.1"), false))
                .isEqualTo(at("0.0.0.0"));
        assertThat(HostAddresses.source("connect", at("127.0.0.1"), at("127.0.0.2"), false))
                .isEqualTo(at("127.0.0.1"));
    }

    @Test
    void addressOfOneFamilyConnectsToNoneOfTheOther() {
        assertThatThrownBy(() -> HostAddresses.source("connect", at("127.0.0.1"), at("::1"), false))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("remedy: choose a local address of IPv6");
    }
}

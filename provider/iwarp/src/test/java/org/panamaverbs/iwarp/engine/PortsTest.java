package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.DeviceInfo;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Port;
import org.panamaverbs.api.PortAttributes.LinkLayer;
import org.panamaverbs.api.PortAttributes.State;
import org.panamaverbs.iwarp.verbs.IwarpVerbs;

/** Its ports are the network interfaces. */
class PortsTest {
    @Test
    void portHasTheNumberAndTheAddressesOfItsInterface() throws SocketException {
        try (IwarpVerbs verbs = open()) {
            List<Integer> numbers =
                    verbs.device().ports().stream().map(DeviceInfo.Port::number).toList();
            assertThat(numbers).isNotEmpty().doesNotHaveDuplicates();
            for (int number : numbers) {
                NetworkInterface network = NetworkInterface.getByIndex(number);
                Port port = verbs.port(number);
                assertThat(port.addresses())
                        .containsExactlyInAnyOrderElementsOf(network.getInterfaceAddresses().stream()
                                .map(InterfaceAddress::getAddress)
                                .distinct()
                                .toList());
                assertThat(port.query().state()).isEqualTo(network.isUp() ? State.ACTIVE : State.DOWN);
                assertThat(port.query().linkLayer()).isEqualTo(LinkLayer.ETHERNET);
                assertThat(port.query().activeMtuBytes()).isPositive().isLessThan(network.getMTU());
            }
        }
    }

    @Test
    void loopbackIsActive() throws SocketException {
        InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
        try (IwarpVerbs verbs = open()) {
            Port port = verbs.port(NetworkInterface.getByInetAddress(loopback).getIndex());
            assertThat(port.query().isActive()).isTrue();
            assertThat(port.addresses()).contains(loopback);
        }
    }

    @Test
    void tablesAreRefusedWithWhoHasThem() {
        try (IwarpVerbs verbs = open()) {
            Port port = verbs.port(verbs.device().ports().getFirst().number());
            assertThatThrownBy(port::gids)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("of device iwarp0 of provider iwarp has no table of GIDs; ibverbs has them");
            assertThatThrownBy(port::pkeys)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("no table of partition keys");
        }
    }

    @Test
    void closedDeviceHasNoPorts() {
        IwarpVerbs verbs = open();
        int number = verbs.device().ports().getFirst().number();
        verbs.close();
        assertThatThrownBy(() -> verbs.port(number)).isInstanceOf(IllegalStateException.class);
    }

    private static IwarpVerbs open() {
        return IwarpVerbs.open(OpenConfig.provider(IwarpVerbs.PROVIDER), "a test");
    }
}

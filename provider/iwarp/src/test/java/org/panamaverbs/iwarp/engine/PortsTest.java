package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.api.device.Port;
import org.panamaverbs.api.device.PortAttributes.LinkLayer;
import org.panamaverbs.api.device.PortAttributes.State;
import org.panamaverbs.iwarp.verbs.IwarpVerbs;

/** Its ports are the network interfaces. */
class PortsTest {
    private static List<Integer> numbers(Verbs verbs) {
        return verbs.device().ports().stream().map(DeviceInfo.Port::number).toList();
    }

    private static NetworkInterface network(Port port) throws SocketException {
        return NetworkInterface.getByInetAddress(port.addresses().getFirst());
    }

    /** Without gaps only where no interface has gone since this process described the device first. */
    @Test
    void portsAreNumberedFrom1() {
        try (IwarpVerbs verbs = open();
                IwarpVerbs other = open()) {
            assertThat(numbers(verbs))
                    .allMatch(number -> number >= 1)
                    .doesNotHaveDuplicates()
                    .isSorted()
                    .isEqualTo(numbers(other));
        }
    }

    /** As on other devices, where a program that knows of no ports asks the first. */
    @Test
    void firstPortIsNotTheLoopbackIfThereIsAnother() throws SocketException {
        try (IwarpVerbs verbs = open()) {
            assumeTrue(numbers(verbs).contains(1), "the interface that was port 1 has gone");
            List<Boolean> loopback = new ArrayList<>();
            for (int number : numbers(verbs)) {
                loopback.add(network(verbs.port(number)).isLoopback());
            }
            assertThat(network(verbs.port(1)).isLoopback()).isEqualTo(!loopback.contains(false));
        }
    }

    @Test
    void portHasTheAddressesOfItsInterface() throws SocketException {
        try (IwarpVerbs verbs = open()) {
            for (int number : numbers(verbs)) {
                Port port = verbs.port(number);
                NetworkInterface network = network(port);
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
    void loopbackIsActive() {
        InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
        try (IwarpVerbs verbs = open()) {
            assertThat(numbers(verbs).stream().map(verbs::port))
                    .filteredOn(port -> port.addresses().contains(loopback))
                    .singleElement()
                    .matches(port -> port.query().isActive());
        }
    }

    @Test
    void tablesAreRefusedWithWhoHasThem() {
        try (IwarpVerbs verbs = open()) {
            Port port = verbs.port(verbs.device().ports().getFirst().number());
            assertThatThrownBy(port::gids)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining(
                            "of device iwarp0 of provider iwarp has no table of GIDs; remedy: use provider ibverbs");
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

package org.panamaverbs.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.cm.MulticastConfig;
import org.panamaverbs.api.cm.MulticastMembership;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.Waits;

/** What Linux says and does when groups are joined, beyond what the conformance suite asks of everybody. */
@RunsOn(Devices.Rxe.class)
class MulticastJoinTest extends Conformance {
    private static final InetAddress GROUP = InetAddress.ofLiteral("239.1.2.3");
    private static final InetAddress ROUTED = InetAddress.ofLiteral("239.7.7.7");
    private static final String GROUP_IN_PROC = "030201EF";

    @Test
    void leavesTheNetworkWithTheLastMember() throws IOException {
        Endpoint a = sideA(Feature.MULTICAST);
        QueuePair qp = datagrams(a);
        MulticastMembership membership = join(a, qp);
        assertThat(Files.readString(Path.of("/proc/net/igmp")))
                .as("the interface tells routers")
                .contains(GROUP_IN_PROC);
        assertThatThrownBy(qp::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("membership of queue pair " + qp.number() + " in 239.1.2.3");
        membership.close();
        assertThat(Files.readString(Path.of("/proc/net/igmp"))).doesNotContain(GROUP_IN_PROC);
        join(a, qp).close();
    }

    @Test
    void saysThatLinuxHasNoIpv6GroupsOnRoce() {
        Endpoint a = sideA(Feature.MULTICAST);
        QueuePair qp = datagrams(a);
        InetAddress local = provider().listenAddressV6().orElseThrow().getAddress();
        assertThatThrownBy(() -> a.verbs()
                        .joinMulticast(
                                InetAddress.ofLiteral("ff0e::e101:203"),
                                qp,
                                config().withLocalAddress(local),
                                Waits.deadline()))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("where Linux has no IPv6 groups");
    }

    @Test
    void namesTheDeviceOfAnotherInterface() {
        Endpoint a = sideA(Feature.MULTICAST);
        QueuePair qp = datagrams(a);
        assertThatThrownBy(() -> a.verbs()
                        .joinMulticast(
                                GROUP,
                                qp,
                                config().withLocalAddress(InetAddress.ofLiteral("10.0.2.15")),
                                Waits.deadline()))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("device siw0")
                .hasMessageContaining("but device rxe0 is open");
    }

    @Test
    void takesTheInterfaceThatTheRoutingTablesChoose() throws IOException {
        Endpoint a = sideA(Feature.MULTICAST);
        InetAddress local = provider().listenAddress().getAddress();
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(ROUTED, 9);
            requires(socket.getLocalAddress().equals(local), a.verbs(), "is not where " + ROUTED + " is routed to");
        }
        QueuePair qp = datagrams(a);
        MulticastMembership membership =
                a.verbs().joinMulticast(ROUTED, qp, MulticastConfig.defaults(), Waits.deadline());
        assertThat(membership.isJoined()).isTrue();
        assertThat(Files.readString(Path.of("/proc/net/igmp"))).contains("070707EF");
        membership.close();
    }

    private MulticastMembership join(Endpoint side, QueuePair queuePair) {
        return resources().add(side.verbs().joinMulticast(GROUP, queuePair, config(), Waits.deadline()));
    }

    private MulticastConfig config() {
        return MulticastConfig.defaults()
                .withLocalAddress(provider().listenAddress().getAddress());
    }

    private static QueuePair datagrams(Endpoint side) {
        return side.newQueuePair(config -> config.withType(QueuePairType.UD));
    }
}

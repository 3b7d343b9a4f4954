package org.panamaverbs.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.DatagramDestination;
import org.panamaverbs.api.MulticastConfig;
import org.panamaverbs.api.MulticastMembership;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Patterns;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.Waits;

/** Multicast groups that are joined through the connection manager. */
@RunsOn(Devices.Rxe.class)
class MulticastJoinTest extends Conformance {
    private static final int GRH_BYTES = 40;
    private static final InetAddress GROUP = InetAddress.ofLiteral("239.1.2.3");
    private static final InetAddress ROUTED = InetAddress.ofLiteral("239.7.7.7");
    private static final String GROUP_IN_PROC = "030201EF";

    @Test
    void allMembersReceiveWhatOneSends() throws IOException {
        Endpoint a = sideA(Feature.MULTICAST);
        Endpoint b = sideB(Feature.MULTICAST);
        QueuePair first = datagrams(a);
        QueuePair second = datagrams(b);
        QueuePair sender = datagrams(a);
        MulticastMembership here = join(a, first);
        MulticastMembership there = join(b, second);
        assertThat(here.qpNumber()).isEqualTo(0xFFFFFF);
        assertThat(here.qkey()).as("RDMA_UDP_QKEY").isEqualTo(0x01234567);
        assertThat(here.isJoined()).isTrue();
        assertThat(here.group()).isEqualTo(GROUP);
        assertThat(Files.readString(Path.of("/proc/net/igmp")))
                .as("the interface tells routers")
                .contains(GROUP_IN_PROC);
        DatagramDestination group =
                resources().add(a.verbs().joinMulticast(GROUP, sender, config().withSendOnly(true), Waits.deadline()));

        receives(a, first);
        receives(b, second);
        byte[] data = send(a, sender, group, 1);
        arrived(a, data);
        arrived(b, data);

        there.close();
        assertThat(there.isJoined()).isFalse();
        receives(a, first);
        receives(b, second);
        arrived(a, send(a, sender, group, 2));
        b.inbox().expectNothing();
    }

    @Test
    void leavesTheNetworkWithTheLastMember() throws IOException {
        Endpoint a = sideA(Feature.MULTICAST);
        QueuePair qp = datagrams(a);
        MulticastMembership membership = join(a, qp);
        assertThatThrownBy(qp::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("membership of queue pair " + qp.number() + " in 239.1.2.3");
        membership.close();
        assertThat(Files.readString(Path.of("/proc/net/igmp"))).doesNotContain(GROUP_IN_PROC);
        join(a, qp).close();
    }

    @Test
    void refusesWhatIsNoGroup() {
        Endpoint a = sideA(Feature.MULTICAST);
        QueuePair qp = datagrams(a);
        assertThatThrownBy(() ->
                        a.verbs().joinMulticast(InetAddress.ofLiteral("10.0.3.7"), qp, config(), Waits.deadline()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("10.0.3.7 is no multicast address");
        QueuePair reliable = a.newQueuePair(config -> config);
        assertThatThrownBy(() -> a.verbs().joinMulticast(GROUP, reliable, config(), Waits.deadline()))
                .hasMessageContaining("is RC: datagrams need type UD");
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
                .hasMessageContaining("Linux has no IPv6 groups on RoCE v2");
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

    private static void receives(Endpoint side, QueuePair queuePair) {
        accepted(queuePair.recv(7, side.buffer(), 8192, 1024));
    }

    private static byte[] send(Endpoint side, QueuePair sender, DatagramDestination group, int seed) {
        byte[] data = Patterns.bytes(seed, 200);
        side.put(0, data);
        SgList local = SgList.ofCapacity(1).add(side.buffer(), 0, data.length);
        accepted(sender.postDatagram(SendOpcode.SEND, 1, local, group, 0, 0));
        return data;
    }

    private static void arrived(Endpoint side, byte[] data) {
        assertThat(side.inbox().takeOk(7).byteCount()).isEqualTo(GRH_BYTES + data.length);
        assertThat(side.get(8192 + GRH_BYTES, data.length)).isEqualTo(data);
    }
}

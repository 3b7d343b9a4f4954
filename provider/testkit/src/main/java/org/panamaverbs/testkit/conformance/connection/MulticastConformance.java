package org.panamaverbs.testkit.conformance.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.DatagramDestination;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.cm.MulticastConfig;
import org.panamaverbs.api.cm.MulticastMembership;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.random.Patterns;

/** Multicast groups that are joined through the connection manager. */
@Needs(Feature.MULTICAST)
public abstract class MulticastConformance extends Conformance {
    private static final int GRH_BYTES = 40;
    private static final InetAddress GROUP = InetAddress.ofLiteral("239.1.2.3");

    /** For subclasses. */
    protected MulticastConformance() {}

    @Test
    void allMembersReceiveWhatOneSends() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        QueuePair first = datagrams(a);
        QueuePair second = datagrams(b);
        QueuePair sender = datagrams(a);
        MulticastMembership here = join(a, first);
        MulticastMembership there = join(b, second);
        assertThat(here.qpNumber()).isEqualTo(0xFFFFFF);
        assertThat(here.qkey()).as("RDMA_UDP_QKEY").isEqualTo(0x01234567);
        assertThat(here.isJoined()).isTrue();
        assertThat(here.group()).isEqualTo(GROUP);
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
    @ApiCase
    void refusesWhatIsNoGroup() {
        Endpoint a = sideA();
        QueuePair qp = datagrams(a);
        assertThatThrownBy(() ->
                        a.verbs().joinMulticast(InetAddress.ofLiteral("10.0.3.7"), qp, config(), Waits.deadline()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("10.0.3.7 is not a multicast address");
        QueuePair reliable = a.newQueuePair(config -> config);
        assertThatThrownBy(() -> a.verbs().joinMulticast(GROUP, reliable, config(), Waits.deadline()))
                .hasMessageContaining("is RC, datagrams need UD");
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

package org.panamaverbs.api.cm.outofband;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.api.device.GidEntry;
import org.panamaverbs.api.device.Port;
import org.panamaverbs.api.device.PortAttributes;
import org.panamaverbs.api.device.PortAttributes.LinkLayer;

/** Which way is taken to a peer from ports of both link layers, also those that no device here has. */
class OwnRouteTest {
    private static final OutOfBandConfig DEFAULT = OutOfBandConfig.defaults();
    private static final Gid PEER = gid("192.0.2.2");

    @Test
    void takesIpv4OfRoceV2ByItself() {
        // As Linux lists them: each address for both versions, with a gap where one was taken away.
        assertThat(index(
                        entry(0, "fe80::1", GidEntry.Type.ROCE_V1),
                        entry(1, "fe80::1", GidEntry.Type.ROCE_V2),
                        entry(2, "2001:db8::1", GidEntry.Type.ROCE_V1),
                        entry(3, "2001:db8::1", GidEntry.Type.ROCE_V2),
                        entry(6, "192.0.2.1", GidEntry.Type.ROCE_V1),
                        entry(7, "192.0.2.1", GidEntry.Type.ROCE_V2)))
                .isEqualTo(7);
    }

    @Test
    void takesAddressesOfTheLinkLast() {
        assertThat(index(entry(1, "fe80::1", GidEntry.Type.ROCE_V2), entry(3, "2001:db8::1", GidEntry.Type.ROCE_V2)))
                .isEqualTo(3);
        assertThat(index(
                        entry(1, "169.254.1.1", GidEntry.Type.ROCE_V2), entry(3, "2001:db8::1", GidEntry.Type.ROCE_V2)))
                .isEqualTo(3);
        assertThat(index(entry(2, "192.0.2.1", GidEntry.Type.ROCE_V1), entry(5, "fe80::1", GidEntry.Type.ROCE_V2)))
                .isEqualTo(5);
        assertThat(index(entry(4, "192.0.2.1", GidEntry.Type.ROCE_V1))).isEqualTo(4);
    }

    @Test
    void goesByLidOnInfiniBand() {
        OwnRoute route = OwnRoute.of(infiniBand(), DEFAULT.withRoute(way -> way.withServiceLevel(3)));
        assertThat(route.lid()).isEqualTo(17);
        assertThat(route.gid()).isEqualTo(gid("fe80::17"));
        AddressHandleConfig way = route.to(peer(23, gid("fe80::23")));
        assertThat(way.gid()).isEmpty();
        assertThat(way.lid()).isEqualTo(23);
        assertThat(way.serviceLevel()).isEqualTo(3);
        assertThatThrownBy(() -> route.to(peer(0, PEER)))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("the peer has no LID");
    }

    @Test
    void goesByGidOnInfiniBandWhereAnIndexIsGiven() {
        OwnRoute route = OwnRoute.of(infiniBand(), DEFAULT.withGidIndex(0));
        AddressHandleConfig way = route.to(peer(23, gid("fe80::23")));
        assertThat(Gid.of(way.gid())).isEqualTo(gid("fe80::23"));
        assertThat(way.lid()).isEqualTo(23);
        assertThat(way.gidIndex()).isZero();
    }

    @Test
    void takesNoMoreThanThePortsMtu() {
        Port port = ethernet(entry(1, "192.0.2.1", GidEntry.Type.ROCE_V2));
        assertThat(OwnRoute.of(port, DEFAULT).mtuBytes()).isEqualTo(1024);
        assertThat(OwnRoute.of(port, DEFAULT.withPathMtu(256)).mtuBytes()).isEqualTo(256);
        assertThatThrownBy(() -> OwnRoute.of(port, DEFAULT.withPathMtu(2048)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 1024 bytes");
    }

    @Test
    void saysWhatAPortWithoutAddressNeeds() {
        assertThatThrownBy(() -> OwnRoute.of(ethernet(), DEFAULT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ip address add");
    }

    private static int index(GidEntry... entries) {
        OwnRoute route = OwnRoute.of(ethernet(entries), DEFAULT);
        return route.template().gidIndex();
    }

    private static QueuePairEndpoint peer(int lid, Gid gid) {
        return new QueuePairEndpoint(QueuePairType.RC, 1, 1, 0, lid, gid, 1024, 1, 1, List.of());
    }

    private static Gid gid(String address) {
        return Gid.of(InetAddress.ofLiteral(address));
    }

    private static GidEntry entry(int index, String address, GidEntry.Type type) {
        return new GidEntry(index, gid(address), type, "eth0");
    }

    private static Port ethernet(GidEntry... entries) {
        return new Told(attributes(LinkLayer.ETHERNET, 0), List.of(entries));
    }

    private static Port infiniBand() {
        return new Told(
                attributes(LinkLayer.INFINIBAND, 17), List.of(new GidEntry(0, gid("fe80::17"), GidEntry.Type.IB, "")));
    }

    private static PortAttributes attributes(LinkLayer layer, int lid) {
        return new PortAttributes(
                PortAttributes.State.ACTIVE, layer, 4096, 1024, lid, 0, 1, 16, 1, 4, PortAttributes.Speed.EDR);
    }

    /** A port that answers as it was told. */
    private record Told(PortAttributes query, List<GidEntry> gids) implements Port {
        @Override
        public int number() {
            return 1;
        }

        @Override
        public List<InetAddress> addresses() {
            return List.of();
        }

        @Override
        public Optional<GidEntry> gid(int index) {
            return gids.stream().filter(entry -> entry.index() == index).findFirst();
        }

        @Override
        public int[] pkeys() {
            return new int[] {0xFFFF};
        }

        @Override
        public int pkey(int index) {
            return pkeys()[index];
        }
    }
}

package org.panamaverbs.api.cm.outofband;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Comparator;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.api.device.GidEntry;
import org.panamaverbs.api.device.Port;
import org.panamaverbs.api.device.PortAttributes;
import org.panamaverbs.api.device.PortAttributes.LinkLayer;

/**
 * This side of a route: its port when queried, and the GID that packets come from.
 *
 * @param template the port and the header fields of sent packets; its destination is ignored
 * @param global whether the route uses a GID; otherwise a LID only
 * @param lid the port's LID
 * @param gid the GID of this side, zero if the port has none
 * @param mtuBytes the largest packet
 */
record OwnRoute(AddressHandleConfig template, boolean global, int lid, Gid gid, int mtuBytes) {
    private static final Gid NONE = new Gid(0, 0);

    /**
     * Queries {@code port}.
     *
     * @throws ConnectionException with reason {@link Reason#UNREACHABLE} if the port is not active
     * @throws IllegalArgumentException if {@code config} names an entry that the port lacks
     */
    static OwnRoute of(Port port, OutOfBandConfig config) {
        PortAttributes now = port.query();
        if (!now.isActive()) {
            throw new ConnectionException(
                    "connect out of band",
                    Reason.UNREACHABLE,
                    "port " + port.number() + " is " + now.state()
                            + "; remedy: check the cable, the switch and, on InfiniBand, the subnet manager; on"
                            + " RoCE, bring the network interface up (ip link set NAME up)",
                    null);
        }
        boolean ethernet = now.linkLayer() == LinkLayer.ETHERNET;
        boolean chosen = config.route().gidIndex() != OutOfBandConfig.AUTO;
        GidEntry own = chosen ? entry(port, config.route().gidIndex()) : suitable(port, ethernet);
        if (config.pkeyIndex() >= now.pkeyTableLength()) {
            throw new IllegalArgumentException("pkeyIndex must be below " + now.pkeyTableLength() + " at port "
                    + port.number() + ", got " + config.pkeyIndex());
        }
        return new OwnRoute(
                config.route().withPort(port.number()).withGidIndex(own.index()),
                ethernet || chosen,
                now.lid(),
                own.gid(),
                mtu(port, now, config));
    }

    private static GidEntry entry(Port port, int index) {
        return port.gid(index)
                .orElseThrow(() -> new IllegalArgumentException(
                        "GID index " + index + " of port " + port.number() + " is empty, the port has " + port.gids()));
    }

    /** Returns the entry that suits by itself: see {@link OutOfBandConfig#AUTO}. */
    private static GidEntry suitable(Port port, boolean ethernet) {
        GidEntry.Type wanted = ethernet ? GidEntry.Type.ROCE_V2 : GidEntry.Type.IB;
        Comparator<GidEntry> order = Comparator.comparingInt((GidEntry entry) -> entry.type() == wanted ? 0 : 1)
                .thenComparingInt(entry -> ethernet ? rank(entry.gid().toAddress()) : 0)
                .thenComparingInt(GidEntry::index);
        return port.gids().stream().min(order).orElseGet(() -> {
            if (ethernet) {
                throw new IllegalArgumentException("port " + port.number()
                        + " has no GID; remedy: give its network interface an address (ip address add), and bring it"
                        + " up");
            }
            return new GidEntry(0, NONE, wanted, "");
        });
    }

    private static int rank(InetAddress address) {
        if (address instanceof Inet4Address) {
            return address.isLinkLocalAddress() ? 2 : 0;
        }
        return address.isLinkLocalAddress() ? 3 : 1;
    }

    private static int mtu(Port port, PortAttributes now, OutOfBandConfig config) {
        int active = now.activeMtuBytes();
        int wanted = config.pathMtuBytes() == 0 ? active : config.pathMtuBytes();
        if (!PathMtu.exists(wanted) || (active != 0 && wanted > active)) {
            throw new IllegalArgumentException("pathMtuBytes must be " + PathMtu.ALL + ", and at most " + active
                    + " bytes at port " + port.number() + ", got " + wanted);
        }
        return wanted;
    }

    /**
     * Returns the route to {@code peer}.
     *
     * @throws ConnectionException with reason {@link Reason#NEGOTIATION} if there is none
     */
    AddressHandleConfig to(QueuePairEndpoint peer) {
        if (!global) {
            if (peer.lid() == 0) {
                throw unreachable("the peer has no LID; remedy: choose a GID index for a global route, as peers on"
                        + " Ethernet need");
            }
            return local().withLid(peer.lid());
        }
        if (peer.gid().isZero()) {
            throw unreachable("the peer has no GID, and this side uses a global route with GID " + gid
                    + "; remedy: give the peer's interface an address, or on InfiniBand leave out withGidIndex on this"
                    + " side");
        }
        if (lid == 0 && isIpv4(gid) != isIpv4(peer.gid())) {
            throw unreachable("this side's GID is " + gid + " and the peer's is " + peer.gid()
                    + ": one is IPv4 and the other is not; remedy: choose GID indexes of one kind on both sides");
        }
        return template.withGid(peer.gid().toBytes()).withLid(peer.lid());
    }

    private AddressHandleConfig local() {
        return AddressHandleConfig.toLid(0)
                .withPort(template.port())
                .withServiceLevel(template.serviceLevel())
                .withStaticRate(template.staticRate());
    }

    private static boolean isIpv4(Gid gid) {
        return gid.toAddress() instanceof Inet4Address;
    }

    private static ConnectionException unreachable(String why) {
        return new ConnectionException("connect out of band", Reason.NEGOTIATION, why, null);
    }
}

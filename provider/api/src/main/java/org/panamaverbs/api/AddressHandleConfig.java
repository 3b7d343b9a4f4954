package org.panamaverbs.api;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Comparator;

/**
 * Where a datagram goes, {@code struct ibv_ah_attr}.
 *
 * @param gid the destination's 16-byte GID, empty for a local route by LID alone
 * @param lid the destination's LID, 0 on Ethernet
 * @param gidIndex the index of the own GID, {@link Port#gidIndex}
 * @param port the port, from 1
 * @param serviceLevel 0 to 15
 * @param flowLabel 20 bits
 * @param hopLimit 0 to 255
 * @param trafficClass 0 to 255
 * @param staticRate {@link StaticRate#code()}, 0 for the port's own
 */
// The array is copied on the way in and out.
@SuppressWarnings("ArrayRecordComponent")
public record AddressHandleConfig(
        byte[] gid,
        int lid,
        int gidIndex,
        int port,
        int serviceLevel,
        int flowLabel,
        int hopLimit,
        int trafficClass,
        int staticRate) {
    private static final int HOPS = 64;

    /** Checks the lengths. */
    public AddressHandleConfig {
        if (gid.length != 0 && gid.length != 16) {
            throw new IllegalArgumentException("a GID has 16 bytes, got " + gid.length);
        }
        gid = gid.clone();
    }

    /**
     * Returns the way to {@code gid} from GID 0 of port 1, over 64 hops at most; the rest is 0. On RoCE, GID 0 is often
     * link-local or of RoCE v1, from which a packet to an IPv4 or global address does not arrive: {@link #to(Gid,
     * Port)} looks for one that suits, {@link #withGidIndex} sets it.
     */
    public static AddressHandleConfig to(byte[] gid) {
        return new AddressHandleConfig(gid, 0, 0, 1, 0, 0, HOPS, 0, 0);
    }

    /** As {@link #to(byte[])}: from GID 0 of port 1. */
    public static AddressHandleConfig to(Gid gid) {
        return to(gid.toBytes());
    }

    /**
     * Returns the way to {@code gid} from the GID of {@code port} that suits it, over 64 hops at most; the rest is 0.
     * Of the port's GIDs those suit that are IPv4 addresses if {@code gid} is one, else link-local if it is link-local,
     * and otherwise neither; RoCE v2 goes before other types, then the lowest index. Asks the device for its GID table.
     *
     * @throws IllegalArgumentException if the port has no GID of the kind, naming those that it has
     * @throws ResourceException if the port cannot be asked
     * @throws UnsupportedOperationException if it has no GID table
     */
    public static AddressHandleConfig to(Gid gid, Port port) {
        return port.gids().stream()
                .filter(own -> kind(own.gid()) == kind(gid))
                .min(Comparator.comparing((GidEntry own) -> own.type() != GidEntry.Type.ROCE_V2)
                        .thenComparingInt(GidEntry::index))
                .map(own -> to(gid).withGidIndex(own.index()).withPort(port.number()))
                .orElseThrow(() -> new IllegalArgumentException("address handle to " + gid + " from port "
                        + port.number() + ": it has no GID of the same kind (IPv4, link-local or other), only "
                        + port.gids() + "; remedy: give its network interface an address of the kind, or choose a GID"
                        + " with withGidIndex"));
    }

    /** Returns 0 for an IPv4 address, 1 for a link-local one, 2 for others. */
    private static int kind(Gid gid) {
        InetAddress address = gid.toAddress();
        return address instanceof Inet4Address ? 0 : address.isLinkLocalAddress() ? 1 : 2;
    }

    /** Returns the way to {@code lid} of the same subnet of InfiniBand, from port 1; the rest is 0. */
    public static AddressHandleConfig toLid(int lid) {
        return new AddressHandleConfig(new byte[0], lid, 0, 1, 0, 0, 0, 0, 0);
    }

    /** Returns a copy with the destination's {@link #lid()}. */
    public AddressHandleConfig withLid(int value) {
        return new AddressHandleConfig(
                gid, value, gidIndex, port, serviceLevel, flowLabel, hopLimit, trafficClass, staticRate);
    }

    /** Returns a copy with this side's {@link #gidIndex()}. */
    public AddressHandleConfig withGidIndex(int value) {
        return new AddressHandleConfig(
                gid, lid, value, port, serviceLevel, flowLabel, hopLimit, trafficClass, staticRate);
    }

    /** Returns a copy from this {@link #port()}. */
    public AddressHandleConfig withPort(int value) {
        return new AddressHandleConfig(
                gid, lid, gidIndex, value, serviceLevel, flowLabel, hopLimit, trafficClass, staticRate);
    }

    /** Returns a copy with this {@link #serviceLevel()}. */
    public AddressHandleConfig withServiceLevel(int value) {
        return new AddressHandleConfig(gid, lid, gidIndex, port, value, flowLabel, hopLimit, trafficClass, staticRate);
    }

    /** Returns a copy with this {@link #flowLabel()}. */
    public AddressHandleConfig withFlowLabel(int value) {
        return new AddressHandleConfig(
                gid, lid, gidIndex, port, serviceLevel, value, hopLimit, trafficClass, staticRate);
    }

    /** Returns a copy with this {@link #hopLimit()}. */
    public AddressHandleConfig withHopLimit(int value) {
        return new AddressHandleConfig(
                gid, lid, gidIndex, port, serviceLevel, flowLabel, value, trafficClass, staticRate);
    }

    /** Returns a copy with this {@link #trafficClass()}. */
    public AddressHandleConfig withTrafficClass(int value) {
        return new AddressHandleConfig(gid, lid, gidIndex, port, serviceLevel, flowLabel, hopLimit, value, staticRate);
    }

    /** Returns a copy with this {@link #staticRate()}. */
    public AddressHandleConfig withStaticRate(int value) {
        return new AddressHandleConfig(
                gid, lid, gidIndex, port, serviceLevel, flowLabel, hopLimit, trafficClass, value);
    }

    /** Returns a copy with this {@link #staticRate()}. */
    public AddressHandleConfig withStaticRate(StaticRate rate) {
        return withStaticRate(rate.code());
    }

    /**
     * Returns the UDP port that packets of RoCE v2 of this {@link #flowLabel()} come from
     * ({@code ibv_flow_label_to_udp_sport(3)}): by it, switches choose one of several ways. From 0xC000.
     */
    public int udpSourcePort() {
        int low = flowLabel & 0x3FFF;
        int high = (flowLabel >>> 14) & 0x3F;
        return 0xC000 | (low ^ high);
    }

    /** Returns a copy of the destination's GID. */
    @Override
    public byte[] gid() {
        return gid.clone();
    }
}

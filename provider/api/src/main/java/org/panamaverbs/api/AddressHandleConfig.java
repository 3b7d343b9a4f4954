package org.panamaverbs.api;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.config.Fields;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.api.device.GidEntry;
import org.panamaverbs.api.device.Port;
import org.panamaverbs.api.device.StaticRate;

/** Where a datagram goes, {@code struct ibv_ah_attr}. Immutable; fields may be added. */
public final class AddressHandleConfig implements Cloneable {
    private static final int HOPS = 64;
    private static final Fields<AddressHandleConfig> FIELDS = new Fields<>(
            AddressHandleConfig.class,
            AddressHandleConfig::check,
            fields -> fields.and("gid", config -> config.gid)
                    .and("lid", config -> config.lid)
                    .and("gidIndex", config -> config.gidIndex)
                    .and("port", config -> config.port)
                    .and("serviceLevel", config -> config.serviceLevel)
                    .and("flowLabel", config -> config.flowLabel)
                    .and("hopLimit", config -> config.hopLimit)
                    .and("trafficClass", config -> config.trafficClass)
                    .and("staticRate", config -> config.staticRate));
    private static final AddressHandleConfig NOWHERE = FIELDS.made(new AddressHandleConfig());

    private byte[] gid = new byte[0];
    private int lid;
    private int gidIndex;
    private int port = 1;
    private int serviceLevel;
    private int flowLabel;
    private int hopLimit;
    private int trafficClass;
    private int staticRate;

    private AddressHandleConfig() {}

    /**
     * Returns the way to {@code gid} from GID 0 of port 1, over 64 hops at most; the rest is 0. On RoCE, GID 0 is often
     * link-local or of RoCE v1, from which a packet to an IPv4 or global address does not arrive: {@link #to(Gid,
     * Port)} looks for one that suits, {@link #withGidIndex} sets it.
     */
    public static AddressHandleConfig to(byte[] gid) {
        return NOWHERE.with(copy -> {
            copy.gid = gid.clone();
            copy.hopLimit = HOPS;
        });
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
        return NOWHERE.withLid(lid);
    }

    /** Returns a copy of the destination's 16-byte GID, {@code grh.dgid}; empty for a local route by LID alone. */
    public byte[] gid() {
        return gid.clone();
    }

    /**
     * Returns a copy with the destination's {@link #gid()}.
     *
     * @throws IllegalArgumentException if it has neither 16 bytes nor none
     */
    public AddressHandleConfig withGid(byte[] value) {
        return with(copy -> copy.gid = value.clone());
    }

    /** Returns the destination's LID, {@code dlid}: 0 to 65535, 0 on Ethernet. */
    public int lid() {
        return lid;
    }

    /** Returns a copy with the destination's {@link #lid()}. */
    public AddressHandleConfig withLid(int value) {
        return with(copy -> copy.lid = value);
    }

    /** Returns the index of the own GID, {@code grh.sgid_index}: {@link Port#gidIndex}. */
    public int gidIndex() {
        return gidIndex;
    }

    /** Returns a copy with this side's {@link #gidIndex()}. */
    public AddressHandleConfig withGidIndex(int value) {
        return with(copy -> copy.gidIndex = value);
    }

    /** Returns the port, {@code port_num}: from 1, the default. */
    public int port() {
        return port;
    }

    /** Returns a copy from this {@link #port()}. */
    public AddressHandleConfig withPort(int value) {
        return with(copy -> copy.port = value);
    }

    /** Returns the service level, {@code sl}: 0 to 15. */
    public int serviceLevel() {
        return serviceLevel;
    }

    /** Returns a copy with this {@link #serviceLevel()}. */
    public AddressHandleConfig withServiceLevel(int value) {
        return with(copy -> copy.serviceLevel = value);
    }

    /** Returns the flow label, {@code grh.flow_label}: 20 bits. */
    public int flowLabel() {
        return flowLabel;
    }

    /** Returns a copy with this {@link #flowLabel()}. */
    public AddressHandleConfig withFlowLabel(int value) {
        return with(copy -> copy.flowLabel = value);
    }

    /** Returns the hop limit, {@code grh.hop_limit}: 0 to 255. */
    public int hopLimit() {
        return hopLimit;
    }

    /** Returns a copy with this {@link #hopLimit()}. */
    public AddressHandleConfig withHopLimit(int value) {
        return with(copy -> copy.hopLimit = value);
    }

    /** Returns the traffic class, {@code grh.traffic_class}: 0 to 255. */
    public int trafficClass() {
        return trafficClass;
    }

    /** Returns a copy with this {@link #trafficClass()}. */
    public AddressHandleConfig withTrafficClass(int value) {
        return with(copy -> copy.trafficClass = value);
    }

    /** Returns the rate, {@code static_rate}: {@link StaticRate#code()}, 0 for the port's own. */
    public int staticRate() {
        return staticRate;
    }

    /** Returns a copy with this {@link #staticRate()}. */
    public AddressHandleConfig withStaticRate(int value) {
        return with(copy -> copy.staticRate = value);
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

    private AddressHandleConfig with(Consumer<AddressHandleConfig> change) {
        return FIELDS.changed(super::clone, change);
    }

    private void check() {
        if (gid.length != 0 && gid.length != 16) {
            throw new IllegalArgumentException("a GID has 16 bytes, got " + gid.length);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return FIELDS.equal(this, other);
    }

    @Override
    public int hashCode() {
        return FIELDS.hash(this);
    }

    @Override
    public String toString() {
        return FIELDS.toString(this);
    }
}

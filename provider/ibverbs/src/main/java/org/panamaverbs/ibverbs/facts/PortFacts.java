package org.panamaverbs.ibverbs.facts;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.util.List;
import org.panamaverbs.api.device.GidEntry;
import org.panamaverbs.api.device.PortAttributes;
import org.panamaverbs.api.device.PortAttributes.LinkLayer;
import org.panamaverbs.bindings.ibverbs.ibv_port_attr;

/**
 * What the library says of a port.
 *
 * @param number from 1
 * @param attributes {@code struct ibv_port_attr}, {@link #ATTRIBUTE_BYTES} bytes
 * @param gids the entries of the GID table that are not empty
 * @param interfaceAddresses the IP addresses of its network interface, where they are known
 */
public record PortFacts(
        int number, MemorySegment attributes, List<GidEntry> gids, List<InetAddress> interfaceAddresses) {
    /** Room for the struct and what newer libraries have at its end. */
    static final long ATTRIBUTE_BYTES = 64;

    private static final int OCTET = 0xff;
    private static final int SHORT = 0xffff;
    // Newer than the bound headers: uint32_t active_speed_ex, behind port_cap_flags2; 0 from older libraries.
    private static final long ACTIVE_SPEED_EX = 52;

    /** Returns what is said, typed. */
    public PortAttributes typed() {
        return typed(attributes);
    }

    /** Returns what {@code attributes} say, typed. */
    static PortAttributes typed(MemorySegment attributes) {
        return new PortAttributes(
                PortCodes.state(ibv_port_attr.state(attributes)),
                PortCodes.linkLayer(ibv_port_attr.link_layer(attributes) & OCTET),
                PortCodes.mtuBytes(ibv_port_attr.max_mtu(attributes)),
                PortCodes.mtuBytes(ibv_port_attr.active_mtu(attributes)),
                ibv_port_attr.lid(attributes) & SHORT,
                ibv_port_attr.lmc(attributes) & OCTET,
                ibv_port_attr.sm_lid(attributes) & SHORT,
                ibv_port_attr.gid_tbl_len(attributes),
                ibv_port_attr.pkey_tbl_len(attributes) & SHORT,
                PortCodes.width(ibv_port_attr.active_width(attributes) & OCTET),
                PortCodes.speed(speedCode(attributes)));
    }

    public boolean isActive() {
        return typed().isActive();
    }

    /** Tells whether it has a link and is about to be active: InfiniBand's INIT and ARMED. */
    public boolean isTraining() {
        return typed().state() == PortAttributes.State.INIT || typed().state() == PortAttributes.State.ARMED;
    }

    public boolean isEthernet() {
        return typed().linkLayer() == LinkLayer.ETHERNET;
    }

    public long maxMessageBytes() {
        return Integer.toUnsignedLong(ibv_port_attr.max_msg_sz(attributes));
    }

    /** Returns the active speed's code, from the wider field where the library has it. */
    public long speedCode() {
        return speedCode(attributes);
    }

    private static long speedCode(MemorySegment attributes) {
        int wide = attributes.get(ValueLayout.JAVA_INT, ACTIVE_SPEED_EX);
        return wide != 0 ? Integer.toUnsignedLong(wide) : ibv_port_attr.active_speed(attributes) & OCTET;
    }
}

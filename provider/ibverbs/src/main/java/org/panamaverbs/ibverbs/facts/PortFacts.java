package org.panamaverbs.ibverbs.facts;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.panamaverbs.bindings.ibverbs.ibv_port_attr;

/**
 * What the library says of a port.
 *
 * @param number from 1
 * @param attributes {@code struct ibv_port_attr}, {@link #ATTRIBUTE_BYTES} octets
 * @param gids the entries of the GID table that are not empty
 * @param addresses the IP addresses of its network interface, where they are known
 */
public record PortFacts(int number, MemorySegment attributes, List<GidEntry> gids, List<String> addresses) {
    /** Room for the struct and what newer libraries have at its end. */
    static final long ATTRIBUTE_BYTES = 64;

    // infiniband/verbs.h: enum ibv_port_state, enum ibv_mtu
    private static final int ACTIVE = 4;
    private static final int MTU_256 = 1;
    private static final int MTU_4096 = 5;
    private static final int SMALLEST_MTU_BYTES = 256;
    // Newer than the bound headers: uint32_t active_speed_ex, behind port_cap_flags2; 0 from older libraries.
    private static final long ACTIVE_SPEED_EX = 52;
    // infiniband/verbs.h: IBV_LINK_LAYER_ETHERNET
    private static final int ETHERNET = 2;

    public boolean isActive() {
        return ibv_port_attr.state(attributes) == ACTIVE;
    }

    public boolean isEthernet() {
        return ibv_port_attr.link_layer(attributes) == ETHERNET;
    }

    /** Returns the octets of the active path MTU, 0 if the port has none. */
    public int mtuBytes() {
        int mtu = ibv_port_attr.active_mtu(attributes);
        return mtu < MTU_256 || mtu > MTU_4096 ? 0 : SMALLEST_MTU_BYTES << (mtu - MTU_256);
    }

    public long maxMessageBytes() {
        return Integer.toUnsignedLong(ibv_port_attr.max_msg_sz(attributes));
    }

    /** Returns the active speed's code, from the wider field where the library has it. */
    public long activeSpeed() {
        int wide = attributes.get(ValueLayout.JAVA_INT, ACTIVE_SPEED_EX);
        return wide != 0 ? Integer.toUnsignedLong(wide) : ibv_port_attr.active_speed(attributes) & 0xff;
    }
}

package org.panamaverbs.ibverbs.entries;

import java.lang.foreign.MemorySegment;
import java.util.Locale;
import org.panamaverbs.api.DeviceAttributes;
import org.panamaverbs.bindings.ibverbs.ibv_port_attr;
import org.panamaverbs.ibverbs.facts.GidEntry;
import org.panamaverbs.ibverbs.facts.PortFacts;

/** The attributes of a port as {@code ibv_devinfo -v} shows them. */
final class PortEntries {
    private static final int OCTET = 0xff;
    private static final int SHORT = 0xffff;

    private PortEntries() {}

    /**
     * Returns the attributes.
     *
     * @param infiniband whether the device's transport type is InfiniBand, RoCE included
     */
    static DeviceAttributes.Port of(PortFacts port, boolean infiniband) {
        Entries entries = new Entries();
        MemorySegment attributes = port.attributes();
        int state = ibv_port_attr.state(attributes);
        int maxMtu = ibv_port_attr.max_mtu(attributes);
        int activeMtu = ibv_port_attr.active_mtu(attributes);
        entries.coded("state", Codes.portState(state), state);
        entries.coded("max_mtu", Codes.mtu(maxMtu), maxMtu);
        entries.coded("active_mtu", Codes.mtu(activeMtu), activeMtu);
        entries.number("sm_lid", ibv_port_attr.sm_lid(attributes) & SHORT);
        entries.number("port_lid", ibv_port_attr.lid(attributes) & SHORT);
        entries.formatted("port_lmc", "0x%02x", ibv_port_attr.lmc(attributes) & OCTET);
        entries.text("link_layer", Codes.linkLayer(ibv_port_attr.link_layer(attributes) & OCTET));
        entries.formatted("max_msg_sz", "0x%x", port.maxMessageBytes());
        entries.formatted("port_cap_flags", "0x%08x", Integer.toUnsignedLong(ibv_port_attr.port_cap_flags(attributes)));
        entries.formatted("port_cap_flags2", "0x%04x", ibv_port_attr.port_cap_flags2(attributes) & SHORT);
        int lanes = ibv_port_attr.max_vl_num(attributes) & OCTET;
        entries.coded("max_vl_num", Codes.virtualLanes(lanes), lanes);
        entries.formatted("bad_pkey_cntr", "0x%x", Integer.toUnsignedLong(ibv_port_attr.bad_pkey_cntr(attributes)));
        entries.formatted("qkey_viol_cntr", "0x%x", Integer.toUnsignedLong(ibv_port_attr.qkey_viol_cntr(attributes)));
        entries.number("sm_sl", ibv_port_attr.sm_sl(attributes) & OCTET);
        entries.number("pkey_tbl_len", ibv_port_attr.pkey_tbl_len(attributes) & SHORT);
        entries.number("gid_tbl_len", ibv_port_attr.gid_tbl_len(attributes));
        entries.number("subnet_timeout", ibv_port_attr.subnet_timeout(attributes) & OCTET);
        entries.number("init_type_reply", ibv_port_attr.init_type_reply(attributes) & OCTET);
        int width = ibv_port_attr.active_width(attributes) & OCTET;
        entries.coded("active_width", Codes.width(width) + "X", width);
        entries.coded("active_speed", Codes.speed(port.activeSpeed()), port.activeSpeed());
        if (infiniband) {
            int physical = ibv_port_attr.phys_state(attributes) & OCTET;
            entries.coded("phys_state", Codes.physicalState(physical), physical);
        }
        port.gids().stream().filter(gid -> gid.interfaceId() != 0).forEach(gid -> gid(entries, port, gid));
        return new DeviceAttributes.Port(port.number(), entries.list());
    }

    private static void gid(Entries entries, PortFacts port, GidEntry gid) {
        boolean second = gid.type() == GidEntry.ROCE_V2;
        String type = port.isEthernet() ? second ? ", RoCE v2" : ", RoCE v1" : "";
        entries.text(
                String.format(Locale.ROOT, "GID[%3d]", gid.index()),
                (second ? gid.asAddress() : gid.asGroups()) + type);
    }
}

package org.panamaverbs.ibverbs.entries;

import java.lang.foreign.MemorySegment;
import java.util.Locale;
import org.panamaverbs.api.device.DeviceAttributes;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.api.device.GidEntry;
import org.panamaverbs.api.device.PortAttributes;
import org.panamaverbs.bindings.ibverbs.ibv_port_attr;
import org.panamaverbs.ibverbs.facts.Guid;
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
        PortAttributes typed = port.typed();
        int state = ibv_port_attr.state(attributes);
        int maxMtu = ibv_port_attr.max_mtu(attributes);
        int activeMtu = ibv_port_attr.active_mtu(attributes);
        entries.coded("state", Codes.portState(typed.state()), state);
        entries.coded("max_mtu", Codes.mtu(typed.maxMtuBytes()), maxMtu);
        entries.coded("active_mtu", Codes.mtu(typed.activeMtuBytes()), activeMtu);
        entries.number("sm_lid", typed.smLid());
        entries.number("port_lid", typed.lid());
        entries.formatted("port_lmc", "0x%02x", typed.lmc());
        entries.text("link_layer", Codes.linkLayer(typed.linkLayer()));
        entries.formatted("max_msg_sz", "0x%x", port.maxMessageBytes());
        entries.formatted("port_cap_flags", "0x%08x", Integer.toUnsignedLong(ibv_port_attr.port_cap_flags(attributes)));
        entries.formatted("port_cap_flags2", "0x%04x", ibv_port_attr.port_cap_flags2(attributes) & SHORT);
        int lanes = ibv_port_attr.max_vl_num(attributes) & OCTET;
        entries.coded("max_vl_num", Codes.virtualLanes(lanes), lanes);
        entries.formatted("bad_pkey_cntr", "0x%x", Integer.toUnsignedLong(ibv_port_attr.bad_pkey_cntr(attributes)));
        entries.formatted("qkey_viol_cntr", "0x%x", Integer.toUnsignedLong(ibv_port_attr.qkey_viol_cntr(attributes)));
        entries.number("sm_sl", ibv_port_attr.sm_sl(attributes) & OCTET);
        entries.number("pkey_tbl_len", typed.pkeyTableLength());
        entries.number("gid_tbl_len", typed.gidTableLength());
        entries.number("subnet_timeout", ibv_port_attr.subnet_timeout(attributes) & OCTET);
        entries.number("init_type_reply", ibv_port_attr.init_type_reply(attributes) & OCTET);
        int width = ibv_port_attr.active_width(attributes) & OCTET;
        entries.coded("active_width", Codes.width(typed.activeWidth()) + "X", width);
        entries.coded("active_speed", Codes.speed(typed.activeSpeed()), port.speedCode());
        if (infiniband) {
            int physical = ibv_port_attr.phys_state(attributes) & OCTET;
            entries.coded("phys_state", Codes.physicalState(physical), physical);
        }
        port.gids().stream()
                .filter(entry -> entry.gid().interfaceId() != 0)
                .forEach(entry -> gid(entries, port, entry));
        return new DeviceAttributes.Port(port.number(), entries.list());
    }

    private static void gid(Entries entries, PortFacts port, GidEntry entry) {
        boolean second = entry.type() == GidEntry.Type.ROCE_V2;
        String type = port.isEthernet() ? second ? ", RoCE v2" : ", RoCE v1" : "";
        Gid gid = entry.gid();
        String groups = Guid.text(gid.subnetPrefix()) + ":" + Guid.text(gid.interfaceId());
        entries.text(String.format(Locale.ROOT, "GID[%3d]", entry.index()), (second ? gid.toString() : groups) + type);
    }
}

package org.panamaverbs.ibverbs.facts;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.List;
import org.panamaverbs.api.device.DeviceInfo.Location;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.api.device.GidEntry;
import org.panamaverbs.bindings.ibverbs.ibv_device_attr;
import org.panamaverbs.bindings.ibverbs.ibv_device_attr_ex;
import org.panamaverbs.bindings.ibverbs.ibv_port_attr;

/** What siw and rxe of Linux 6.1 answer through rdma-core 44. */
public final class Facts {
    static final long GUID = 0x5054_00ff_fe12_3456L;

    private Facts() {}

    public static DeviceFacts siw() {
        MemorySegment attributes = ibv_device_attr_ex.allocate(Arena.ofAuto());
        MemorySegment basic = ibv_device_attr_ex.orig_attr(attributes);
        common(basic, 0x626d74, 102_400, 32_768, 6, 1, 3_276_800);
        ibv_device_attr.device_cap_flags(basic, 0x0020_0000);
        ibv_device_attr.max_srq(basic, 102_400);
        ibv_device_attr.max_srq_wr(basic, 327_680);
        ibv_device_attr_ex.device_cap_flags_ex(attributes, 0x20_0000);
        MemorySegment port = port(3, 0xffff_ffff);
        List<GidEntry> gids = List.of(gid(0, 0x5254_0012_3456_0000L, 0, GidEntry.Type.IB));
        return new DeviceFacts(
                "siw0",
                1,
                "",
                "",
                attributes,
                2,
                List.of(new PortFacts(1, port, gids, List.of(InetAddress.ofLiteral("10.0.2.15")))),
                Location.NONE);
    }

    public static DeviceFacts rxe() {
        MemorySegment attributes = ibv_device_attr_ex.allocate(Arena.ofAuto());
        MemorySegment basic = ibv_device_attr_ex.orig_attr(attributes);
        common(basic, 0xffffff, 1_048_560, 1_048_576, 32, 32, 32_767);
        ibv_device_attr.device_cap_flags(basic, 0x0122_3c76);
        ibv_device_attr.atomic_cap(basic, 1);
        ibv_device_attr.max_mw(basic, 524_287);
        ibv_device_attr.max_mcast_grp(basic, 8192);
        ibv_device_attr.max_srq(basic, 917_503);
        ibv_device_attr.max_srq_wr(basic, 1_048_576);
        ibv_device_attr.max_srq_sge(basic, 27);
        ibv_device_attr_ex.device_cap_flags_ex(attributes, 0x122_3c76);
        MemorySegment port = port(5, 0x80_0000);
        ibv_port_attr.active_mtu(port, 3);
        ibv_port_attr.phys_state(port, (byte) 5);
        List<GidEntry> gids = List.of(
                gid(0, 0xfe80_0000_0000_0000L, 0xaca5_1fff_fe5b_12b0L, GidEntry.Type.ROCE_V2),
                gid(1, 0, 0x0000_ffff_0a00_0301L, GidEntry.Type.ROCE_V2),
                gid(2, 0, 0x0000_ffff_0a00_0301L, GidEntry.Type.ROCE_V1));
        List<PortFacts> ports = List.of(new PortFacts(1, port, gids, List.of()));
        return new DeviceFacts("rxe0", 0, "", "", attributes, 2, ports, Location.NONE);
    }

    private static GidEntry gid(int index, long prefix, long interfaceId, GidEntry.Type type) {
        return new GidEntry(index, new Gid(prefix, interfaceId), type, "");
    }

    private static void common(MemorySegment basic, int vendor, int qp, int qpWr, int sge, int sgeRead, int cqe) {
        ibv_device_attr.fw_ver(basic).setString(0, "0.0.0");
        ibv_device_attr.node_guid(basic, Long.reverseBytes(GUID));
        ibv_device_attr.sys_image_guid(basic, Long.reverseBytes(GUID));
        ibv_device_attr.vendor_id(basic, vendor);
        ibv_device_attr.max_mr_size(basic, -1L);
        ibv_device_attr.max_qp(basic, qp);
        ibv_device_attr.max_qp_wr(basic, qpWr);
        ibv_device_attr.max_sge(basic, sge);
        ibv_device_attr.max_sge_rd(basic, sgeRead);
        ibv_device_attr.max_cq(basic, qp);
        ibv_device_attr.max_cqe(basic, cqe);
        ibv_device_attr.max_mr(basic, 524_287);
        ibv_device_attr.max_pd(basic, qp);
        ibv_device_attr.max_qp_rd_atom(basic, 128);
        ibv_device_attr.max_qp_init_rd_atom(basic, 128);
        ibv_device_attr.phys_port_cnt(basic, (byte) 1);
    }

    private static MemorySegment port(int mtu, int maxMessage) {
        MemorySegment port = Arena.ofAuto().allocate(PortFacts.ATTRIBUTE_BYTES, Long.BYTES);
        ibv_port_attr.state(port, 4);
        ibv_port_attr.max_mtu(port, mtu);
        ibv_port_attr.active_mtu(port, mtu);
        ibv_port_attr.max_msg_sz(port, maxMessage);
        ibv_port_attr.link_layer(port, (byte) 2);
        ibv_port_attr.active_width(port, (byte) 1);
        ibv_port_attr.active_speed(port, (byte) 1);
        return port;
    }
}

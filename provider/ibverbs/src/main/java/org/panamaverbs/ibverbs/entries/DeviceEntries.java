package org.panamaverbs.ibverbs.entries;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.device.DeviceAttributes;
import org.panamaverbs.bindings.ibverbs.ibv_device_attr;
import org.panamaverbs.ibverbs.facts.DeviceFacts;
import org.panamaverbs.ibverbs.facts.Guid;

/**
 * The attributes of a device as {@code ibv_devinfo -v} shows them: the basic ones; {@link ExtendedEntries} the rest.
 */
public final class DeviceEntries {
    private static final int OCTET = 0xff;
    private static final int SHORT = 0xffff;

    private final DeviceFacts facts;
    private final MemorySegment basic;
    private final Entries entries = new Entries();

    private DeviceEntries(DeviceFacts facts) {
        this.facts = facts;
        this.basic = facts.basic();
    }

    /** Returns the attributes of the device and its ports. */
    public static DeviceAttributes of(DeviceFacts facts) {
        DeviceEntries device = new DeviceEntries(facts);
        device.identity();
        device.queues();
        device.depths();
        device.rest();
        ExtendedEntries.add(facts, device.entries);
        boolean infiniband = facts.transportType() == 0;
        return new DeviceAttributes(
                device.entries.list(),
                facts.ports().stream()
                        .map(port -> PortEntries.of(port, infiniband))
                        .toList());
    }

    private void identity() {
        entries.text("hca_id", facts.name());
        entries.coded("transport", Codes.transport(facts.transportType()), facts.transportType());
        if (!facts.firmware().isEmpty()) {
            entries.text("fw_ver", facts.firmware());
        }
        entries.text("node_guid", Guid.text(facts.nodeGuid()));
        entries.text("sys_image_guid", Guid.text(Long.reverseBytes(ibv_device_attr.sys_image_guid(basic))));
        entries.formatted("vendor_id", "0x%04x", Integer.toUnsignedLong(facts.vendorId()));
        entries.number("vendor_part_id", ibv_device_attr.vendor_part_id(basic));
        entries.formatted("hw_ver", "0x%X", Integer.toUnsignedLong(ibv_device_attr.hw_ver(basic)));
        if (!facts.boardId().isEmpty()) {
            entries.text("board_id", facts.boardId());
        }
        entries.number("phys_port_cnt", ibv_device_attr.phys_port_cnt(basic) & OCTET);
    }

    private void queues() {
        entries.formatted("max_mr_size", "0x%x", ibv_device_attr.max_mr_size(basic));
        entries.formatted("page_size_cap", "0x%x", ibv_device_attr.page_size_cap(basic));
        entries.number("max_qp", ibv_device_attr.max_qp(basic));
        entries.number("max_qp_wr", ibv_device_attr.max_qp_wr(basic));
        long flags = Integer.toUnsignedLong(ibv_device_attr.device_cap_flags(basic));
        entries.flags("device_cap_flags", String.format("0x%08x", flags), Bits.DEVICE.of(flags));
        entries.number("max_sge", ibv_device_attr.max_sge(basic));
        entries.number("max_sge_rd", ibv_device_attr.max_sge_rd(basic));
        entries.number("max_cq", ibv_device_attr.max_cq(basic));
        entries.number("max_cqe", ibv_device_attr.max_cqe(basic));
        entries.number("max_mr", ibv_device_attr.max_mr(basic));
        entries.number("max_pd", ibv_device_attr.max_pd(basic));
    }

    private void depths() {
        entries.number("max_qp_rd_atom", ibv_device_attr.max_qp_rd_atom(basic));
        entries.number("max_ee_rd_atom", ibv_device_attr.max_ee_rd_atom(basic));
        entries.number("max_res_rd_atom", ibv_device_attr.max_res_rd_atom(basic));
        entries.number("max_qp_init_rd_atom", ibv_device_attr.max_qp_init_rd_atom(basic));
        entries.number("max_ee_init_rd_atom", ibv_device_attr.max_ee_init_rd_atom(basic));
        int atomics = ibv_device_attr.atomic_cap(basic);
        entries.coded("atomic_cap", Codes.atomics(atomics), atomics);
    }

    private void rest() {
        entries.number("max_ee", ibv_device_attr.max_ee(basic));
        entries.number("max_rdd", ibv_device_attr.max_rdd(basic));
        entries.number("max_mw", ibv_device_attr.max_mw(basic));
        entries.number("max_raw_ipv6_qp", ibv_device_attr.max_raw_ipv6_qp(basic));
        entries.number("max_raw_ethy_qp", ibv_device_attr.max_raw_ethy_qp(basic));
        entries.number("max_mcast_grp", ibv_device_attr.max_mcast_grp(basic));
        entries.number("max_mcast_qp_attach", ibv_device_attr.max_mcast_qp_attach(basic));
        entries.number("max_total_mcast_qp_attach", ibv_device_attr.max_total_mcast_qp_attach(basic));
        entries.number("max_ah", ibv_device_attr.max_ah(basic));
        entries.number("max_fmr", ibv_device_attr.max_fmr(basic));
        if (ibv_device_attr.max_fmr(basic) != 0) {
            entries.number("max_map_per_fmr", ibv_device_attr.max_map_per_fmr(basic));
        }
        entries.number("max_srq", ibv_device_attr.max_srq(basic));
        if (ibv_device_attr.max_srq(basic) != 0) {
            entries.number("max_srq_wr", ibv_device_attr.max_srq_wr(basic));
            entries.number("max_srq_sge", ibv_device_attr.max_srq_sge(basic));
        }
        entries.number("max_pkeys", ibv_device_attr.max_pkeys(basic) & SHORT);
        entries.number("local_ca_ack_delay", ibv_device_attr.local_ca_ack_delay(basic) & OCTET);
    }
}

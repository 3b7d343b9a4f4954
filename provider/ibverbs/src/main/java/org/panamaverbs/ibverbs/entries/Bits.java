package org.panamaverbs.ibverbs.entries;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** Names of the bits of a field, as {@code ibv_devinfo(1)} gives them. */
final class Bits {
    /** {@code ibv_device_attr.device_cap_flags}: {@code enum ibv_device_cap_flags}. */
    static final Bits DEVICE = new Bits()
            .name(0, "RESIZE_MAX_WR", "BAD_PKEY_CNTR", "BAD_QKEY_CNTR", "RAW_MULTI", "AUTO_PATH_MIG", "CHANGE_PHY_PORT")
            .name(6, "UD_AV_PORT_ENFORCE", "CURR_QP_STATE_MOD", "SHUTDOWN_PORT", "INIT_TYPE", "PORT_ACTIVE_EVENT")
            .name(11, "SYS_IMAGE_GUID", "RC_RNR_NAK_GEN", "SRQ_RESIZE", "N_NOTIFY_CQ")
            .name(17, "MEM_WINDOW", "UD_IP_CSUM")
            .name(20, "XRC", "MEM_MGT_EXTENSIONS")
            .name(23, "MEM_WINDOW_TYPE_2A", "MEM_WINDOW_TYPE_2B", "RC_IP_CSUM", "RAW_IP_CSUM")
            .name(29, "MANAGED_FLOW_STEERING");

    /** The upper half of {@code ibv_device_attr_ex.device_cap_flags_ex}. */
    static final Bits DEVICE_EX = new Bits().name(34, "RAW_SCATTER_FCS").name(36, "PCI_WRITE_END_PADDING");

    /** {@code ibv_odp_caps.general_caps}: {@code enum ibv_odp_general_caps}. */
    static final Bits PAGING = new Bits().name(0, "ODP_SUPPORT", "ODP_SUPPORT_IMPLICIT");

    /** {@code ibv_odp_caps.per_transport_caps}: {@code enum ibv_odp_transport_cap_bits}. */
    static final Bits PAGING_OF_SERVICE = new Bits()
            .name(0, "SUPPORT_SEND", "SUPPORT_RECV", "SUPPORT_WRITE", "SUPPORT_READ", "SUPPORT_ATOMIC", "SUPPORT_SRQ")
            .name(6, "SUPPORT_FLUSH", "SUPPORT_ATOMIC_WRITE");

    /** Queue pair types by {@code enum ibv_qp_type}, those that offloads are told for. */
    static final Bits SERVICES = new Bits().name(4, "SUPPORT_UD").name(8, "SUPPORT_RAW_PACKET");

    /** The {@link #SERVICES}, with those that are paced too. */
    static final Bits PACED_SERVICES =
            new Bits().name(2, "SUPPORT_RC").name(4, "SUPPORT_UD").name(8, "SUPPORT_RAW_PACKET");

    /** {@code ibv_device_attr_ex.raw_packet_caps}: {@code enum ibv_raw_packet_caps}. */
    static final Bits RAW_PACKET =
            new Bits().name(0, "C-VLAN stripping offload", "Scatter FCS offload", "IP csum offload", "Delay drop");

    /** {@code ibv_tm_caps.flags}: {@code enum ibv_tm_cap_flags}. */
    static final Bits TAG_MATCHING = new Bits().name(0, "IBV_TM_CAP_RC");

    private final SortedMap<Integer, String> names = new TreeMap<>();

    private Bits() {}

    private Bits name(int first, String... consecutive) {
        for (int i = 0; i < consecutive.length; i++) {
            names.put(first + i, consecutive[i]);
        }
        return this;
    }

    /** Returns the names of the bits that are set in {@code value}, then the rest as a number. */
    List<String> of(long value) {
        List<String> set = new ArrayList<>();
        long unknown = value;
        for (var bit : names.entrySet()) {
            if ((value >>> bit.getKey() & 1) != 0) {
                set.add(bit.getValue());
                unknown &= ~(1L << bit.getKey());
            }
        }
        if (unknown != 0) {
            set.add(String.format(Locale.ROOT, "Unknown flags: 0x%X", unknown));
        }
        return set;
    }
}

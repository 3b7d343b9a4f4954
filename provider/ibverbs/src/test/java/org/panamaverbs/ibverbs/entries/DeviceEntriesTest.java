package org.panamaverbs.ibverbs.entries;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.device.DeviceAttributes;
import org.panamaverbs.api.device.DeviceAttributes.Entry;
import org.panamaverbs.api.device.PortAttributes.Speed;
import org.panamaverbs.bindings.ibverbs.ibv_cq_moderation_caps;
import org.panamaverbs.bindings.ibverbs.ibv_device_attr_ex;
import org.panamaverbs.bindings.ibverbs.ibv_odp_caps;
import org.panamaverbs.bindings.ibverbs.ibv_packet_pacing_caps;
import org.panamaverbs.bindings.ibverbs.ibv_tm_caps;
import org.panamaverbs.bindings.ibverbs.ibv_tso_caps;
import org.panamaverbs.ibverbs.facts.DeviceFacts;
import org.panamaverbs.ibverbs.facts.Facts;
import org.panamaverbs.ibverbs.facts.PortFacts;

/** The lines of {@code ibv_devinfo -v} for the lab's devices; the lab compares them all with the tool itself. */
class DeviceEntriesTest {
    @Test
    void spellsValuesAsTheToolDoes() {
        List<Entry> entries = DeviceEntries.of(Facts.siw()).device();
        assertThat(entries)
                .contains(
                        entry("hca_id", "siw0"),
                        entry("transport", "iWARP (1)"),
                        entry("node_guid", "5054:00ff:fe12:3456"),
                        entry("vendor_id", "0x626d74"),
                        entry("hw_ver", "0x0"),
                        entry("max_mr_size", "0xffffffffffffffff"),
                        new Entry("", "device_cap_flags", "0x00200000", List.of("MEM_MGT_EXTENSIONS")),
                        entry("atomic_cap", "ATOMIC_NONE (0)"),
                        new Entry("", "general_odp_caps", "", List.of()),
                        new Entry("", "xrc_odp_caps", "", List.of("NO SUPPORT")),
                        entry("completion_timestamp_mask", "not supported"),
                        entry("core clock", "not supported"),
                        entry("device_cap_flags_ex", "0x200000"),
                        new Entry("tso_caps", "max_tso", "0", List.of()),
                        new Entry("packet_pacing_caps", "qp_rate_limit_max", "0kbps", List.of()),
                        entry("tag matching", "not supported"),
                        entry("num_comp_vectors", "2"));
    }

    @Test
    void namesTheBitsOfFlagsAndCountsTheUnknown() {
        assertThat(Bits.DEVICE.of(0x0122_3c76))
                .containsExactly(
                        "BAD_PKEY_CNTR",
                        "BAD_QKEY_CNTR",
                        "AUTO_PATH_MIG",
                        "CHANGE_PHY_PORT",
                        "UD_AV_PORT_ENFORCE",
                        "PORT_ACTIVE_EVENT",
                        "SYS_IMAGE_GUID",
                        "RC_RNR_NAK_GEN",
                        "SRQ_RESIZE",
                        "MEM_WINDOW",
                        "MEM_MGT_EXTENSIONS",
                        "MEM_WINDOW_TYPE_2B");
        assertThat(Bits.PAGING_OF_SERVICE.of(0x121))
                .containsExactly("SUPPORT_SEND", "SUPPORT_SRQ", "Unknown flags: 0x100");
        assertThat(Bits.DEVICE_EX.of(0x14_0000_0000L)).containsExactly("RAW_SCATTER_FCS", "PCI_WRITE_END_PADDING");
    }

    @Test
    void showsPortsWithTheirGidsAndTypes() {
        DeviceAttributes.Port port = DeviceEntries.of(Facts.rxe()).ports().getFirst();
        assertThat(port.number()).isEqualTo(1);
        assertThat(port.entries())
                .contains(
                        entry("state", "PORT_ACTIVE (4)"),
                        entry("max_mtu", "4096 (5)"),
                        entry("active_mtu", "1024 (3)"),
                        entry("port_lmc", "0x00"),
                        entry("max_msg_sz", "0x800000"),
                        entry("max_vl_num", "invalid value (0)"),
                        entry("active_width", "1X (1)"),
                        entry("active_speed", "2.5 Gbps (1)"))
                .endsWith(
                        entry("phys_state", "LINK_UP (5)"),
                        entry("GID[  0]", "fe80::aca5:1fff:fe5b:12b0, RoCE v2"),
                        entry("GID[  1]", "::ffff:10.0.3.1, RoCE v2"),
                        entry("GID[  2]", "0000:0000:0000:0000:0000:ffff:0a00:0301, RoCE v1"));
    }

    @Test
    void leavesOutTheGidsAndThePhysicalStateThatTheToolLeavesOut() {
        assertThat(DeviceEntries.of(Facts.siw()).ports().getFirst().entries())
                .extracting(Entry::name)
                .doesNotContain("phys_state")
                .noneMatch(name -> name.startsWith("GID"));
    }

    @Test
    void showsWhatOnlyHardwareHas() {
        DeviceFacts facts = Facts.rxe();
        MemorySegment all = facts.attributes();
        ibv_odp_caps.general_caps(ibv_device_attr_ex.odp_caps(all), 3);
        ibv_device_attr_ex.completion_timestamp_mask(all, -1L);
        ibv_device_attr_ex.hca_core_clock(all, 156_250);
        ibv_device_attr_ex.raw_packet_caps(all, 6);
        ibv_device_attr_ex.max_dm_size(all, 131_072);
        ibv_tso_caps.max_tso(ibv_device_attr_ex.tso_caps(all), 262_144);
        ibv_tso_caps.supported_qpts(ibv_device_attr_ex.tso_caps(all), 1 << 8);
        ibv_packet_pacing_caps.qp_rate_limit_max(ibv_device_attr_ex.packet_pacing_caps(all), -1);
        ibv_packet_pacing_caps.supported_qpts(ibv_device_attr_ex.packet_pacing_caps(all), 1 << 8);
        ibv_tm_caps.max_num_tags(ibv_device_attr_ex.tm_caps(all), 127);
        ibv_tm_caps.flags(ibv_device_attr_ex.tm_caps(all), 1);
        ibv_cq_moderation_caps.max_cq_count(ibv_device_attr_ex.cq_mod_caps(all), (short) -1);
        ibv_cq_moderation_caps.max_cq_period(ibv_device_attr_ex.cq_mod_caps(all), (short) 4095);
        assertThat(DeviceEntries.of(facts).device())
                .contains(
                        new Entry("", "general_odp_caps", "", List.of("ODP_SUPPORT", "ODP_SUPPORT_IMPLICIT")),
                        entry("completion timestamp_mask", "0xffffffffffffffff"),
                        entry("hca_core_clock", "156250kHZ"),
                        new Entry("", "raw packet caps", "", List.of("Scatter FCS offload", "IP csum offload")),
                        new Entry("tso_caps", "supported_qp", "", List.of("SUPPORT_RAW_PACKET")),
                        new Entry("packet_pacing_caps", "qp_rate_limit_max", "4294967295kbps", List.of()),
                        new Entry("tag matching", "flags", "", List.of("IBV_TM_CAP_RC")),
                        new Entry("cq moderation caps", "max_cq_count", "65535", List.of()),
                        new Entry("cq moderation caps", "max_cq_period", "4095 us", List.of()),
                        entry("maximum available device memory", "131072Bytes"));
    }

    @Test
    void readsTheWiderSpeedOfNewerLibraries() {
        PortFacts port = Facts.rxe().ports().getFirst();
        assertThat(port.typed().activeSpeed()).isEqualTo(Speed.SDR);
        // the end of struct ibv_port_attr in newer headers: uint32_t active_speed_ex
        port.attributes().set(ValueLayout.JAVA_INT, 52, 256);
        assertThat(port.typed().activeSpeed()).isEqualTo(Speed.XDR);
        assertThat(Codes.speed(Speed.XDR)).isEqualTo("200.0 Gbps");
    }

    private static Entry entry(String name, String value) {
        return new Entry("", name, value, List.of());
    }
}

package org.panamaverbs.ibverbs.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.bindings.ibverbs.ibv_cq_moderation_caps;
import org.panamaverbs.bindings.ibverbs.ibv_device_attr;
import org.panamaverbs.bindings.ibverbs.ibv_device_attr_ex;
import org.panamaverbs.bindings.ibverbs.ibv_odp_caps;
import org.panamaverbs.bindings.ibverbs.ibv_packet_pacing_caps;
import org.panamaverbs.bindings.ibverbs.ibv_port_attr;
import org.panamaverbs.ibverbs.facts.DeviceFacts;
import org.panamaverbs.ibverbs.facts.Facts;

class DeviceCapabilitiesTest {
    private static final Probe SIW = new Probe(Map.of(QueuePairType.RC, 80), true, false, false, Set.of());
    private static final Probe RXE = new Probe(
            inlineOfEach(512),
            false,
            true,
            false,
            Set.of(Feature.EXTENDED_CQ, Feature.MEMORY_WINDOW_TYPE_1, Feature.MEMORY_WINDOW_TYPE_2));

    private static Map<QueuePairType, Integer> inlineOfEach(int bytes) {
        Map<QueuePairType, Integer> inline = new EnumMap<>(QueuePairType.class);
        for (QueuePairType type : QueuePairType.values()) {
            inline.put(type, bytes);
        }
        return inline;
    }

    @Test
    void inlineDataAreOfEachTypeByItself() {
        Map<QueuePairType, Integer> each = inlineOfEach(512);
        each.put(QueuePairType.UD, 464);
        Capabilities can = of(Facts.rxe(), new Probe(each, false, true, false, Set.of()));
        assertThat(can.maxInlineBytes()).isEqualTo(512);
        assertThat(can.maxInlineBytes(QueuePairType.RC)).isEqualTo(512);
        assertThat(can.maxInlineBytes(QueuePairType.UD)).isEqualTo(464);
        Map<QueuePairType, Integer> without = Map.of(QueuePairType.UD, 32, QueuePairType.RAW_PACKET, 48);
        can = of(Facts.rxe(), new Probe(without, false, true, false, Set.of()));
        assertThat(can.maxInlineBytes()).isEqualTo(48);
        assertThat(can.maxInlineBytes(QueuePairType.UD)).isEqualTo(32);
    }

    @Test
    void sharedReceiveQueuesHaveALimitOfPiecesOfTheirOwn() {
        Capabilities can = of(Facts.rxe(), new Probe(inlineOfEach(512), false, true, false, Set.of()));
        assertThat(can.maxSrqSge()).isEqualTo(27).isNotEqualTo(can.maxSge());
    }

    @Test
    void siwHasNeitherAtomicsNorWindowsNorImmediateData() {
        Capabilities can = of(Facts.siw(), SIW);
        assertThat(can.features())
                .contains(
                        Feature.SEND_WITH_INVALIDATE,
                        Feature.SHARED_RECEIVE_QUEUE,
                        Feature.READ_SINK_LOCAL_WRITE,
                        Feature.NO_RECEIVER_RETRY)
                .doesNotContain(
                        Feature.ATOMICS,
                        Feature.MASKED_ATOMICS,
                        Feature.LOCAL_INVALIDATE,
                        Feature.MEMORY_WINDOW_TYPE_1,
                        Feature.MEMORY_WINDOW_TYPE_2,
                        Feature.SEND_WITH_IMMEDIATE,
                        Feature.WRITE_WITH_IMMEDIATE,
                        Feature.STANDALONE_IMMEDIATE,
                        Feature.SRQ_RESIZE,
                        Feature.CQ_RESIZE,
                        Feature.CQ_MODERATION,
                        Feature.ZERO_BASED,
                        Feature.OUT_OF_BAND,
                        Feature.IPV6_ONLY,
                        Feature.PATH_MIGRATION,
                        Feature.MULTICAST);
        assertThat(can.completionVectors()).isEqualTo(2);
        assertThat(can.maxSgeRead()).isEqualTo(1);
        assertThat(can.maxInlineBytes()).isEqualTo(80);
        assertThat(can.immediateBytes()).isZero();
        assertThat(can.maxPrivateData()).isEqualTo(251);
        assertThat(can.maxAcceptPrivateData()).isEqualTo(251);
        assertThat(can.maxRejectPrivateData()).isEqualTo(251);
        assertThat(can.maxMw()).isZero();
        assertThat(can.maxMrBytes()).isEqualTo(Long.MAX_VALUE);
        assertThat(can.maxMessageBytes()).isEqualTo(0xffff_ffffL);
    }

    @Test
    void rxeHasPlainAtomicsAndWindowsAndMulticast() {
        Capabilities can = of(Facts.rxe(), RXE);
        assertThat(can.features())
                .contains(
                        Feature.ATOMICS,
                        Feature.MEMORY_WINDOW_TYPE_1,
                        Feature.MEMORY_WINDOW_TYPE_2,
                        Feature.LOCAL_INVALIDATE,
                        Feature.SEND_WITH_IMMEDIATE,
                        Feature.WRITE_WITH_IMMEDIATE,
                        Feature.STANDALONE_IMMEDIATE,
                        Feature.CQ_RESIZE,
                        Feature.SRQ_RESIZE,
                        Feature.MULTICAST,
                        Feature.OUT_OF_BAND,
                        Feature.IPV6_ONLY,
                        Feature.ZERO_BASED)
                .doesNotContain(
                        Feature.PATH_MIGRATION,
                        Feature.MASKED_ATOMICS,
                        Feature.GLOBAL_ATOMICS,
                        Feature.ON_DEMAND_PAGING,
                        Feature.CQ_MODERATION,
                        Feature.NO_RECEIVER_RETRY);
        assertThat(can.immediateBytes()).isEqualTo(4);
        assertThat(can.maxPrivateData()).isEqualTo(56);
        assertThat(can.maxAcceptPrivateData()).isEqualTo(196);
        assertThat(can.maxRejectPrivateData()).isEqualTo(148);
        assertThat(can.maxMw()).isEqualTo(524_287);
        assertThat(can.queuePairTypes()).containsExactlyInAnyOrder(QueuePairType.values());
    }

    @Test
    void modernHardwareHasPagingGlobalAtomicsAndModeration() {
        DeviceFacts facts = Facts.rxe();
        ibv_odp_caps.general_caps(ibv_device_attr_ex.odp_caps(facts.attributes()), 1);
        assertThat(of(facts, RXE).features()).doesNotContain(Feature.IMPLICIT_ON_DEMAND_PAGING, Feature.DEVICE_MEMORY);
        ibv_odp_caps.general_caps(ibv_device_attr_ex.odp_caps(facts.attributes()), 3);
        ibv_device_attr_ex.max_dm_size(facts.attributes(), 4096);
        assertThat(of(facts, RXE).features()).contains(Feature.IMPLICIT_ON_DEMAND_PAGING, Feature.DEVICE_MEMORY);
        ibv_device_attr.atomic_cap(facts.basic(), 2);
        ibv_cq_moderation_caps.max_cq_count(ibv_device_attr_ex.cq_mod_caps(facts.attributes()), (short) -1);
        ibv_cq_moderation_caps.max_cq_period(ibv_device_attr_ex.cq_mod_caps(facts.attributes()), (short) 4095);
        assertThat(of(facts, RXE).features())
                .contains(Feature.ON_DEMAND_PAGING, Feature.ATOMICS, Feature.GLOBAL_ATOMICS, Feature.CQ_MODERATION);
        assertThat(DeviceCapabilities.of(facts, Driver.of(facts), RXE, false).features())
                .as("a library without ibv_modify_cq")
                .doesNotContain(Feature.CQ_MODERATION);
    }

    @Test
    void adaptersOfEthernetSteerFlowsAndPacePackets() {
        DeviceFacts facts = Facts.rxe();
        Feature[] ethernet = {Feature.FLOW_STEERING, Feature.CHECKSUM_OFFLOAD, Feature.PACKET_PACING};
        assertThat(of(facts, RXE).features()).doesNotContain(ethernet);
        int flags = ibv_device_attr.device_cap_flags(facts.basic());
        ibv_device_attr.device_cap_flags(facts.basic(), flags | (1 << 26) | (1 << 29)); // RAW_IP_CSUM, FLOW_STEERING
        ibv_packet_pacing_caps.qp_rate_limit_max(ibv_device_attr_ex.packet_pacing_caps(facts.attributes()), 1000);
        assertThat(of(facts, RXE).features()).contains(ethernet);
        assertThat(of(facts, SIW).features())
                .as("a process that may not make raw queue pairs")
                .contains(Feature.FLOW_STEERING)
                .doesNotContain(Feature.CHECKSUM_OFFLOAD);
    }

    @Test
    void extendedReliableConnectionsAreToldByTheDevice() {
        Probe reliable = new Probe(Map.of(QueuePairType.RC, 0), false, false, false, Set.of());
        DeviceFacts facts = Facts.rxe();
        assertThat(of(facts, reliable).features()).doesNotContain(Feature.XRC);
        assertThat(of(facts, reliable).queuePairTypes()).containsExactly(QueuePairType.RC);
        int flags = ibv_device_attr.device_cap_flags(facts.basic());
        ibv_device_attr.device_cap_flags(facts.basic(), flags | (1 << 20)); // IBV_DEVICE_XRC
        assertThat(of(facts, reliable).features()).contains(Feature.XRC);
        assertThat(of(facts, reliable).queuePairTypes())
                .containsExactlyInAnyOrder(QueuePairType.RC, QueuePairType.XRC_SEND, QueuePairType.XRC_RECV);
    }

    @Test
    void timestampsNeedAClockAndADriverThatReadsIt() {
        Probe willing = new Probe(
                Map.of(QueuePairType.RC, 0),
                false,
                false,
                false,
                Set.of(Feature.EXTENDED_CQ, Feature.COMPLETION_TIMESTAMP, Feature.COMPLETION_WALLCLOCK));
        DeviceFacts facts = Facts.rxe();
        assertThat(of(facts, willing).features())
                .contains(Feature.EXTENDED_CQ, Feature.COMPLETION_WALLCLOCK)
                .doesNotContain(Feature.COMPLETION_TIMESTAMP);
        ibv_device_attr_ex.completion_timestamp_mask(facts.attributes(), -1L);
        assertThat(of(facts, willing).features()).contains(Feature.COMPLETION_TIMESTAMP);
        assertThat(of(facts, RXE).features())
                .contains(Feature.EXTENDED_CQ)
                .doesNotContain(Feature.COMPLETION_TIMESTAMP, Feature.COMPLETION_WALLCLOCK);
    }

    @Test
    void aClockNeedsARateAndBitsThatCount() {
        Probe read = new Probe(Map.of(QueuePairType.RC, 0), false, false, false, Set.of(Feature.RAW_CLOCK));
        DeviceFacts facts = Facts.rxe();
        ibv_device_attr_ex.completion_timestamp_mask(facts.attributes(), -1L);
        assertThat(of(facts, read).features()).doesNotContain(Feature.RAW_CLOCK);
        ibv_device_attr_ex.hca_core_clock(facts.attributes(), 156_250);
        assertThat(of(facts, read).features()).contains(Feature.RAW_CLOCK);
        ibv_device_attr_ex.completion_timestamp_mask(facts.attributes(), 0);
        assertThat(of(facts, read).features()).doesNotContain(Feature.RAW_CLOCK);
    }

    @Test
    void atomicWritesAndFlushesNeedTheLibraryAndTheKernel() {
        long flags = 1L << 38 | 1L << 39 | 1L << 40; // rdma/ib_user_verbs.h: both flushes, atomic writes
        Set<Feature> operations = Set.of(Feature.ATOMIC_WRITE, Feature.FLUSH);
        Probe willing = new Probe(Map.of(QueuePairType.RC, 0), false, false, false, operations);
        DeviceFacts facts = Facts.rxe();
        assertThat(of(facts, willing).features())
                .doesNotContain(Feature.ATOMIC_WRITE, Feature.FLUSH, Feature.FLUSH_PERSISTENT);
        ibv_device_attr_ex.device_cap_flags_ex(facts.attributes(), flags);
        assertThat(of(facts, willing).features())
                .contains(Feature.ATOMIC_WRITE, Feature.FLUSH, Feature.FLUSH_PERSISTENT);
        assertThat(of(facts, RXE).features())
                .doesNotContain(Feature.ATOMIC_WRITE, Feature.FLUSH, Feature.FLUSH_PERSISTENT);
        ibv_device_attr_ex.device_cap_flags_ex(facts.attributes(), flags & ~(1L << 39));
        assertThat(of(facts, willing).features()).contains(Feature.FLUSH).doesNotContain(Feature.FLUSH_PERSISTENT);
    }

    @Test
    void depthsAreThoseThatTheConnectionManagerCanSay() {
        DeviceFacts facts = Facts.rxe();
        ibv_device_attr.max_qp_rd_atom(facts.basic(), 65_536);
        ibv_device_attr.max_qp_init_rd_atom(facts.basic(), 16);
        Capabilities can = of(facts, RXE);
        assertThat(can.maxResponderResources()).isEqualTo(254);
        assertThat(can.maxInitiatorDepth()).isEqualTo(16);
    }

    @Test
    void transportIsToldByTypeAndLinkLayer() {
        assertThat(Facts.siw().transport()).isEqualTo(Transport.IWARP);
        DeviceFacts facts = Facts.rxe();
        assertThat(facts.transport()).isEqualTo(Transport.ROCE);
        ibv_port_attr.link_layer(facts.ports().getFirst().attributes(), (byte) 1);
        assertThat(facts.transport()).isEqualTo(Transport.INFINIBAND);
    }

    @Test
    void deviceIsUsableWhenAPortIsActive() {
        DeviceFacts facts = Facts.rxe();
        assertThat(facts.isUsable()).isTrue();
        ibv_port_attr.state(facts.ports().getFirst().attributes(), 1);
        assertThat(facts.isUsable()).isFalse();
    }

    @Test
    void driversDifferInWhatCannotBeAsked() {
        Driver siw = Driver.of(Facts.siw());
        Driver rxe = Driver.of(Facts.rxe());
        assertThat(siw.critical()).isFalse();
        assertThat(siw.zeroBased()).isFalse();
        assertThat(siw.localInvalidate()).isFalse();
        assertThat(siw.readSinkLocalWrite()).isTrue();
        assertThat(rxe.critical()).isFalse();
        assertThat(rxe.zeroBased()).isTrue();
        Driver mlx5 = Driver.of(0x02c9, "mlx5_core", "rocep1s0", Transport.ROCE);
        assertThat(mlx5.critical()).isTrue();
        assertThat(mlx5.readSinkLocalWrite()).isTrue();
        assertThat(Driver.of(0x02c9, "", "mlx5_0", Transport.INFINIBAND).critical())
                .isTrue();
        assertThat(Driver.of(0x1425, "cxgb4", "cxgb4_0", Transport.IWARP).readSinkLocalWrite())
                .isFalse();
        assertThat(Driver.of(0x1234, "newcomer", "new0", Transport.ROCE).critical())
                .isFalse();
    }

    /** As docs/guide/ibverbs.md says of the drivers of rdma-core. */
    @ParameterizedTest
    @CsvSource({
        "mlx4, true",
        "mlx5, true",
        "erdma, false",
        "efa, true",
        "bnxt_re, false",
        "irdma, false",
        "hns, false",
        "cxgb4, false",
        "hfi1, false",
        "qib, false",
        "mana, false",
        "ionic, false",
        "mthca, false",
        "ocrdma, false",
        "qedr, false",
        "vmw_pvrdma, false"
    })
    void onlyDriversThatNeitherWaitNorCallTheKernelAreCritical(String driver, boolean critical) {
        assertThat(Driver.of(0x1234, "", driver + "_0", Transport.ROCE).critical())
                .isEqualTo(critical);
        assertThat(Driver.of(0x1234, driver, "rocep1s0", Transport.ROCE).critical())
                .isEqualTo(critical);
    }

    @Test
    void windowsAreWhatTheDeviceClaimsAndTheLibraryMakes() {
        Feature[] windows = {Feature.MEMORY_WINDOW_TYPE_1, Feature.MEMORY_WINDOW_TYPE_2};
        Probe none = new Probe(Map.of(QueuePairType.RC, 0), false, false, false, Set.of());
        assertThat(of(Facts.rxe(), none).features()).as("as bnxt_re").doesNotContain(windows);
        assertThat(of(Facts.rxe(), none).maxMw()).isZero();
        Probe willing = new Probe(Map.of(QueuePairType.RC, 0), false, false, false, Set.of(windows));
        assertThat(of(Facts.rxe(), willing).features()).contains(windows);
        assertThat(of(Facts.siw(), willing).features()).doesNotContain(windows);
    }

    @ParameterizedTest
    @CsvSource({
        "mlx5, true",
        "mlx4, true",
        "irdma, true",
        "bnxt_re, false",
        "hns, false",
        "erdma, false",
        "cxgb4, false"
    })
    void onlySomeDriversTakeLocalInvalidates(String driver, boolean invalidates) {
        assertThat(Driver.of(0x1234, driver, "rocep1s0", Transport.ROCE).localInvalidate())
                .isEqualTo(invalidates);
    }

    private static Capabilities of(DeviceFacts facts, Probe probe) {
        return DeviceCapabilities.of(facts, Driver.of(facts), probe, true);
    }
}

package org.panamaverbs.ibverbs.device;

import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_cq_moderation_caps;
import org.panamaverbs.bindings.ibverbs.ibv_device_attr;
import org.panamaverbs.bindings.ibverbs.ibv_device_attr_ex;
import org.panamaverbs.bindings.ibverbs.ibv_odp_caps;
import org.panamaverbs.bindings.ibverbs.ibv_packet_pacing_caps;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.facts.DeviceFacts;
import org.panamaverbs.ibverbs.facts.PortFacts;

/** What a device can do: from what it says of itself, what its driver is known for and what was tried. */
final class DeviceCapabilities {
    /**
     * Private data on InfiniBand and RoCE: a request's 92 bytes (InfiniBand Architecture volume 1, §12.6.5) less the 36
     * that rdma_cm uses.
     */
    private static final int PRIVATE_DATA_IB = 56;

    /** Likewise of a reply, of which rdma_cm uses nothing: IB_CM_REP_PRIVATE_DATA_SIZE of Linux's rdma/ib_cm.h. */
    private static final int REPLY_DATA_IB = 196;

    /** Likewise of a rejection: IB_CM_REJ_PRIVATE_DATA_SIZE. */
    private static final int REJECT_DATA_IB = 148;

    /**
     * Private data on iWARP, of requests, replies and rejections alike: {@code rdma_conn_param.private_data_len} has 8
     * bits, and siw_send_mpareqrep() of siw_cm.c adds the 4 bytes of MPA revision 2 to it in 8 bits.
     */
    private static final int PRIVATE_DATA_IWARP = 255 - 4;

    // rdma_conn_param.responder_resources and initiator_depth have 8 bits; 255 is RDMA_MAX_RESP_RES, "the most".
    private static final int MAX_DEPTH = 254;

    // infiniband/verbs.h: IBV_RAW_PACKET_CAP_..., IBV_DEVICE_... in device_cap_flags_ex
    private static final int RAW_PACKET_CAP_CVLAN_STRIPPING = 1;
    private static final int RAW_PACKET_CAP_SCATTER_FCS = 1 << 1;
    private static final long DEVICE_RAW_SCATTER_FCS = 1L << 34;
    private static final long DEVICE_PCI_WRITE_END_PADDING = 1L << 36;
    private static final int RAW_PACKET_CAP_IP_CSUM = 1 << 2;

    // rdma/ib_user_verbs.h: IB_UVERBS_DEVICE_..., in device_cap_flags_ex
    private static final long DEVICE_FLUSH_GLOBAL = 1L << 38;
    private static final long DEVICE_FLUSH_PERSISTENT = 1L << 39;
    private static final long DEVICE_ATOMIC_WRITE = 1L << 40;

    // InfiniBand's immediate data; the kernel's iWARP has none.
    private static final int IMMEDIATE_BYTES = 4;

    private final DeviceFacts facts;
    private final Driver driver;
    private final Probe probe;
    private final MemorySegment basic;
    private final boolean modifiesCq;

    private DeviceCapabilities(DeviceFacts facts, Driver driver, Probe probe, boolean modifiesCq) {
        this.facts = facts;
        this.driver = driver;
        this.probe = probe;
        this.basic = facts.basic();
        this.modifiesCq = modifiesCq;
    }

    /**
     * Returns what the device can do.
     *
     * @param modifiesCq whether the library has {@code ibv_modify_cq(3)} for it
     */
    static Capabilities of(DeviceFacts facts, Driver driver, Probe probe, boolean modifiesCq) {
        return new DeviceCapabilities(facts, driver, probe, modifiesCq).capabilities();
    }

    /** Returns which of the features that can be tried alone the device claims by its attributes. */
    static Set<Feature> claimed(DeviceFacts facts) {
        MemorySegment attributes = facts.attributes();
        long flags = ibv_device_attr_ex.device_cap_flags_ex(attributes);
        Set<Feature> claimed = EnumSet.noneOf(Feature.class);
        add(claimed, Feature.ATOMIC_WRITE, (flags & DEVICE_ATOMIC_WRITE) != 0);
        add(claimed, Feature.FLUSH, (flags & DEVICE_FLUSH_GLOBAL) != 0);
        add(
                claimed,
                Feature.RAW_CLOCK,
                ibv_device_attr_ex.hca_core_clock(attributes) != 0
                        && ibv_device_attr_ex.completion_timestamp_mask(attributes) != 0);
        return claimed;
    }

    private Capabilities capabilities() {
        boolean iwarp = facts.transport() == Transport.IWARP;
        Set<Feature> features = features(iwarp);
        boolean windows =
                features.contains(Feature.MEMORY_WINDOW_TYPE_1) || features.contains(Feature.MEMORY_WINDOW_TYPE_2);
        boolean shared = features.contains(Feature.SHARED_RECEIVE_QUEUE);
        return Capabilities.builder()
                .maxQp(ibv_device_attr.max_qp(basic))
                .maxQpWr(ibv_device_attr.max_qp_wr(basic))
                .maxSge(ibv_device_attr.max_sge(basic))
                // Some drivers leave it 0 and mean the same as for sends.
                .maxSgeRead(
                        ibv_device_attr.max_sge_rd(basic) > 0
                                ? ibv_device_attr.max_sge_rd(basic)
                                : iwarp ? 1 : ibv_device_attr.max_sge(basic))
                .maxInlineBytes(probe.maxInlineBytes())
                .inlineBytesByType(probe.otherInlineBytes())
                .maxCq(ibv_device_attr.max_cq(basic))
                .maxCqe(ibv_device_attr.max_cqe(basic))
                .maxMr(ibv_device_attr.max_mr(basic))
                .maxMrBytes(clamped(ibv_device_attr.max_mr_size(basic)))
                .maxMw(windows ? ibv_device_attr.max_mw(basic) : 0)
                .maxPd(ibv_device_attr.max_pd(basic))
                .maxSrq(shared ? ibv_device_attr.max_srq(basic) : 0)
                .maxSrqWr(shared ? ibv_device_attr.max_srq_wr(basic) : 0)
                .maxSrqSge(shared ? ibv_device_attr.max_srq_sge(basic) : 0)
                .maxInitiatorDepth(Math.min(ibv_device_attr.max_qp_init_rd_atom(basic), MAX_DEPTH))
                .maxResponderResources(Math.min(ibv_device_attr.max_qp_rd_atom(basic), MAX_DEPTH))
                .maxMessageBytes(facts.ports().stream()
                        .mapToLong(PortFacts::maxMessageBytes)
                        .max()
                        .orElse(0))
                .maxPrivateData(iwarp ? PRIVATE_DATA_IWARP : PRIVATE_DATA_IB)
                .maxAcceptPrivateData(iwarp ? PRIVATE_DATA_IWARP : REPLY_DATA_IB)
                .maxRejectPrivateData(iwarp ? PRIVATE_DATA_IWARP : REJECT_DATA_IB)
                .completionVectors(Math.max(1, facts.completionVectors()))
                .immediateBytes(iwarp ? 0 : IMMEDIATE_BYTES)
                .queuePairTypes(types(features))
                .features(features)
                .build();
    }

    private Set<Feature> features(boolean iwarp) {
        Set<Feature> features = EnumSet.noneOf(Feature.class);
        int flags = ibv_device_attr.device_cap_flags(basic);
        addMessages(features, iwarp, (flags & Ibverbs.IBV_DEVICE_MEM_MGT_EXTENSIONS()) != 0);
        addRegistration(features);
        int atomics = ibv_device_attr.atomic_cap(basic);
        add(features, Feature.ATOMICS, atomics != Ibverbs.IBV_ATOMIC_NONE());
        add(features, Feature.GLOBAL_ATOMICS, atomics == Ibverbs.IBV_ATOMIC_GLOB());
        add(
                features,
                Feature.SHARED_RECEIVE_QUEUE,
                ibv_device_attr.max_srq(basic) > 0 && ibv_device_attr.max_srq_wr(basic) > 0);
        add(
                features,
                Feature.SRQ_RESIZE,
                features.contains(Feature.SHARED_RECEIVE_QUEUE) && (flags & Ibverbs.IBV_DEVICE_SRQ_RESIZE()) != 0);
        add(features, Feature.CQ_RESIZE, probe.resizesCq());
        MemorySegment moderation = ibv_device_attr_ex.cq_mod_caps(facts.attributes());
        add(
                features,
                Feature.CQ_MODERATION,
                modifiesCq
                        && ibv_cq_moderation_caps.max_cq_count(moderation) != 0
                        && ibv_cq_moderation_caps.max_cq_period(moderation) != 0);
        addExtendedQueues(features);
        addExtendedSends(features);
        limitWindows(features, flags);
        add(features, Feature.RETRY_TIMES, !iwarp);
        features.add(Feature.STATISTICS);
        add(features, Feature.OUT_OF_BAND, !iwarp);
        add(features, Feature.IPV6_ONLY, !iwarp);
        // verbs.c: _ib_modify_qp() of Linux refuses alternate paths but on InfiniBand, whatever the device says.
        boolean infiniBand = facts.transport() == Transport.INFINIBAND;
        add(features, Feature.PATH_MIGRATION, infiniBand && (flags & Ibverbs.IBV_DEVICE_AUTO_PATH_MIG()) != 0);
        add(
                features,
                Feature.MULTICAST,
                ibv_device_attr.max_mcast_grp(basic) > 0 && probe.types().contains(QueuePairType.UD));
        addEthernet(features, flags);
        add(features, Feature.XRC, !iwarp && (flags & Ibverbs.IBV_DEVICE_XRC()) != 0);
        return features;
    }

    private Set<QueuePairType> types(Set<Feature> features) {
        Set<QueuePairType> types = EnumSet.noneOf(QueuePairType.class);
        types.addAll(probe.types());
        if (features.contains(Feature.XRC)) {
            types.add(QueuePairType.XRC_SEND);
            types.add(QueuePairType.XRC_RECV);
        }
        return types;
    }

    private void addEthernet(Set<Feature> features, int flags) {
        boolean raw = probe.types().contains(QueuePairType.RAW_PACKET);
        MemorySegment attributes = facts.attributes();
        add(features, Feature.FLOW_STEERING, (flags & Ibverbs.IBV_DEVICE_MANAGED_FLOW_STEERING()) != 0);
        boolean checksums = (flags & Ibverbs.IBV_DEVICE_RAW_IP_CSUM()) != 0
                || (ibv_device_attr_ex.raw_packet_caps(attributes) & RAW_PACKET_CAP_IP_CSUM) != 0;
        add(features, Feature.CHECKSUM_OFFLOAD, raw && checksums);
        int rawCaps = ibv_device_attr_ex.raw_packet_caps(attributes);
        long extended = ibv_device_attr_ex.device_cap_flags_ex(attributes);
        add(features, Feature.CVLAN_STRIPPING, raw && (rawCaps & RAW_PACKET_CAP_CVLAN_STRIPPING) != 0);
        boolean checkSequence = (rawCaps & RAW_PACKET_CAP_SCATTER_FCS) != 0 || (extended & DEVICE_RAW_SCATTER_FCS) != 0;
        add(features, Feature.SCATTER_FCS, raw && checkSequence);
        add(features, Feature.PCI_WRITE_END_PADDING, raw && (extended & DEVICE_PCI_WRITE_END_PADDING) != 0);
        MemorySegment pacing = ibv_device_attr_ex.packet_pacing_caps(attributes);
        add(features, Feature.PACKET_PACING, ibv_packet_pacing_caps.qp_rate_limit_max(pacing) != 0);
    }

    private void addExtendedQueues(Set<Feature> features) {
        features.addAll(probe.extended());
        // A driver may make such a queue for a device without a clock.
        if (ibv_device_attr_ex.completion_timestamp_mask(facts.attributes()) == 0) {
            features.remove(Feature.COMPLETION_TIMESTAMP);
            features.remove(Feature.RAW_CLOCK);
        }
        if (ibv_device_attr_ex.hca_core_clock(facts.attributes()) == 0) {
            features.remove(Feature.RAW_CLOCK); // its ticks would mean nothing
        }
    }

    private void addExtendedSends(Set<Feature> features) {
        // The library may have operations that the kernel's driver lacks.
        long flags = ibv_device_attr_ex.device_cap_flags_ex(facts.attributes());
        if ((flags & DEVICE_ATOMIC_WRITE) == 0) {
            features.remove(Feature.ATOMIC_WRITE);
        }
        if ((flags & DEVICE_FLUSH_GLOBAL) == 0) {
            features.remove(Feature.FLUSH);
        }
        boolean persistent = (flags & DEVICE_FLUSH_PERSISTENT) != 0;
        add(features, Feature.FLUSH_PERSISTENT, persistent && features.contains(Feature.FLUSH));
    }

    private void addMessages(Set<Feature> features, boolean iwarp, boolean memoryManagement) {
        // ibv_query_device_ex(3): IBV_DEVICE_MEM_MGT_EXTENSIONS is invalidation, by the peer and locally.
        add(features, Feature.SEND_WITH_INVALIDATE, memoryManagement);
        add(features, Feature.LOCAL_INVALIDATE, memoryManagement && driver.localInvalidate());
        add(features, Feature.SEND_WITH_IMMEDIATE, !iwarp);
        add(features, Feature.WRITE_WITH_IMMEDIATE, !iwarp);
        // An empty Send with immediate data is just that.
        add(features, Feature.STANDALONE_IMMEDIATE, !iwarp);
        // iWARP has no receiver-not-ready: RFC 5041 §7.2 makes an empty queue an error of the stream.
        add(features, Feature.NO_RECEIVER_RETRY, iwarp);
        add(features, Feature.READ_SINK_LOCAL_WRITE, driver.readSinkLocalWrite());
    }

    private void limitWindows(Set<Feature> features, int flags) {
        // The library's half makes none for some of which the kernel's half says that they have them (bnxt_re).
        boolean some = ibv_device_attr.max_mw(basic) > 0;
        int type2 = Ibverbs.IBV_DEVICE_MEM_WINDOW_TYPE_2A() | Ibverbs.IBV_DEVICE_MEM_WINDOW_TYPE_2B();
        if (!some || (flags & Ibverbs.IBV_DEVICE_MEM_WINDOW()) == 0) {
            features.remove(Feature.MEMORY_WINDOW_TYPE_1);
        }
        if (!some || (flags & type2) == 0) {
            features.remove(Feature.MEMORY_WINDOW_TYPE_2);
        }
    }

    private void addRegistration(Set<Feature> features) {
        MemorySegment paging = ibv_device_attr_ex.odp_caps(facts.attributes());
        long onDemand = ibv_odp_caps.general_caps(paging);
        add(features, Feature.ON_DEMAND_PAGING, (onDemand & Ibverbs.IBV_ODP_SUPPORT()) != 0);
        add(features, Feature.IMPLICIT_ON_DEMAND_PAGING, (onDemand & Ibverbs.IBV_ODP_SUPPORT_IMPLICIT()) != 0);
        add(features, Feature.DEVICE_MEMORY, ibv_device_attr_ex.max_dm_size(facts.attributes()) != 0);
        add(features, Feature.ZERO_BASED, driver.zeroBased());
        // Optional: the library leaves the flag out where the kernel does not know it, a device that cannot ignores it.
        add(features, Feature.RELAXED_ORDERING, IbvCalls.REG_MR_IOVA2.isPresent());
        add(features, Feature.DMA_BUF, probe.registersDmaBuf());
    }

    private static void add(Set<Feature> features, Feature feature, boolean has) {
        if (has) {
            features.add(feature);
        }
    }

    /** Returns an unsigned number of bytes as a signed one. */
    private static long clamped(long unsigned) {
        return unsigned < 0 ? Long.MAX_VALUE : unsigned;
    }
}

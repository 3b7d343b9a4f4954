package org.panamaverbs.api;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.panamaverbs.memory.Access;

/**
 * Limits and features of a device, {@code struct ibv_device_attr_ex}. Requests beyond them fail with an exception that
 * names the capability.
 *
 * @param maxQp queue pairs ({@code max_qp})
 * @param maxQpWr outstanding work requests per queue ({@code max_qp_wr})
 * @param maxSge scatter/gather entries (SGEs) per work request ({@code max_sge})
 * @param maxSgeRead SGEs per RDMA Read; 1 on iWARP, where a Read has one sink ({@code max_sge_rd})
 * @param maxInlineBytes inline bytes per work request of type RC; if the device has no RC, of the type with the most
 * @param inlineBytesByType inline bytes of the types that differ from that; use {@link #maxInlineBytes(QueuePairType)}
 * @param maxCq completion queues ({@code max_cq})
 * @param maxCqe completions per completion queue ({@code max_cqe})
 * @param maxMr memory regions ({@code max_mr})
 * @param maxMrBytes bytes per memory region ({@code max_mr_size})
 * @param maxMw memory windows, 0 if not supported ({@code max_mw})
 * @param maxPd protection domains ({@code max_pd})
 * @param maxSrq shared receive queues, 0 if not supported ({@code max_srq})
 * @param maxSrqWr outstanding receives per shared receive queue ({@code max_srq_wr})
 * @param maxSrqSge SGEs per receive of a shared receive queue ({@code max_srq_sge})
 * @param maxInitiatorDepth outstanding Reads and atomics as requester (ORD; {@code max_qp_init_rd_atom})
 * @param maxResponderResources outstanding Reads and atomics as responder (IRD; {@code max_qp_rd_atom})
 * @param maxMessageBytes bytes per message ({@code max_msg_sz})
 * @param maxPrivateData bytes of private data in a connection request
 * @param maxAcceptPrivateData bytes of private data in an accept, at least {@code maxPrivateData}
 * @param maxRejectPrivateData bytes of private data in a reject, at least {@code maxPrivateData}
 * @param completionVectors completion vectors (interrupts) for completion queues ({@code num_comp_vectors})
 * @param immediateBytes bytes of immediate data: 8 on iWARP with RFC 7306, 4 on InfiniBand and RoCE, 0 if not supported
 * @param queuePairTypes the supported types of queue pairs
 * @param features the supported features
 */
public record Capabilities(
        int maxQp,
        int maxQpWr,
        int maxSge,
        int maxSgeRead,
        int maxInlineBytes,
        Map<QueuePairType, Integer> inlineBytesByType,
        int maxCq,
        int maxCqe,
        int maxMr,
        long maxMrBytes,
        int maxMw,
        int maxPd,
        int maxSrq,
        int maxSrqWr,
        int maxSrqSge,
        int maxInitiatorDepth,
        int maxResponderResources,
        long maxMessageBytes,
        int maxPrivateData,
        int maxAcceptPrivateData,
        int maxRejectPrivateData,
        int completionVectors,
        int immediateBytes,
        Set<QueuePairType> queuePairTypes,
        Set<Feature> features) {

    /** A feature that a device may or may not support. */
    public enum Feature {
        /** Send with Invalidate. */
        SEND_WITH_INVALIDATE,
        /** Send with immediate data in the same message. */
        SEND_WITH_IMMEDIATE,
        /** RDMA Write with immediate data. */
        WRITE_WITH_IMMEDIATE,
        /** Immediate data as a message of its own, {@link SendOpcode#IMMEDIATE}. */
        STANDALONE_IMMEDIATE,
        /** FetchAdd and CmpSwap, atomic among the queue pairs of the device. */
        ATOMICS,
        /** Masked FetchAdd and CmpSwap. */
        MASKED_ATOMICS,
        /** Atomics that are also atomic with this host's processors. */
        GLOBAL_ATOMICS,
        /** Memory windows of type 1. */
        MEMORY_WINDOW_TYPE_1,
        /** Memory windows of type 2. */
        MEMORY_WINDOW_TYPE_2,
        /** Invalidation of an rkey by a local work request. */
        LOCAL_INVALIDATE,
        /** Shared receive queues with limit events. */
        SHARED_RECEIVE_QUEUE,
        /** Resizing a shared receive queue. */
        SRQ_RESIZE,
        /** Resizing a completion queue. */
        CQ_RESIZE,
        /** Event moderation of a completion queue. */
        CQ_MODERATION,
        /** Completion queues with chosen fields and flags ({@code ibv_create_cq_ex(3)}). */
        EXTENDED_CQ,
        /** Completions with the time of the device's clock. */
        COMPLETION_TIMESTAMP,
        /** Completions with the wall-clock time. */
        COMPLETION_WALLCLOCK,
        /** Completions of datagrams with the LID of the sender. */
        COMPLETION_SOURCE_LID,
        /** Completions of datagrams with their service level. */
        COMPLETION_SERVICE_LEVEL,
        /** Completions of datagrams with the low bits of the destination LID. */
        COMPLETION_DLID_PATH_BITS,
        /** Completions with the VLAN tag that the device stripped. */
        COMPLETION_CVLAN,
        /** Completions with the tag of the matching flow rule. */
        COMPLETION_FLOW_TAG,
        /** Completions with the tag of a tag-matching message. */
        COMPLETION_TAG_MATCHING,
        /** Completion queues that overwrite completions instead of failing when they are full. */
        CQ_IGNORE_OVERRUN,
        /** Registration without pinning, {@link Access#ON_DEMAND}. */
        ON_DEMAND_PAGING,
        /** Registration with an iova of 0 or of the caller's choice. */
        ZERO_BASED,
        /** Registration with relaxed ordering. */
        RELAXED_ORDERING,
        /** Registration of dma-buf memory. */
        DMA_BUF,
        /** Multicast of datagrams. */
        MULTICAST,
        /** The sink of an RDMA Read needs {@link Access#LOCAL_WRITE} only, no remote right. */
        READ_SINK_LOCAL_WRITE,
        /** An empty receive queue fails the connection at once instead of making the peer retry. */
        NO_RECEIVER_RETRY,
        /** Connections with TLS, {@link TlsConfig}. */
        TLS,
        /** Configurable retransmission times, {@link RetryTimes}. */
        RETRY_TIMES,
        /** Counters of the library for queue pairs and the open device, {@link Verbs#statistics}. */
        STATISTICS,
        /** Queue pairs that are moved from INIT to RTS by {@link QueuePair#modify}, without a connection manager. */
        OUT_OF_BAND,
        /** IPv6 listeners that leave the IPv4 port free, {@link ListenerConfig#ipv6Only()}. */
        IPV6_ONLY,
        /** Migration of connected queue pairs to an alternate path, {@link AlternatePath}. */
        PATH_MIGRATION,
        /** A clock that the host can read, in the unit of completion timestamps, {@link Verbs#clock}. */
        RAW_CLOCK,
        /** Registration of the whole address space, {@link ProtectionDomain#registerAddressSpace}. */
        IMPLICIT_ON_DEMAND_PAGING,
        /** A memory region that drops what is written to it, {@link ProtectionDomain#nullRegion}. */
        NULL_REGION,
        /** Thread domains and parent domains, {@link ThreadDomain}. */
        PARENT_DOMAIN,
        /** Memory of the device itself, {@link DeviceMemory}. */
        DEVICE_MEMORY,
        /** Rules that select the packets a queue pair receives, {@link QueuePair#flow}. */
        FLOW_STEERING,
        /** Checksum offload for raw packets, {@link SendFlag#IP_CSUM} and {@link WorkCompletion#checksumsOk()}. */
        CHECKSUM_OFFLOAD,
        /** Rate limits of queue pairs, {@link QueuePair#limitRate}. */
        PACKET_PACING,
        /** Atomic writes of 8 bytes, {@link ExtendedSendQueue#atomicWrite}. */
        ATOMIC_WRITE,
        /** Flushes that make writes visible to the peer's whole host, {@link ExtendedSendQueue#flush}. */
        FLUSH,
        /** Flushes into persistent memory, {@link PlacementType#PERSISTENT}. */
        FLUSH_PERSISTENT,
        /** Counters of flows, {@link Verbs#flowCounters}. */
        FLOW_COUNTERS,
        /** Extended reliable connections, {@code api.xrc}. */
        XRC
    }

    /** Creates the capabilities, with copies of the sets and the map. */
    public Capabilities {
        inlineBytesByType = Map.copyOf(inlineBytesByType);
        queuePairTypes = Set.copyOf(queuePairTypes);
        features = Set.copyOf(features);
    }

    /** Returns the inline bytes per work request of a queue pair of {@code type}. */
    public int maxInlineBytes(QueuePairType type) {
        return inlineBytesByType.getOrDefault(type, maxInlineBytes);
    }

    /** Returns whether the device supports {@code feature}. */
    public boolean has(Feature feature) {
        return features.contains(feature);
    }

    /**
     * Returns the rights that queue pairs of the device can grant peers, a mask of {@link Access#bit}: the most of
     * {@link QueuePairConfig#access()}.
     */
    public int peerRights() {
        int rights = Access.mask(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);
        rights |= has(Feature.ATOMICS) ? Access.REMOTE_ATOMIC.bit() : 0;
        rights |= has(Feature.FLUSH) ? Access.FLUSH_GLOBAL.bit() : 0;
        return has(Feature.FLUSH_PERSISTENT) ? rights | Access.FLUSH_PERSISTENT.bit() : rights;
    }

    /** Returns whether a Send can carry immediate data. */
    public boolean sendWithImmediate() {
        return has(Feature.SEND_WITH_IMMEDIATE);
    }

    /** Returns the features in the order of their declaration. */
    public Set<Feature> orderedFeatures() {
        Set<Feature> ordered = EnumSet.noneOf(Feature.class);
        ordered.addAll(features);
        return ordered;
    }

    /**
     * Checks that the device supports {@code feature}.
     *
     * @throws UnsupportedOperationException if it does not, naming the device and the feature
     */
    public void require(Feature feature, String device) {
        if (!has(feature)) {
            throw new UnsupportedOperationException("device " + device + " lacks " + feature
                    + "; remedy: see `verbs devinfo -v` for a provider that has it");
        }
    }
}

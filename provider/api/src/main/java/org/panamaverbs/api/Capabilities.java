package org.panamaverbs.api;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.panamaverbs.memory.Access;

/**
 * What a device can do and how much of it ({@code struct ibv_device_attr_ex}). Ask here; asking for more than there is
 * gives an exception that names the capability.
 *
 * @param maxQp queue pairs
 * @param maxQpWr outstanding work requests a queue
 * @param maxSge pieces of a work request
 * @param maxSgeRead pieces of an RDMA Read; 1 on iWARP, where a Read has one sink
 * @param maxInlineBytes inline bytes a work request of reliable connections; where the device has none, of the service
 *     with the most
 * @param inlineBytesByType the same of the services that differ: ask {@link #maxInlineBytes(QueuePairType)}
 * @param maxCq completion queues
 * @param maxCqe completions a queue
 * @param maxMr registrations
 * @param maxMrBytes bytes a registration
 * @param maxMw memory windows, 0 if there are none
 * @param maxPd protection domains
 * @param maxSrq shared receive queues, 0 if there are none
 * @param maxSrqWr outstanding receives a shared receive queue
 * @param maxSrqSge pieces of a receive of a shared receive queue
 * @param maxInitiatorDepth outstanding Reads and Atomics from here (ORD)
 * @param maxResponderResources outstanding Reads and Atomics of a peer here (IRD)
 * @param maxMessageBytes bytes a message
 * @param maxPrivateData bytes of private data of who connects
 * @param maxAcceptPrivateData bytes of private data of who accepts, no fewer than those
 * @param maxRejectPrivateData bytes of private data of who rejects, no fewer than those of who connects
 * @param completionVectors event lines that a completion queue is given one of, {@code num_comp_vectors}
 * @param immediateBytes bytes of immediate data: 8 on iWARP with RFC 7306, 4 on InfiniBand and RoCE, 0 without
 * @param queuePairTypes the services
 * @param features the rest
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

    /** What a device either has or has not. */
    public enum Feature {
        /** Send with Invalidate. */
        SEND_WITH_INVALIDATE,
        /** Send with immediate data in the same message. */
        SEND_WITH_IMMEDIATE,
        /** RDMA Write with immediate data. */
        WRITE_WITH_IMMEDIATE,
        /** Immediate Data as a message of its own. */
        STANDALONE_IMMEDIATE,
        /** FetchAdd and CmpSwap, atomic among the queue pairs of the device. */
        ATOMICS,
        /** Masked FetchAdd and CmpSwap. */
        MASKED_ATOMICS,
        /** Atomics are atomic also against this host's processors. */
        GLOBAL_ATOMICS,
        /** Memory windows of type 1. */
        MEMORY_WINDOW_TYPE_1,
        /** Memory windows of type 2. */
        MEMORY_WINDOW_TYPE_2,
        /** Invalidating an STag by a local work request. */
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
        /** Completions with the time of day. */
        COMPLETION_WALLCLOCK,
        /** Completions of datagrams with the LID that they came from. */
        COMPLETION_SOURCE_LID,
        /** Completions of datagrams with their service level. */
        COMPLETION_SERVICE_LEVEL,
        /** Completions of datagrams with the low bits of the LID that they came to. */
        COMPLETION_DLID_PATH_BITS,
        /** Completions with the VLAN that the device took off a frame. */
        COMPLETION_CVLAN,
        /** Completions with the tag of the flow rule that a packet matched. */
        COMPLETION_FLOW_TAG,
        /** Completions with the tag of a message that was matched by it. */
        COMPLETION_TAG_MATCHING,
        /** Completion queues that overwrite instead of failing when they are full. */
        CQ_IGNORE_OVERRUN,
        /** Registration of memory that is not resident. */
        ON_DEMAND_PAGING,
        /** Registration with tagged offsets that start at zero, or where the application says. */
        ZERO_BASED,
        /** Registration with relaxed ordering. */
        RELAXED_ORDERING,
        /** Registration of dma-buf memory. */
        DMA_BUF,
        /** Multicast. */
        MULTICAST,
        /** The RDMA Read's sink needs no remote right. */
        READ_SINK_LOCAL_WRITE,
        /** A receive queue that is empty fails the connection at once instead of making the peer retry. */
        NO_RECEIVER_RETRY,
        /** Connections under TLS, {@link TlsConfig}. */
        TLS,
        /** Connections whose times before something is sent again can be set, {@link RetryTimes}. */
        RETRY_TIMES,
        /** What queue pairs and the open device have counted, {@link Verbs#statistics}. */
        STATISTICS,
        /**
         * Queue pairs that are taken from INIT to RTS by hand ({@link QueuePair#modify}), without connection manager.
         */
        OUT_OF_BAND,
        /** Listeners of IPv6 that leave the port of IPv4 to others, {@link ListenerConfig#ipv6Only()}. */
        IPV6_ONLY,
        /** Connected queue pairs that change to another path, {@link AlternatePath}. */
        PATH_MIGRATION,
        /** A clock that can be read beside the timestamps of completions, {@link Verbs#clock}. */
        RAW_CLOCK,
        /** Registration of all memory of the process at once, {@link ProtectionDomain#registerAddressSpace}. */
        IMPLICIT_ON_DEMAND_PAGING,
        /** A registration that takes writes and keeps nothing, {@link ProtectionDomain#nullRegion}. */
        NULL_REGION,
        /** Thread domains and parent domains, {@link ThreadDomain}. */
        PARENT_DOMAIN,
        /** Memory of the device itself, {@link DeviceMemory}. */
        DEVICE_MEMORY,
        /** Rules that say which packets a queue pair receives, {@link QueuePair#flow}. */
        FLOW_STEERING,
        /** Checksums of raw packets, {@link SendFlag#IP_CSUM} and {@link WorkCompletion#checksumsOk()}. */
        CHECKSUM_OFFLOAD,
        /** Queue pairs that send no faster than is said, {@link QueuePair#limitRate}. */
        PACKET_PACING,
        /** Writes of 8 bytes that nobody sees in part, {@link ExtendedSendQueue#atomicWrite}. */
        ATOMIC_WRITE,
        /** Flushes of what was written until all of the peer's host sees it, {@link ExtendedSendQueue#flush}. */
        FLUSH,
        /** Flushes into persistent memory, {@link PlacementType#PERSISTENT}. */
        FLUSH_PERSISTENT,
        /** Counters of what comes by flows, {@link Verbs#flowCounters}. */
        FLOW_COUNTERS,
        /** Extended reliable connections, {@code api.xrc}. */
        XRC
    }

    /** Copies the sets and the map. */
    public Capabilities {
        inlineBytesByType = Map.copyOf(inlineBytesByType);
        queuePairTypes = Set.copyOf(queuePairTypes);
        features = Set.copyOf(features);
    }

    /** Returns the inline bytes a work request of a queue pair of {@code type}. */
    public int maxInlineBytes(QueuePairType type) {
        return inlineBytesByType.getOrDefault(type, maxInlineBytes);
    }

    /** Returns whether the device has {@code feature}. */
    public boolean has(Feature feature) {
        return features.contains(feature);
    }

    /**
     * Returns what queue pairs of the device can let peers do: the mask of {@link Access#bit} that they begin with, as
     * each registration says which of it is granted.
     */
    public int peerRights() {
        int rights = Access.mask(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);
        rights |= has(Feature.ATOMICS) ? Access.REMOTE_ATOMIC.bit() : 0;
        rights |= has(Feature.FLUSH) ? Access.FLUSH_GLOBAL.bit() : 0;
        return has(Feature.FLUSH_PERSISTENT) ? rights | Access.FLUSH_PERSISTENT.bit() : rights;
    }

    /** Returns whether Send carries immediate data. */
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
     * Does nothing if the device has {@code feature}.
     *
     * @throws UnsupportedOperationException naming the device and the feature otherwise
     */
    public void require(Feature feature, String device) {
        if (!has(feature)) {
            throw new UnsupportedOperationException("device " + device + " lacks " + feature
                    + "; remedy: see `verbs devinfo -v` for a provider that has it");
        }
    }
}

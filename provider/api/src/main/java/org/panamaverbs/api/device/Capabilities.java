package org.panamaverbs.api.device;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairFlag;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.RetryTimes;
import org.panamaverbs.api.cm.TlsConfig;
import org.panamaverbs.api.config.Fields;
import org.panamaverbs.api.ext.AlternatePath;
import org.panamaverbs.api.ext.DeviceMemory;
import org.panamaverbs.api.ext.ExtendedSendQueue;
import org.panamaverbs.api.ext.PlacementType;
import org.panamaverbs.api.ext.ThreadDomain;
import org.panamaverbs.memory.Access;

/**
 * Limits and features of a device, {@code struct ibv_device_attr_ex}. Requests beyond them fail with an exception that
 * names the capability. Immutable; providers create it with {@link #builder()}. Limits and features may be added.
 */
public final class Capabilities implements Cloneable {
    // By operation, since posts ask: a set would make an iterator for each.
    private static final Feature[][] ONE_OF = Arrays.stream(SendOpcode.values())
            .map(operation -> operation.features().toArray(new Feature[0]))
            .toArray(Feature[][]::new);
    private static final Fields<Capabilities> FIELDS = new Fields<>(
            Capabilities.class,
            fields -> fields.and("maxQp", can -> can.maxQp)
                    .and("maxQpWr", can -> can.maxQpWr)
                    .and("maxSge", can -> can.maxSge)
                    .and("maxSgeRead", can -> can.maxSgeRead)
                    .and("maxInlineBytes", can -> can.maxInlineBytes)
                    .and("inlineBytesByType", can -> can.inlineBytesByType)
                    .and("maxCq", can -> can.maxCq)
                    .and("maxCqe", can -> can.maxCqe)
                    .and("maxMr", can -> can.maxMr)
                    .and("maxMrBytes", can -> can.maxMrBytes)
                    .and("maxMw", can -> can.maxMw)
                    .and("maxPd", can -> can.maxPd)
                    .and("maxSrq", can -> can.maxSrq)
                    .and("maxSrqWr", can -> can.maxSrqWr)
                    .and("maxSrqSge", can -> can.maxSrqSge)
                    .and("maxInitiatorDepth", can -> can.maxInitiatorDepth)
                    .and("maxResponderResources", can -> can.maxResponderResources)
                    .and("maxMessageBytes", can -> can.maxMessageBytes)
                    .and("maxPrivateData", can -> can.maxPrivateData)
                    .and("maxAcceptPrivateData", can -> can.maxAcceptPrivateData)
                    .and("maxRejectPrivateData", can -> can.maxRejectPrivateData)
                    .and("completionVectors", can -> can.completionVectors)
                    .and("immediateBytes", can -> can.immediateBytes)
                    .and("queuePairTypes", can -> can.queuePairTypes)
                    .and("features", can -> can.features));

    private int maxQp;
    private int maxQpWr;
    private int maxSge;
    private int maxSgeRead;
    private int maxInlineBytes;
    private Map<QueuePairType, Integer> inlineBytesByType = Map.of();
    private int maxCq;
    private int maxCqe;
    private int maxMr;
    private long maxMrBytes;
    private int maxMw;
    private int maxPd;
    private int maxSrq;
    private int maxSrqWr;
    private int maxSrqSge;
    private int maxInitiatorDepth;
    private int maxResponderResources;
    private long maxMessageBytes;
    private int maxPrivateData;
    private int maxAcceptPrivateData;
    private int maxRejectPrivateData;
    private int completionVectors;
    private int immediateBytes;
    private Set<QueuePairType> queuePairTypes = Set.of();
    private Set<Feature> features = Set.of();

    private Capabilities() {}

    /** A feature that a device may or may not support. Values may be added. */
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
        /** Extended reliable connections, {@code XrcDomain}. */
        XRC,
        /** {@link QueuePairFlag#SCATTER_FCS}. */
        SCATTER_FCS,
        /** {@link QueuePairFlag#CVLAN_STRIPPING}. */
        CVLAN_STRIPPING,
        /** {@link QueuePairFlag#PCI_WRITE_END_PADDING}. */
        PCI_WRITE_END_PADDING
    }

    /** Returns a builder without objects, types of queue pairs and features. */
    public static Builder builder() {
        return new Builder(new Capabilities());
    }

    /** Returns a builder with the values of this device. */
    public Builder toBuilder() {
        return new Builder(FIELDS.changed(super::clone, same -> {}));
    }

    /** Collects limits and features by name. For one thread. */
    public static final class Builder {
        private final Capabilities can;

        private Builder(Capabilities can) {
            this.can = can;
        }

        /**
         * Returns the capabilities; {@link Capabilities#maxSrqSge()} is {@link Capabilities#maxSge()} unless it was
         * set.
         */
        public Capabilities build() {
            return FIELDS.changed(can::copy, copy -> {
                if (copy.maxSrqSge == 0 && copy.maxSrq > 0) {
                    copy.maxSrqSge = copy.maxSge;
                }
            });
        }

        /** Sets {@link Capabilities#maxQp()}. */
        public Builder maxQp(int value) {
            can.maxQp = value;
            return this;
        }

        /** Sets {@link Capabilities#maxQpWr()}. */
        public Builder maxQpWr(int value) {
            can.maxQpWr = value;
            return this;
        }

        /** Sets {@link Capabilities#maxSge()}. */
        public Builder maxSge(int value) {
            can.maxSge = value;
            return this;
        }

        /** Sets {@link Capabilities#maxSgeRead()}. */
        public Builder maxSgeRead(int value) {
            can.maxSgeRead = value;
            return this;
        }

        /** Sets {@link Capabilities#maxInlineBytes()}. */
        public Builder maxInlineBytes(int value) {
            can.maxInlineBytes = value;
            return this;
        }

        /** Sets {@link Capabilities#inlineBytesByType()}, of the types that differ. */
        public Builder inlineBytesByType(Map<QueuePairType, Integer> value) {
            can.inlineBytesByType = Map.copyOf(value);
            return this;
        }

        /** Sets {@link Capabilities#maxCq()}. */
        public Builder maxCq(int value) {
            can.maxCq = value;
            return this;
        }

        /** Sets {@link Capabilities#maxCqe()}. */
        public Builder maxCqe(int value) {
            can.maxCqe = value;
            return this;
        }

        /** Sets {@link Capabilities#maxMr()}. */
        public Builder maxMr(int value) {
            can.maxMr = value;
            return this;
        }

        /** Sets {@link Capabilities#maxMrBytes()}. */
        public Builder maxMrBytes(long value) {
            can.maxMrBytes = value;
            return this;
        }

        /** Sets {@link Capabilities#maxMw()}. */
        public Builder maxMw(int value) {
            can.maxMw = value;
            return this;
        }

        /** Sets {@link Capabilities#maxPd()}. */
        public Builder maxPd(int value) {
            can.maxPd = value;
            return this;
        }

        /** Sets {@link Capabilities#maxSrq()}. */
        public Builder maxSrq(int value) {
            can.maxSrq = value;
            return this;
        }

        /** Sets {@link Capabilities#maxSrqWr()}. */
        public Builder maxSrqWr(int value) {
            can.maxSrqWr = value;
            return this;
        }

        /** Sets {@link Capabilities#maxSrqSge()}. */
        public Builder maxSrqSge(int value) {
            can.maxSrqSge = value;
            return this;
        }

        /** Sets {@link Capabilities#maxInitiatorDepth()}. */
        public Builder maxInitiatorDepth(int value) {
            can.maxInitiatorDepth = value;
            return this;
        }

        /** Sets {@link Capabilities#maxResponderResources()}. */
        public Builder maxResponderResources(int value) {
            can.maxResponderResources = value;
            return this;
        }

        /** Sets {@link Capabilities#maxMessageBytes()}. */
        public Builder maxMessageBytes(long value) {
            can.maxMessageBytes = value;
            return this;
        }

        /** Sets {@link Capabilities#maxPrivateData()}. */
        public Builder maxPrivateData(int value) {
            can.maxPrivateData = value;
            return this;
        }

        /** Sets {@link Capabilities#maxAcceptPrivateData()}. */
        public Builder maxAcceptPrivateData(int value) {
            can.maxAcceptPrivateData = value;
            return this;
        }

        /** Sets {@link Capabilities#maxRejectPrivateData()}. */
        public Builder maxRejectPrivateData(int value) {
            can.maxRejectPrivateData = value;
            return this;
        }

        /** Sets {@link Capabilities#completionVectors()}. */
        public Builder completionVectors(int value) {
            can.completionVectors = value;
            return this;
        }

        /** Sets {@link Capabilities#immediateBytes()}. */
        public Builder immediateBytes(int value) {
            can.immediateBytes = value;
            return this;
        }

        /** Sets {@link Capabilities#queuePairTypes()}. */
        public Builder queuePairTypes(Set<QueuePairType> value) {
            can.queuePairTypes = Set.copyOf(value);
            return this;
        }

        /** Sets {@link Capabilities#features()}. */
        public Builder features(Set<Feature> value) {
            can.features = Set.copyOf(value);
            return this;
        }

        /** Sets {@link Capabilities#features()}. */
        public Builder features(Feature first, Feature... others) {
            return features(EnumSet.of(first, others));
        }
    }

    private Object copy() throws CloneNotSupportedException {
        return clone();
    }

    /** Returns the number of queue pairs, {@code max_qp}. */
    public int maxQp() {
        return maxQp;
    }

    /** Returns the outstanding work requests per queue, {@code max_qp_wr}. */
    public int maxQpWr() {
        return maxQpWr;
    }

    /** Returns the scatter/gather entries (SGEs) per work request, {@code max_sge}. */
    public int maxSge() {
        return maxSge;
    }

    /** Returns the SGEs per RDMA Read, {@code max_sge_rd}; 1 on iWARP, where a Read has one sink. */
    public int maxSgeRead() {
        return maxSgeRead;
    }

    /**
     * Returns the inline bytes of a work request of reliable connections; where the device has none, of the service
     * with the most.
     */
    public int maxInlineBytes() {
        return maxInlineBytes;
    }

    /**
     * Returns the inline bytes of the types that differ from that: use {@link #maxInlineBytes(QueuePairType)}.
     * Unmodifiable.
     */
    public Map<QueuePairType, Integer> inlineBytesByType() {
        return inlineBytesByType;
    }

    /** Returns the number of completion queues, {@code max_cq}. */
    public int maxCq() {
        return maxCq;
    }

    /** Returns the completions per completion queue, {@code max_cqe}. */
    public int maxCqe() {
        return maxCqe;
    }

    /** Returns the number of memory regions, {@code max_mr}. */
    public int maxMr() {
        return maxMr;
    }

    /** Returns the bytes per memory region, {@code max_mr_size}. */
    public long maxMrBytes() {
        return maxMrBytes;
    }

    /** Returns the number of memory windows, {@code max_mw}; 0 if not supported. */
    public int maxMw() {
        return maxMw;
    }

    /** Returns the number of protection domains, {@code max_pd}. */
    public int maxPd() {
        return maxPd;
    }

    /** Returns the number of shared receive queues, {@code max_srq}; 0 if not supported. */
    public int maxSrq() {
        return maxSrq;
    }

    /** Returns the outstanding receives per shared receive queue, {@code max_srq_wr}. */
    public int maxSrqWr() {
        return maxSrqWr;
    }

    /** Returns the SGEs per receive of a shared receive queue, {@code max_srq_sge}. */
    public int maxSrqSge() {
        return maxSrqSge;
    }

    /** Returns the outstanding Reads and atomics as requester (ORD), {@code max_qp_init_rd_atom}. */
    public int maxInitiatorDepth() {
        return maxInitiatorDepth;
    }

    /** Returns the outstanding Reads and atomics as responder (IRD), {@code max_qp_rd_atom}. */
    public int maxResponderResources() {
        return maxResponderResources;
    }

    /** Returns the bytes per message, {@code max_msg_sz} of the port. */
    public long maxMessageBytes() {
        return maxMessageBytes;
    }

    /** Returns the bytes of private data in a connection request. */
    public int maxPrivateData() {
        return maxPrivateData;
    }

    /** Returns the bytes of private data in an accept, at least {@link #maxPrivateData()}. */
    public int maxAcceptPrivateData() {
        return maxAcceptPrivateData;
    }

    /** Returns the bytes of private data in a reject, at least {@link #maxPrivateData()}. */
    public int maxRejectPrivateData() {
        return maxRejectPrivateData;
    }

    /** Returns the completion vectors (interrupts) for completion queues, {@code num_comp_vectors}. */
    public int completionVectors() {
        return completionVectors;
    }

    /** Returns the bytes of immediate data: 8 on iWARP with RFC 7306, 4 on InfiniBand and RoCE, 0 if not supported. */
    public int immediateBytes() {
        return immediateBytes;
    }

    /** Returns the supported types of queue pairs. Unmodifiable. */
    public Set<QueuePairType> queuePairTypes() {
        return queuePairTypes;
    }

    /** Returns the supported features. Unmodifiable. */
    public Set<Feature> features() {
        return features;
    }

    /** Returns the inline bytes per work request of a queue pair of {@code type}. */
    public int maxInlineBytes(QueuePairType type) {
        return inlineBytesByType.getOrDefault(type, maxInlineBytes);
    }

    /** Returns whether the device supports {@code feature}. */
    public boolean has(Feature feature) {
        return features.contains(feature);
    }

    /** Returns whether a queue pair of the device can post {@code operation}, if its type and configuration can. */
    @SuppressWarnings("EnumOrdinal") // of this run alone
    public boolean has(SendOpcode operation) {
        Feature[] any = ONE_OF[operation.ordinal()];
        for (Feature one : any) {
            if (features.contains(one)) {
                return true;
            }
        }
        return any.length == 0;
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

    /**
     * Does nothing if the device has {@code operation}.
     *
     * @param device its name, for the message
     * @throws UnsupportedOperationException if it has not, naming the device and the feature
     */
    public void require(SendOpcode operation, String device) {
        if (!has(operation)) {
            require(operation.features().iterator().next(), device);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return FIELDS.equal(this, other);
    }

    @Override
    public int hashCode() {
        return FIELDS.hash(this);
    }

    @Override
    public String toString() {
        return FIELDS.toString(this);
    }
}

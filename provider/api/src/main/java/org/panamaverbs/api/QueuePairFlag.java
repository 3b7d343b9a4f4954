package org.panamaverbs.api;

import org.panamaverbs.api.device.Capabilities.Feature;

/**
 * What a queue pair is created with beyond its sizes, {@code enum ibv_qp_create_flags} of {@code ibv_create_qp_ex(3)}.
 * What a flag needs of the device is its {@link #feature()}. Values may be added: switches need a default.
 */
public enum QueuePairFlag {
    /**
     * Multicast that the queue pair sends is not delivered to itself, {@code IBV_QP_CREATE_BLOCK_SELF_MCAST_LB}; type
     * {@link QueuePairType#UD}. No device says whether it has it: a driver without refuses the queue pair.
     */
    BLOCK_SELF_MULTICAST(QueuePairType.UD, Feature.MULTICAST),
    /**
     * The frame check sequence of received packets is written behind them, {@code IBV_QP_CREATE_SCATTER_FCS}; type
     * {@link QueuePairType#RAW_PACKET}.
     */
    SCATTER_FCS(QueuePairType.RAW_PACKET, Feature.SCATTER_FCS),
    /**
     * The VLAN tag is taken off received packets, {@code IBV_QP_CREATE_CVLAN_STRIPPING}: completions have it as
     * {@link WcField#CVLAN}; type {@link QueuePairType#RAW_PACKET}.
     */
    CVLAN_STRIPPING(QueuePairType.RAW_PACKET, Feature.CVLAN_STRIPPING),
    /**
     * Writes across the bus are padded to whole cache lines, {@code IBV_QP_CREATE_PCI_WRITE_END_PADDING}; type
     * {@link QueuePairType#RAW_PACKET}.
     */
    PCI_WRITE_END_PADDING(QueuePairType.RAW_PACKET, Feature.PCI_WRITE_END_PADDING);

    private final QueuePairType type;
    private final Feature feature;

    QueuePairFlag(QueuePairType type, Feature feature) {
        this.type = type;
        this.feature = feature;
    }

    /** Returns the type of queue pairs that can have the flag. */
    public QueuePairType type() {
        return type;
    }

    /** Returns the feature of devices that support the flag. */
    public Feature feature() {
        return feature;
    }
}

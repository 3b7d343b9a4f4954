package org.panamaverbs.api;

/** The transport service of a queue pair, {@code enum ibv_qp_type}. Values may be added: switches need a default. */
public enum QueuePairType {
    /** Reliable connection; the only type on iWARP. */
    RC,
    /** Unreliable connection. */
    UC,
    /** Unreliable datagram. */
    UD,
    /**
     * Raw Ethernet frames with all their headers, without a peer: {@link QueuePair#flow} selects what is received.
     * Needs CAP_NET_RAW.
     */
    RAW_PACKET,
    /**
     * The sending end of an extended reliable connection. Each request names a shared receive queue of the peer:
     * {@link SendQueue#toSharedReceiveQueue}. It receives nothing.
     */
    XRC_SEND,
    /**
     * The receiving end of an extended reliable connection, without a domain or queues: created by
     * {@link org.panamaverbs.api.ext.XrcDomain}, not by {@link ProtectionDomain#queuePair}.
     */
    XRC_RECV,
    /**
     * A vendor's transport, {@code IBV_QPT_DRIVER}, such as SRD of Amazon EFA or DC of NVIDIA: created by a vendor's
     * call and adopted by {@link ProtectionDomain#adopt}. It sends datagrams: {@link DatagramSendQueue}.
     */
    DRIVER
}

package org.panamaverbs.api;

/** The transport service of a queue pair, {@code enum ibv_qp_type}. */
public enum QueuePairType {
    /** Reliable connection; the only one on iWARP. */
    RC,
    /** Unreliable connection. */
    UC,
    /** Unreliable datagram. */
    UD,
    /**
     * Frames of Ethernet as they are, with all their headers, which go to no peer in particular: what is received says
     * {@link QueuePair#flow}. Needs the right CAP_NET_RAW of Linux.
     */
    RAW_PACKET,
    /**
     * The sending end of an extended reliable connection: each request names the shared receive queue of the peer that
     * it is for, {@link SendQueue#toSharedReceiveQueue}. It receives nothing.
     */
    XRC_SEND,
    /**
     * The receiving end of an extended reliable connection, which has neither a domain nor queues:
     * {@code api.xrc.XrcDomain} makes it, not {@link ProtectionDomain#queuePair}.
     */
    XRC_RECV,
    /**
     * A vendor's service, {@code IBV_QPT_DRIVER}, as SRD of Amazon EFA or DC of NVIDIA: a vendor's call creates it, and
     * {@link ProtectionDomain#adopt} takes it. It sends datagrams: {@link DatagramSendQueue}.
     */
    DRIVER
}

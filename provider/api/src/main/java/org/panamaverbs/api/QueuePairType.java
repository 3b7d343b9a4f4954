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
    RAW_PACKET
}

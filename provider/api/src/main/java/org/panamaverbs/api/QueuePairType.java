package org.panamaverbs.api;

/** The transport service of a queue pair, {@code enum ibv_qp_type}. */
public enum QueuePairType {
    /** Reliable connection; the only one on iWARP. */
    RC,
    /** Unreliable connection. */
    UC,
    /** Unreliable datagram. */
    UD
}

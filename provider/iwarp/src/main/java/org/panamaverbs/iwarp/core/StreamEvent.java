package org.panamaverbs.iwarp.core;

/** What a stream tells beside completions. */
public enum StreamEvent {
    /** The first FPDU of the initiator arrived: this side may send now. */
    COMMUNICATION_ESTABLISHED,
    /** The peer's access was refused: STag, bounds, rights, invalidation. */
    ACCESS_ERROR,
    /** The peer's message was refused: opcode, version, queue, sequence, no receive. */
    REQUEST_ERROR,
    /** The stream failed otherwise: a Terminate of the peer, a local error, a lost connection. */
    FATAL,
    /** The last receive that this stream will take from a shared receive queue was taken. */
    LAST_WQE_REACHED,
    /** The stream is down. */
    DISCONNECTED
}

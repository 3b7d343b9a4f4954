package org.panamaverbs.api;

/** The state of a queue pair, {@code enum ibv_qp_state}. */
public enum QueuePairState {
    /** Just made (by hand on ibverbs). */
    RESET,
    /** Receives may be posted; not connected. */
    INIT,
    /** Ready to receive. */
    RTR,
    /** Ready to send: connected. */
    RTS,
    /** The send queue is drained. */
    SQD,
    /** The send queue failed (unreliable services). */
    SQE,
    /** Failed or disconnected: everything posted is flushed. */
    ERROR
}

package org.panamaverbs.api;

/** The state of a queue pair, {@code enum ibv_qp_state}. */
public enum QueuePairState {
    /**
     * Not initialized. Queue pairs are created in {@link #INIT}; only {@link QueuePair#modify} of ibverbs leads here.
     */
    RESET,
    /** Receives may be posted; not connected. */
    INIT,
    /** Ready to receive. */
    RTR,
    /** Ready to send: connected. */
    RTS,
    /** Send queue drained. */
    SQD,
    /** Send queue failed (unreliable services only). */
    SQE,
    /** Failed or disconnected: outstanding requests are flushed. */
    ERROR
}

package org.panamaverbs.api;

/**
 * A field that completions of an extended completion queue can have, {@code enum ibv_create_cq_wc_flags} of
 * {@code ibv_create_cq_ex(3)}. The id, the status, the opcode, the queue pair's number and the vendor's error are
 * always there.
 */
public enum WcField {
    /** {@link WorkCompletion#byteCount()}, {@code IBV_WC_EX_WITH_BYTE_LEN}. */
    BYTE_COUNT,
    /** {@link WorkCompletion#immediate()} and {@link WorkCompletion#invalidatedStag()}, {@code IBV_WC_EX_WITH_IMM}. */
    IMMEDIATE,
    /** {@link WorkCompletion#sourceQpNumber()}, {@code IBV_WC_EX_WITH_SRC_QP}. */
    SOURCE_QP,
    /**
     * {@link WorkCompletion#timestamp()}, {@code IBV_WC_EX_WITH_COMPLETION_TIMESTAMP}; needs
     * {@link Capabilities.Feature#COMPLETION_TIMESTAMP}.
     */
    TIMESTAMP,
    /**
     * {@link WorkCompletion#wallclockNanos()}, {@code IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK}; needs
     * {@link Capabilities.Feature#COMPLETION_WALLCLOCK}.
     */
    WALLCLOCK
}

package org.panamaverbs.api;

import org.panamaverbs.api.device.Capabilities.Feature;

/**
 * An optional field in completions of an extended completion queue, {@code enum ibv_create_cq_wc_flags} of
 * {@code ibv_create_cq_ex(3)}. Id, status, opcode, queue pair number ({@code IBV_WC_EX_WITH_QP_NUM}),
 * {@link WorkCompletion#hasGrh()} and vendor error are always present.
 */
public enum WcField {
    /** {@link WorkCompletion#byteCount()}, {@code IBV_WC_EX_WITH_BYTE_LEN}. */
    BYTE_COUNT(Feature.EXTENDED_CQ),
    /** {@link WorkCompletion#immediate()} and {@link WorkCompletion#invalidatedRkey()}, {@code IBV_WC_EX_WITH_IMM}. */
    IMMEDIATE(Feature.EXTENDED_CQ),
    /** {@link WorkCompletion#sourceQpNumber()}, {@code IBV_WC_EX_WITH_SRC_QP}. */
    SOURCE_QP(Feature.EXTENDED_CQ),
    /** {@link WorkCompletion#sourceLid()}, {@code IBV_WC_EX_WITH_SLID}. */
    SOURCE_LID(Feature.COMPLETION_SOURCE_LID),
    /** {@link WorkCompletion#serviceLevel()}, {@code IBV_WC_EX_WITH_SL}. */
    SERVICE_LEVEL(Feature.COMPLETION_SERVICE_LEVEL),
    /** {@link WorkCompletion#dlidPathBits()}, {@code IBV_WC_EX_WITH_DLID_PATH_BITS}. */
    DLID_PATH_BITS(Feature.COMPLETION_DLID_PATH_BITS),
    /** {@link WorkCompletion#timestamp()}, {@code IBV_WC_EX_WITH_COMPLETION_TIMESTAMP}. */
    TIMESTAMP(Feature.COMPLETION_TIMESTAMP),
    /** {@link WorkCompletion#wallclockNanos()}, {@code IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK}. */
    WALLCLOCK(Feature.COMPLETION_WALLCLOCK),
    /**
     * {@link WorkCompletion#cvlan()}, {@code IBV_WC_EX_WITH_CVLAN}. The device fills it for queue pairs created with
     * {@link QueuePairFlag#CVLAN_STRIPPING}.
     */
    CVLAN(Feature.COMPLETION_CVLAN),
    /** {@link WorkCompletion#flowTag()}, {@code IBV_WC_EX_WITH_FLOW_TAG}. */
    FLOW_TAG(Feature.COMPLETION_FLOW_TAG);

    private final Feature feature;

    WcField(Feature feature) {
        this.feature = feature;
    }

    /** Returns the feature that a device needs to report the field. */
    public Feature feature() {
        return feature;
    }
}

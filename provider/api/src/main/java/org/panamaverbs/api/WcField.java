package org.panamaverbs.api;

import org.panamaverbs.api.Capabilities.Feature;

/**
 * A field that completions of an extended completion queue can have, {@code enum ibv_create_cq_wc_flags} of
 * {@code ibv_create_cq_ex(3)}. The id, the status, the opcode, the queue pair's number ({@code IBV_WC_EX_WITH_QP_NUM}),
 * {@link WorkCompletion#hasGrh()} and the vendor's error are always there. What a field needs of the device is its
 * {@link #feature()}.
 */
public enum WcField {
    /** {@link WorkCompletion#byteCount()}, {@code IBV_WC_EX_WITH_BYTE_LEN}. */
    BYTE_COUNT(Feature.EXTENDED_CQ),
    /** {@link WorkCompletion#immediate()} and {@link WorkCompletion#invalidatedStag()}, {@code IBV_WC_EX_WITH_IMM}. */
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
     * {@code IBV_QP_CREATE_CVLAN_STRIPPING}, which the caller's own {@code ibv_create_qp_ex} sets and
     * {@link ProtectionDomain#adopt} takes.
     */
    CVLAN(Feature.COMPLETION_CVLAN),
    /** {@link WorkCompletion#flowTag()}, {@code IBV_WC_EX_WITH_FLOW_TAG}. */
    FLOW_TAG(Feature.COMPLETION_FLOW_TAG),
    /** {@link WorkCompletion#tag()} and {@link WorkCompletion#tagPrivateData()}, {@code IBV_WC_EX_WITH_TM_INFO}. */
    TAG_MATCHING(Feature.COMPLETION_TAG_MATCHING);

    private final Feature feature;

    WcField(Feature feature) {
        this.feature = feature;
    }

    /** Returns what a device has on whose queues completions can have the field. */
    public Feature feature() {
        return feature;
    }
}

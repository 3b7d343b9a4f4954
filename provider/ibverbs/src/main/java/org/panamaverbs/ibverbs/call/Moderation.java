package org.panamaverbs.ibverbs.call;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.bindings.ibverbs.ibv_moderate_cq;
import org.panamaverbs.bindings.ibverbs.ibv_modify_cq_attr;

/** How many events a completion queue raises: {@code ibv_modify_cq(3)}. */
public final class Moderation {
    private static final int IBV_CQ_ATTR_MODERATE = 1; // infiniband/verbs.h: enum ibv_cq_attr_mask

    private Moderation() {}

    /**
     * Has {@code queue} of {@code context}, which the caller keeps from being destroyed, wait as long or for as many
     * completions.
     */
    public static void set(MemorySegment context, String name, MemorySegment queue, int count, int micros) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment attributes = ibv_modify_cq_attr.allocate(scratch);
            ibv_modify_cq_attr.attr_mask(attributes, IBV_CQ_ATTR_MODERATE);
            MemorySegment moderation = ibv_modify_cq_attr.moderate(attributes);
            ibv_moderate_cq.cq_count(moderation, (short) count);
            ibv_moderate_cq.cq_period(moderation, (short) micros);
            Extended.modifyCq(context)
                    .orElseThrow() // CQ_MODERATION says that it is there
                    .check(name, queue, attributes);
        }
    }
}

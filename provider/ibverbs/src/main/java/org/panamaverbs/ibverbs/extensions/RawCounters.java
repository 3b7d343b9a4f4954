package org.panamaverbs.ibverbs.extensions;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.panamaverbs.api.ext.FlowCounters.Kind;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.spi.support.Creation;

/** Makes counters of flows: {@code ibv_create_counters(3)} and what they count. */
public final class RawCounters {
    // infiniband/verbs.h: struct ibv_counter_attach_attr, three numbers of 32 bits; its comp_mask stays 0
    private static final int ATTACH_BYTES = 12;
    private static final int DESCRIPTION = 0;
    private static final int INDEX = 4;

    private RawCounters() {}

    /**
     * Returns a new {@code struct ibv_counters} whose value {@code i} is of kind {@code i}.
     *
     * @throws org.panamaverbs.api.ResourceException if it cannot be made, also with EOPNOTSUPP
     * @throws UnsupportedOperationException if the device counts nothing of a kind
     */
    public static MemorySegment create(String object, MemorySegment context, List<Kind> kinds) {
        try (Arena scratch = Arena.ofConfined()) {
            // infiniband/verbs.h: struct ibv_counters_init_attr { uint32_t comp_mask; }
            MemorySegment none = scratch.allocate(JAVA_INT);
            return Creation.of(
                    () -> ContextCalls.createCounters(context).pointer(object, context, none),
                    made -> {
                        for (int i = 0; i < kinds.size(); i++) {
                            attach(object, context, made, kinds.get(i), i);
                        }
                        return made;
                    },
                    made -> ContextCalls.destroyCounters(context).check(object, made));
        }
    }

    /** Says before any flow has the counters what value {@code index} is: NULL in the place of a flow. */
    private static void attach(String object, MemorySegment context, MemorySegment counters, Kind kind, int index) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment attributes = scratch.allocate(ATTACH_BYTES, Integer.BYTES);
            attributes.set(JAVA_INT, DESCRIPTION, code(kind));
            attributes.set(JAVA_INT, INDEX, index);
            int errno = ContextCalls.attachCountersPointFlow(context).status(counters, attributes, MemorySegment.NULL);
            if (errno != 0) {
                throw Failure.orUnsupported("ibv_attach_counters_point_flow", kind + " of " + object, errno);
            }
        }
    }

    // enum ibv_counter_description
    private static int code(Kind kind) {
        return switch (kind) {
            case PACKETS -> 0;
            case BYTES -> 1;
        };
    }
}

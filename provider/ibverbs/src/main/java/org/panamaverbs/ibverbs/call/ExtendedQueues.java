package org.panamaverbs.ibverbs.call;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.BiConsumer;
import org.panamaverbs.api.CompletionQueueFlag;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.WcField;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_cq_init_attr_ex;

/** Makes extended completion queues, {@code ibv_create_cq_ex(3)}. */
public final class ExtendedQueues {
    private static final int PROBED_CQE = 4;
    private static final Set<WcField> ORDINARY = EnumSet.of(WcField.BYTE_COUNT, WcField.IMMEDIATE, WcField.SOURCE_QP);

    /**
     * Where a completion queue tells of completions.
     *
     * @param channel {@code struct ibv_comp_channel}, NULL for nowhere
     * @param cookie what its events bring back
     * @param vector {@code comp_vector}
     */
    public record Events(MemorySegment channel, long cookie, int vector) {
        /** No events. */
        public static final Events NONE = new Events(MemorySegment.NULL, 0, 0);
    }

    private ExtendedQueues() {}

    /**
     * Creates an extended completion queue for {@code entries} completions.
     *
     * @param object what it is about, for the message of a failure
     * @param events where and how it tells of completions
     * @param parentDomain {@code struct ibv_pd} of a parent domain that it is in, NULL for none
     * @param fields the fields that completions have beside the queue pair's number
     * @return {@code struct ibv_cq_ex}, which is a {@code struct ibv_cq} to all other calls
     * @throws ResourceException if it cannot be made
     */
    public static MemorySegment create(
            String object,
            MemorySegment context,
            int entries,
            Events events,
            MemorySegment parentDomain,
            Set<WcField> fields,
            Set<CompletionQueueFlag> flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = ibv_cq_init_attr_ex.allocate(arena);
            ibv_cq_init_attr_ex.cqe(attributes, entries);
            ibv_cq_init_attr_ex.channel(attributes, events.channel());
            ibv_cq_init_attr_ex.cq_context(attributes, MemorySegment.ofAddress(events.cookie()));
            ibv_cq_init_attr_ex.comp_vector(attributes, events.vector());
            long wanted = Ibverbs.IBV_WC_EX_WITH_QP_NUM();
            for (WcField field : fields) {
                wanted |= bit(field);
            }
            ibv_cq_init_attr_ex.wc_flags(attributes, wanted);
            int mask = 0;
            if (!flags.isEmpty()) {
                int bits = 0;
                for (CompletionQueueFlag flag : flags) {
                    bits |= bit(flag);
                }
                mask |= Ibverbs.IBV_CQ_INIT_ATTR_MASK_FLAGS();
                ibv_cq_init_attr_ex.flags(attributes, bits);
            }
            if (parentDomain.address() != 0) {
                mask |= Ibverbs.IBV_CQ_INIT_ATTR_MASK_PD();
                ibv_cq_init_attr_ex.parent_domain(attributes, parentDomain);
            }
            ibv_cq_init_attr_ex.comp_mask(attributes, mask);
            return Extended.createCq(context)
                    .orElseThrow(() -> Failure.of("ibv_create_cq_ex", object, Errno.EOPNOTSUPP))
                    .pointer(object, context, attributes);
        }
    }

    /**
     * Returns what a device turns out to have when it is tried, by one queue with all of it where it has all;
     * {@code missing} hears of what failed, and how.
     */
    public static Set<Feature> tried(MemorySegment context, BiConsumer<String, ResourceException> missing) {
        Set<Feature> found = EnumSet.noneOf(Feature.class);
        if (isMade(
                context, EnumSet.allOf(WcField.class), Set.of(CompletionQueueFlag.IGNORE_OVERRUN), (call, e) -> {})) {
            found.add(Feature.EXTENDED_CQ);
            found.add(Feature.CQ_IGNORE_OVERRUN);
            for (WcField field : WcField.values()) {
                if (!ORDINARY.contains(field)) {
                    found.add(field.feature());
                }
            }
            return found;
        }
        if (isMade(context, ORDINARY, Set.of(), missing)) {
            found.add(Feature.EXTENDED_CQ);
            for (WcField field : WcField.values()) {
                if (!ORDINARY.contains(field) && isMade(context, Set.of(field), Set.of(), missing)) {
                    found.add(field.feature());
                }
            }
            if (isMade(context, ORDINARY, Set.of(CompletionQueueFlag.IGNORE_OVERRUN), missing)) {
                found.add(Feature.CQ_IGNORE_OVERRUN);
            }
        }
        return found;
    }

    private static boolean isMade(
            MemorySegment context,
            Set<WcField> fields,
            Set<CompletionQueueFlag> flags,
            BiConsumer<String, ResourceException> missing) {
        MemorySegment queue;
        try {
            queue = create("a probe", context, PROBED_CQE, Events.NONE, MemorySegment.NULL, fields, flags);
        } catch (ResourceException e) {
            missing.accept("ibv_create_cq_ex with fields " + fields + " and flags " + flags, e);
            return false;
        }
        IbvCalls.DESTROY_CQ.check("a probe", queue);
        return true;
    }

    private static long bit(WcField field) {
        return switch (field) {
            case BYTE_COUNT -> Ibverbs.IBV_WC_EX_WITH_BYTE_LEN();
            case IMMEDIATE -> Ibverbs.IBV_WC_EX_WITH_IMM();
            case SOURCE_QP -> Ibverbs.IBV_WC_EX_WITH_SRC_QP();
            case SOURCE_LID -> Ibverbs.IBV_WC_EX_WITH_SLID();
            case SERVICE_LEVEL -> Ibverbs.IBV_WC_EX_WITH_SL();
            case DLID_PATH_BITS -> Ibverbs.IBV_WC_EX_WITH_DLID_PATH_BITS();
            case TIMESTAMP -> Ibverbs.IBV_WC_EX_WITH_COMPLETION_TIMESTAMP();
            case WALLCLOCK -> Ibverbs.IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK();
            case CVLAN -> Ibverbs.IBV_WC_EX_WITH_CVLAN();
            case FLOW_TAG -> Ibverbs.IBV_WC_EX_WITH_FLOW_TAG();
        };
    }

    private static int bit(CompletionQueueFlag flag) {
        return switch (flag) {
            case SINGLE_THREADED -> Ibverbs.IBV_CREATE_CQ_ATTR_SINGLE_THREADED();
            case IGNORE_OVERRUN -> Ibverbs.IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN();
        };
    }
}

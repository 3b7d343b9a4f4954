package org.panamaverbs.ibverbs.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.ext.MemoryAdvice;
import org.panamaverbs.bindings.ibverbs.ibv_sge;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.extensions.ContextCalls;

/** Advice on memory that is registered on demand, {@code ibv_advise_mr(3)}. */
public final class Advice {
    private static final int FLUSH = 1; // rdma/ib_user_ioctl_verbs.h: IB_UVERBS_ADVISE_MR_FLAG_FLUSH

    private Advice() {}

    /** Gives {@code advice} on {@code ranges}, and waits until it is followed if {@code wait}. */
    public static void give(Domain domain, MemoryAdvice advice, boolean wait, SgList ranges) {
        IbvContext context = domain.context();
        context.limits().require(Feature.ON_DEMAND_PAGING);
        if (ranges.count() == 0) {
            return;
        }
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment pieces = ibv_sge.allocateArray(ranges.count(), scratch);
            for (int i = 0; i < ranges.count(); i++) {
                MemorySegment piece = pieces.asSlice(i * ibv_sge.sizeof(), ibv_sge.sizeof());
                ibv_sge.addr(piece, ranges.address(i));
                ibv_sge.length(piece, (int) ranges.length(i));
                ibv_sge.lkey(piece, ranges.lkey(i));
            }
            int errno = ContextCalls.adviseMr(context.handle())
                    .status(domain.handle(), code(advice), wait ? FLUSH : 0, pieces, ranges.count());
            if (errno != 0) {
                String what = advice + " of " + ranges.count() + " ranges in " + domain.resourceName();
                throw Failure.orUnsupported("ibv_advise_mr", what, errno);
            }
        }
    }

    // rdma/ib_user_ioctl_verbs.h: enum ib_uverbs_advise_mr_advice
    private static int code(MemoryAdvice advice) {
        return switch (advice) {
            case PREFETCH -> 0;
            case PREFETCH_WRITE -> 1;
            case PREFETCH_NO_FAULT -> 2;
        };
    }
}

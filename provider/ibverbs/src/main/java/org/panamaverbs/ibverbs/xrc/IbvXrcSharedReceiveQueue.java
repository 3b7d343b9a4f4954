package org.panamaverbs.ibverbs.xrc;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.ext.XrcSharedReceiveQueue;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_srq_attr;
import org.panamaverbs.bindings.ibverbs.ibv_srq_init_attr_ex;
import org.panamaverbs.ibverbs.call.Undo;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.context.HeldParents;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.extensions.ContextCalls;
import org.panamaverbs.ibverbs.memory.Domain;
import org.panamaverbs.ibverbs.post.IbvSharedReceiveQueue;
import org.panamaverbs.spi.support.Creation;

/** A shared receive queue that peers name by number; its receives complete in a queue of its own choice. */
final class IbvXrcSharedReceiveQueue extends IbvSharedReceiveQueue implements XrcSharedReceiveQueue {
    private final IbvCompletionQueue completions;
    private final int number;

    private IbvXrcSharedReceiveQueue(
            NativeXrcDomain connections,
            Domain domain,
            IbvCompletionQueue completions,
            SharedReceiveQueueConfig config,
            MemorySegment handle,
            int number,
            Slots slots) {
        super(domain, config, handle, slots, domain, connections.owner(), completions);
        this.completions = completions;
        this.number = number;
    }

    static IbvXrcSharedReceiveQueue create(
            NativeXrcDomain connections,
            Domain domain,
            IbvCompletionQueue completions,
            SharedReceiveQueueConfig config) {
        IbvContext context = connections.context();
        context.limits().check(config);
        try (HeldParents held = new HeldParents("a shared receive queue", connections.owner(), domain, completions);
                Arena scratch = Arena.ofConfined()) {
            held.requireOpen();
            MemorySegment init = ibv_srq_init_attr_ex.allocate(scratch);
            MemorySegment attributes = ibv_srq_init_attr_ex.attr(init);
            ibv_srq_attr.max_wr(attributes, config.maxWr());
            ibv_srq_attr.max_sge(attributes, config.maxSge());
            ibv_srq_init_attr_ex.comp_mask(
                    init,
                    Ibverbs.IBV_SRQ_INIT_ATTR_TYPE()
                            | Ibverbs.IBV_SRQ_INIT_ATTR_PD()
                            | Ibverbs.IBV_SRQ_INIT_ATTR_XRCD()
                            | Ibverbs.IBV_SRQ_INIT_ATTR_CQ());
            ibv_srq_init_attr_ex.srq_type(init, Ibverbs.IBV_SRQT_XRC());
            ibv_srq_init_attr_ex.pd(init, domain.handle());
            ibv_srq_init_attr_ex.xrcd(init, connections.handle());
            ibv_srq_init_attr_ex.cq(init, completions.handle());
            IbvXrcSharedReceiveQueue made = Creation.of(
                    () -> ContextCalls.createSrqEx(context.handle())
                            .pointer(describe(domain, config), context.handle(), init),
                    handle -> {
                        int number = number(context, handle);
                        return adopt(
                                domain,
                                actual(config, attributes),
                                (sizes, slots) -> new IbvXrcSharedReceiveQueue(
                                        connections, domain, completions, sizes, handle, number, slots));
                    },
                    Undo.DESTROY_SRQ);
            made.begin();
            return made;
        }
    }

    private static int number(IbvContext context, MemorySegment handle) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment number = scratch.allocate(ValueLayout.JAVA_INT);
            ContextCalls.getSrqNum(context.handle()).check("a shared receive queue", handle, number);
            return number.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /** Has what its messages can complete counted. */
    private void begin() {
        boolean begun = false;
        try {
            attach(completions.markers());
            begun = true;
        } finally {
            if (!begun) {
                closeOrLeave();
            }
        }
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    protected void release() {
        detach(completions.markers());
        super.release();
    }
}

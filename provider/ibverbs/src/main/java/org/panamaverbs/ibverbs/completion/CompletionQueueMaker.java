package org.panamaverbs.ibverbs.completion;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.CompletionQueueFlag;
import org.panamaverbs.api.support.Creation;
import org.panamaverbs.bindings.ibverbs.ibv_cq;
import org.panamaverbs.ibverbs.call.ExtendedQueues;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.context.HeldParents;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.memory.ManagedResource;

/** Makes completion queues: {@code ibv_create_cq(3)} and its extended form. */
public final class CompletionQueueMaker {
    private CompletionQueueMaker() {}

    /** Creates a completion queue. */
    public static IbvCompletionQueue make(IbvContext context, CompletionQueueConfig config) {
        context.requireOpen();
        int most = context.capabilities().maxCqe();
        int capacity = context.limits().completions(config.capacity());
        config.require(context.capabilities(), context.device());
        IbvCompletionChannel channel = IbvCompletionChannel.own(config.channel(), context);
        MemorySegment its = channel == null ? MemorySegment.NULL : channel.handle();
        ManagedResource[] parents = channel == null ? new ManagedResource[] {context} : new ManagedResource[] {channel};
        try (HeldParents held = new HeldParents("a completion queue", parents)) {
            held.requireOpen();
            String what = capacity + " completions on " + context.resourceName();
            int entries = Math.min(capacity + 1, most);
            return Creation.of(
                    () -> config.isExtended()
                            ? ExtendedQueues.create(
                                    what,
                                    context.handle(),
                                    entries,
                                    its,
                                    WcKind.fields(config.fields()),
                                    config.flags())
                            : IbvCalls.CREATE_CQ.pointer(what, context.handle(), entries, MemorySegment.NULL, its, 0),
                    handle -> adopt(context, config, handle, channel),
                    handle -> IbvCalls.DESTROY_CQ.check(context.resourceName(), handle));
        }
    }

    private static IbvCompletionQueue adopt(
            IbvContext context,
            CompletionQueueConfig config,
            MemorySegment handle,
            @Nullable IbvCompletionChannel channel) {
        EntryPoll poll = config.isExtended()
                ? ExtendedPoll.of(context, handle, config.fields())
                : new OrdinaryPoll(context.ops(), handle.address());
        int told = Math.max(config.capacity(), ibv_cq.cqe(handle) - 1);
        return new IbvCompletionQueue(
                context,
                told,
                config.flags().contains(CompletionQueueFlag.SINGLE_THREADED),
                poll,
                WcKind.of(context, config),
                handle,
                channel);
    }
}

package org.panamaverbs.ibverbs.completion;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.CompletionQueueFlag;
import org.panamaverbs.api.WcField;
import org.panamaverbs.api.ext.Adoption;
import org.panamaverbs.bindings.ibverbs.ibv_cq;
import org.panamaverbs.ibverbs.call.CqExOps;
import org.panamaverbs.ibverbs.call.ExtendedQueues;
import org.panamaverbs.ibverbs.call.ExtendedQueues.Events;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.call.Undo;
import org.panamaverbs.ibverbs.context.AdoptedFacts;
import org.panamaverbs.ibverbs.context.HeldParents;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.Creation;

/** Makes completion queues: {@code ibv_create_cq(3)} and its extended form. */
public final class CompletionQueueMaker {
    private CompletionQueueMaker() {}

    /** Creates a completion queue. */
    public static IbvCompletionQueue make(IbvContext context, CompletionQueueConfig config) {
        return make(context, config, context, MemorySegment.NULL);
    }

    /** Creates a completion queue in {@code domain}, the parent domain behind {@code handle}. */
    public static IbvCompletionQueue make(
            IbvContext context, CompletionQueueConfig config, ManagedResource domain, MemorySegment handle) {
        context.requireOpen();
        CompletionQueueConfig asked = handle.address() == 0 || config.isExtended()
                ? config
                : config.withFields(WcKind.fields(config.fields()).toArray(WcField[]::new));
        context.limits().check(asked);
        IbvCompletionChannel channel = IbvCompletionChannel.own(asked.channel(), context);
        ManagedResource[] parents =
                channel == null ? new ManagedResource[] {domain} : new ManagedResource[] {domain, channel};
        try (HeldParents held = new HeldParents("a completion queue", parents)) {
            held.requireOpen();
            return channel == null
                    ? make(context, asked, null, domain, handle)
                    : Creation.of(
                            () -> channel.places().take(),
                            place -> make(context, asked, new ChannelPlace(channel, place), domain, handle),
                            channel.places()::giveBack);
        }
    }

    private static IbvCompletionQueue make(
            IbvContext context,
            CompletionQueueConfig config,
            @Nullable ChannelPlace place,
            ManagedResource domain,
            MemorySegment domainHandle) {
        String what = config.capacity() + " completions on " + context.resourceName();
        int entries = Math.min(config.capacity() + 1, context.capabilities().maxCqe());
        Events events = place == null
                ? new Events(MemorySegment.NULL, 0, config.completionVector())
                : new Events(place.channel().handle(), place.place().cookie(), config.completionVector());
        return Creation.of(
                () -> config.isExtended()
                        ? ExtendedQueues.create(
                                what,
                                context.handle(),
                                entries,
                                events,
                                domainHandle,
                                WcKind.fields(config.fields()),
                                config.flags())
                        : IbvCalls.CREATE_CQ.pointer(
                                what,
                                context.handle(),
                                entries,
                                MemorySegment.ofAddress(events.cookie()),
                                events.channel(),
                                events.vector()),
                handle -> adopt(context, config, handle, place, domain),
                Undo.DESTROY_CQ);
    }

    /**
     * Adopts the native queue that {@code adoption} names.
     *
     * @throws IllegalArgumentException if it is not what {@code config} says; then it stays the caller's
     */
    public static IbvCompletionQueue adopt(IbvContext context, Adoption adoption, CompletionQueueConfig config) {
        context.requireOpen();
        IbvCompletionChannel channel = IbvCompletionChannel.own(config.channel(), context);
        ManagedResource[] parents =
                channel == null ? new ManagedResource[] {context} : new ManagedResource[] {context, channel};
        try (HeldParents held = new HeldParents("a completion queue", parents)) {
            held.requireOpen();
            MemorySegment handle = MemorySegment.ofAddress(adoption.address()).reinterpret(ibv_cq.sizeof());
            AdoptedFacts facts = new AdoptedFacts("completion queue", adoption, context);
            facts.requireSize("capacity", config.capacity(), 1, ibv_cq.cqe(handle));
            if (channel != null) {
                facts.require("channel", ibv_cq.channel(handle), channel.handle());
            }
            if (config.isExtended()) {
                var missing = CqExOps.missing(handle, WcKind.fields(config.fields()));
                if (missing.isPresent()) {
                    throw facts.refusal("it was created without " + missing.get()
                            + "; remedy: ask the vendor's call for it, or leave it out of the configuration");
                }
            }
            IbvCompletionQueue adopted = channel == null
                    ? adopt(context, config, handle, null, context)
                    : Creation.of(
                            () -> channel.places().take(),
                            place -> {
                                ibv_cq.cq_context(handle, MemorySegment.ofAddress(place.cookie()));
                                return adopt(context, config, handle, new ChannelPlace(channel, place), context);
                            },
                            channel.places()::giveBack);
            adopted.adopted(adoption.owner() == Adoption.Owner.LIBRARY);
            return adopted;
        }
    }

    private static IbvCompletionQueue adopt(
            IbvContext context,
            CompletionQueueConfig config,
            MemorySegment handle,
            @Nullable ChannelPlace place,
            ManagedResource domain) {
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
                place,
                domain);
    }
}

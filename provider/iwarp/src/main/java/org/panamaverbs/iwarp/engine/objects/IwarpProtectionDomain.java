package org.panamaverbs.iwarp.engine.objects;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Capabilities;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.support.Registrar;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.engine.context.Context;
import org.panamaverbs.iwarp.engine.context.Device;
import org.panamaverbs.iwarp.engine.progress.Streams;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.RegisteredBuffer;

/** A protection domain: registers memory and makes what may use it. */
public final class IwarpProtectionDomain extends ManagedResource implements ProtectionDomain, Registrar {
    private final Streams streams;
    private final Context context;
    private final Regions regions;
    private final int number;

    public IwarpProtectionDomain(Streams streams, int number) {
        super("protection domain " + number, streams.context().owner());
        this.streams = streams;
        this.number = number;
        try {
            context = streams.context();
            regions = new Regions(context, number);
        } catch (Error e) {
            abandon();
            throw e;
        }
    }

    /** Returns {@code domain} as one of {@code context}. */
    static IwarpProtectionDomain of(ProtectionDomain domain, Context context) {
        if (domain instanceof IwarpProtectionDomain ours && ours.context == context) {
            return ours;
        }
        throw new IllegalArgumentException(
                "the protection domain is not of " + context.owner().resourceName());
    }

    /** Makes a queue pair of {@code context}, of the domain that {@code config} names. */
    public static IwarpQueuePair create(QueuePairConfig config, Context context) {
        return of(config.domain(), context).create(config);
    }

    public Regions regions() {
        return regions;
    }

    /** Returns its number, which streams compare. */
    public int number() {
        return number;
    }

    @Override
    public RegisteredBuffer allocate(long bytes, Access... access) {
        requireOpen();
        return allocateSlab(bytes, access);
    }

    @Override
    public RegisteredBuffer register(MemorySegment segment, Access... access) {
        requireOpen();
        return registerSegment(segment, access);
    }

    @Override
    public RegisteredBuffer enable(MemorySegment segment, int rights, @Nullable MemorySlab owned) {
        requireFeatures(rights);
        long base = Access.ZERO_BASED.in(rights) ? 0 : segment.address();
        Region region = regions.enable(segment, base, rights);
        int stag = region.stag();
        try {
            return new RegisteredBuffer(this, segment, stag, stag, base, rights, () -> regions.disable(region), owned);
        } catch (RuntimeException | Error e) {
            regions.disable(region);
            throw e;
        }
    }

    private static void requireFeatures(int rights) {
        if (Access.ON_DEMAND.in(rights)) {
            Device.LIMITS.require(Capabilities.Feature.ON_DEMAND_PAGING);
        }
    }

    @Override
    public MemoryWindow memoryWindow(MemoryWindow.Type type) {
        requireOpen();
        Region region = regions.reserve();
        try {
            return new IwarpMemoryWindow(this, regions, type, region);
        } catch (RuntimeException | Error e) {
            regions.disable(region);
            throw e;
        }
    }

    @Override
    public SharedReceiveQueue sharedReceiveQueue(SharedReceiveQueueConfig config) {
        requireOpen();
        Device.LIMITS.check(config);
        context.sharedReceiveQueues().take();
        try {
            return new IwarpSharedReceiveQueue(context, this, context.nextNumber(), config);
        } catch (RuntimeException | Error e) {
            context.sharedReceiveQueues().giveBack();
            throw e;
        }
    }

    @Override
    public QueuePair queuePair(QueuePairConfig config) {
        return create(config);
    }

    /** Makes a queue pair of this domain. */
    public IwarpQueuePair create(QueuePairConfig config) {
        requireOpen();
        if (config.domain() != this) {
            throw new IllegalArgumentException("the configuration is for another domain than " + resourceName());
        }
        Device.LIMITS.check(config);
        IwarpCompletionQueue send = own(config.sendQueue());
        IwarpCompletionQueue receive = own(config.receiveQueue());
        IwarpSharedReceiveQueue shared = null;
        if (config.shared() != null) {
            if (!(config.shared() instanceof IwarpSharedReceiveQueue ours) || !ours.isOf(context)) {
                throw new IllegalArgumentException("the shared receive queue is of another context or provider");
            }
            shared = ours;
        }
        context.queuePairs().take();
        try {
            return new IwarpQueuePair(streams, this, number, send, receive, shared, context.nextNumber(), config);
        } catch (RuntimeException | Error e) {
            context.queuePairs().giveBack();
            throw e;
        }
    }

    private IwarpCompletionQueue own(CompletionQueue queue) {
        if (queue instanceof IwarpCompletionQueue ours && ours.isOf(context)) {
            return ours;
        }
        throw new IllegalArgumentException("the completion queue is of another context or provider");
    }

    @Override
    protected void release() {
        context.domains().giveBack();
    }
}

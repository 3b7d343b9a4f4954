package org.panamaverbs.iwarp.engine;

import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.engine.device.Context;
import org.panamaverbs.iwarp.engine.device.Device;
import org.panamaverbs.iwarp.shm.DirectDomain;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.MemorySlab.Sharing;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RegistrationChecks;
import org.panamaverbs.memory.access.PlainMemory;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.DeferredLog;
import org.panamaverbs.spi.support.Ours;
import org.panamaverbs.spi.support.Registrar;

/** A protection domain: registers memory and makes what may use it. */
public final class IwarpProtectionDomain extends ManagedResource implements Registrar {
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
    static IwarpProtectionDomain own(ProtectionDomain domain, Context context) {
        return Ours.of(
                "protection domain", domain, IwarpProtectionDomain.class, its -> its.context.owner(), context.owner());
    }

    /** Makes a queue pair of {@code context}, of the domain that {@code config} names. */
    public static IwarpQueuePair create(QueuePairConfig config, Context context) {
        return own(config.domain(), context).create(config);
    }

    public Regions regions() {
        return regions;
    }

    /** Returns its number, which streams compare. */
    public int number() {
        return number;
    }

    /**
     * Allocates a slab as {@link Registrar} does; where peers of this host may reach memory by themselves, one that can
     * be shared with them, if the rights let peers in, or windows be bound, and do not ask for huge pages.
     */
    @Override
    public RegisteredBuffer allocate(long bytes, Access... access) {
        int rights = Access.mask(access);
        if (Access.HUGE_PAGES.in(rights)
                || DirectDomain.sharing(rights) == Sharing.NONE
                || !regions.hasRoomForPeers()) {
            return Registrar.super.allocate(bytes, access);
        }
        requireOpen();
        RegistrationChecks.requireAccess(rights);
        return Creation.of(
                () -> shared(bytes, rights),
                slab -> enable(known(slab), base(slab, rights), rights, slab),
                MemorySlab::close);
    }

    private static long base(MemorySlab slab, int rights) {
        return Access.ZERO_BASED.in(rights) ? 0 : slab.segment().address();
    }

    // What the application and the data path get is of one kind of memory, shared or not.
    private static MemorySegment known(MemorySlab slab) {
        return slab.sharing() != Sharing.NONE ? PlainMemory.of(slab.segment()) : slab.segment();
    }

    // One for itself: what the kernel lets peers do with it is what this registration lets them.
    private static MemorySlab shared(long bytes, int rights) {
        try {
            return DirectDomain.sharing(rights) == Sharing.WRITE
                    ? MemorySlab.shared("panama-verbs memory", bytes)
                    : MemorySlab.sharedToRead("panama-verbs memory", bytes);
        } catch (UncheckedIOException | UnsupportedOperationException e) {
            // Peers reach it by messages.
            DeferredLog.log(IwarpProtectionDomain.class, System.Logger.Level.DEBUG, "memory cannot be shared", e);
            return MemorySlab.allocate(bytes);
        }
    }

    @Override
    public RegisteredBuffer enable(MemorySegment segment, long base, int rights, @Nullable MemorySlab owned) {
        Device.LIMITS.checkRights(rights);
        long bytes = segment.byteSize();
        RegisteredBuffer made = Creation.of(
                () -> enable(segment, base, rights),
                region -> new RegisteredBuffer(
                        this, segment, region.stag(), region.stag(), base, rights, () -> disable(region, bytes), owned),
                regions::disable);
        context.watch().registered(resourceName(), bytes, rights);
        return made;
    }

    private Region enable(MemorySegment segment, long base, int rights) {
        try {
            return regions.enable(segment, base, rights);
        } catch (ResourceException e) {
            context.watch().notRegistered(resourceName(), segment.byteSize(), rights, e);
            throw e;
        }
    }

    private void disable(Region region, long bytes) {
        regions.disable(region);
        context.watch().deregistered(resourceName(), bytes);
    }

    @Override
    public MemoryWindow memoryWindow(MemoryWindow.Type type) {
        requireOpen();
        return Creation.of(
                regions::reserve, region -> new IwarpMemoryWindow(this, regions, type, region), regions::disable);
    }

    @Override
    public SharedReceiveQueue sharedReceiveQueue(SharedReceiveQueueConfig config) {
        requireOpen();
        Device.LIMITS.check(config);
        return context.sharedReceiveQueues()
                .counted(() -> new IwarpSharedReceiveQueue(context, this, context.nextNumber(), config));
    }

    @Override
    public QueuePair queuePair(QueuePairConfig config) {
        return create(config);
    }

    /** Makes a queue pair of this domain. */
    public IwarpQueuePair create(QueuePairConfig config) {
        requireOwn(config);
        Device.LIMITS.check(config);
        IwarpSharedReceiveQueue shared = Ours.orNull(
                "shared receive queue",
                config.srq(),
                IwarpSharedReceiveQueue.class,
                IwarpSharedReceiveQueue::domain,
                this);
        QueuePairQueues queues = new QueuePairQueues(own(config.sendCq()), own(config.recvCq()), shared);
        return context.queuePairs()
                .counted(() -> new IwarpQueuePair(streams, this, number, queues, context.nextNumber(), config));
    }

    private IwarpCompletionQueue own(CompletionQueue queue) {
        return Ours.of(
                "completion queue", queue, IwarpCompletionQueue.class, IwarpCompletionQueue::device, context.owner());
    }

    @Override
    protected void release() {
        try {
            regions.close();
        } finally {
            context.domains().giveBack();
        }
    }
}

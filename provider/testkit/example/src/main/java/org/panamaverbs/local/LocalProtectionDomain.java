package org.panamaverbs.local;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.support.Registrar;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.RegisteredBuffer;

/** A protection domain: registers memory and makes what may use it. */
final class LocalProtectionDomain extends ManagedResource implements ProtectionDomain, Registrar {
    private final LocalVerbs verbs;

    LocalProtectionDomain(LocalVerbs verbs) {
        super("protection domain " + Fabric.nextNumber(), verbs);
        this.verbs = verbs;
    }

    LocalVerbs verbs() {
        return verbs;
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
        if (Access.ON_DEMAND.in(rights)) {
            Device.LIMITS.require(Feature.ON_DEMAND_PAGING);
        }
        if (Access.MEMORY_WINDOW_BIND.in(rights)) {
            Device.LIMITS.require(Feature.MEMORY_WINDOW_TYPE_1);
        }
        long base = Access.ZERO_BASED.in(rights) ? 0 : segment.address();
        int key;
        synchronized (Fabric.LOCK) {
            key = verbs.regions().add(new Region(segment, base, rights, this));
        }
        try {
            return new RegisteredBuffer(this, segment, key, key, base, rights, () -> deregister(key), owned);
        } catch (RuntimeException | Error e) {
            deregister(key);
            throw e;
        }
    }

    /** Takes the access away; who copies holds the lock, so that nobody does any more when this returns. */
    private void deregister(int key) {
        synchronized (Fabric.LOCK) {
            verbs.regions().remove(key);
        }
    }

    @Override
    public MemoryWindow memoryWindow(MemoryWindow.Type type) {
        Feature feature =
                type == MemoryWindow.Type.TYPE_1 ? Feature.MEMORY_WINDOW_TYPE_1 : Feature.MEMORY_WINDOW_TYPE_2;
        throw new UnsupportedOperationException("device " + Device.NAME + " lacks " + feature);
    }

    @Override
    public SharedReceiveQueue sharedReceiveQueue(SharedReceiveQueueConfig config) {
        Device.LIMITS.check(config);
        return new LocalSharedReceiveQueue(this, config);
    }

    @Override
    public QueuePair queuePair(QueuePairConfig config) {
        return create(config);
    }

    /** Makes a queue pair of this domain. */
    LocalQueuePair create(QueuePairConfig config) {
        if (config.domain() != this) {
            throw new IllegalArgumentException("the configuration is for another domain than " + resourceName());
        }
        Device.LIMITS.check(config);
        return new LocalQueuePair(
                this, own(config.sendQueue()), own(config.receiveQueue()), own(config.shared()), config);
    }

    private LocalCompletionQueue own(CompletionQueue queue) {
        if (queue instanceof LocalCompletionQueue ours && ours.isOf(verbs)) {
            return ours;
        }
        throw new IllegalArgumentException("the completion queue is not of " + verbs.resourceName());
    }

    private @Nullable LocalSharedReceiveQueue own(@Nullable SharedReceiveQueue queue) {
        if (queue == null) {
            return null;
        }
        if (queue instanceof LocalSharedReceiveQueue ours && ours.isOf(this)) {
            return ours;
        }
        throw new IllegalArgumentException("the shared receive queue is not of " + resourceName());
    }
}

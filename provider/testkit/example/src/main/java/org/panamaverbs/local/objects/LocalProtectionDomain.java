package org.panamaverbs.local.objects;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.support.Creation;
import org.panamaverbs.api.support.Ours;
import org.panamaverbs.api.support.Registrar;
import org.panamaverbs.local.context.Device;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.local.context.OpenDevice;
import org.panamaverbs.local.context.Region;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.RegisteredBuffer;

/** A protection domain: registers memory and makes what may use it. */
public final class LocalProtectionDomain extends ManagedResource implements Registrar {
    private final OpenDevice device;

    public LocalProtectionDomain(OpenDevice device) {
        super("protection domain " + Fabric.nextNumber(), device);
        this.device = device;
    }

    public OpenDevice device() {
        return device;
    }

    @Override
    public RegisteredBuffer enable(MemorySegment segment, long base, int rights, @Nullable MemorySlab owned) {
        Device.LIMITS.checkRights(rights);
        if (Access.MEMORY_WINDOW_BIND.in(rights)) {
            Device.LIMITS.require(Feature.MEMORY_WINDOW_TYPE_1);
        }
        long bytes = segment.byteSize();
        RegisteredBuffer made = Creation.of(
                () -> add(new Region(segment, base, rights, this)),
                key -> new RegisteredBuffer(this, segment, key, key, base, rights, () -> close(key, bytes), owned),
                this::deregister);
        device.watch().registered(resourceName(), bytes, rights);
        return made;
    }

    private int add(Region region) {
        synchronized (Fabric.LOCK) {
            return device.regions().add(region);
        }
    }

    /** Takes the access away; who copies holds the lock, so that nobody does any more when this returns. */
    private void deregister(int key) {
        synchronized (Fabric.LOCK) {
            device.regions().remove(key);
        }
    }

    private void close(int key, long bytes) {
        deregister(key);
        device.watch().deregistered(resourceName(), bytes);
    }

    @Override
    public MemoryWindow memoryWindow(MemoryWindow.Type type) {
        requireOpen();
        Device.LIMITS.require(type);
        throw new AssertionError("it has none");
    }

    @Override
    public SharedReceiveQueue sharedReceiveQueue(SharedReceiveQueueConfig config) {
        requireOpen();
        Device.LIMITS.check(config);
        return new LocalSharedReceiveQueue(device, this, config);
    }

    @Override
    public QueuePair queuePair(QueuePairConfig config) {
        return create(config);
    }

    /** Makes a queue pair of this domain. */
    public LocalQueuePair create(QueuePairConfig config) {
        requireOwn(config);
        Device.LIMITS.check(config);
        LocalSharedReceiveQueue shared = Ours.orNull(
                "shared receive queue",
                config.shared(),
                LocalSharedReceiveQueue.class,
                LocalSharedReceiveQueue::domain,
                this);
        return new LocalQueuePair(device, this, own(config.sendQueue()), own(config.receiveQueue()), shared, config);
    }

    private LocalCompletionQueue own(CompletionQueue queue) {
        return Ours.of("completion queue", queue, LocalCompletionQueue.class, LocalCompletionQueue::device, device);
    }
}

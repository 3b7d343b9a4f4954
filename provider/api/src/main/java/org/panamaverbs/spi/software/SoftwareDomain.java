package org.panamaverbs.spi.software;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.Registrar;

/**
 * A protection domain of a {@link SoftwareDevice}, which registers memory. A provider adds its queue pairs. Any thread
 * may call any method.
 */
public abstract class SoftwareDomain extends ManagedResource implements Registrar {
    private final SoftwareDevice device;

    /** Creates a domain of {@code device}. */
    protected SoftwareDomain(SoftwareDevice device) {
        super("protection domain " + SoftwareDevice.nextNumber(), device);
        this.device = device;
    }

    /** Returns the device. */
    public final SoftwareDevice device() {
        return device;
    }

    @Override
    public final RegisteredBuffer enable(MemorySegment segment, long base, int rights, @Nullable MemorySlab owned) {
        device.limits().checkRights(rights);
        if (Access.MEMORY_WINDOW_BIND.in(rights)) {
            device.limits().require(Feature.MEMORY_WINDOW_TYPE_1);
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
        synchronized (device.lock()) {
            return device.regions().add(region);
        }
    }

    /** Takes the access away; requests are carried out with the lock held, so that none accesses it any more. */
    private void deregister(int key) {
        synchronized (device.lock()) {
            device.regions().remove(key);
        }
    }

    private void close(int key, long bytes) {
        deregister(key);
        device.watch().deregistered(resourceName(), bytes);
    }

    @Override
    public final MemoryWindow memoryWindow(MemoryWindow.Type type) {
        requireOpen();
        device.limits().require(type);
        throw new AssertionError("software devices have no memory windows");
    }

    @Override
    public final SharedReceiveQueue sharedReceiveQueue(SharedReceiveQueueConfig config) {
        requireOpen();
        device.limits().check(config);
        return new SoftwareSharedReceiveQueue(device, this, config);
    }
}

package org.panamaverbs.ibverbs.objects;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AddressHandle;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.support.Registrar;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.RegisteredBuffer;

/** A protection domain. */
public final class IbvProtectionDomain extends ManagedResource implements ProtectionDomain, Registrar {
    private final IbvContext context;
    private final MemorySegment handle;
    private final Registrations registrations;

    IbvProtectionDomain(IbvContext context, int number, MemorySegment handle) {
        super("protection domain " + number, context);
        this.context = context;
        this.handle = handle;
        try {
            registrations = new Registrations(context, handle);
        } catch (Error e) {
            abandon();
            throw e;
        }
    }

    IbvContext context() {
        return context;
    }

    MemorySegment handle() {
        return handle;
    }

    Registrations registrations() {
        return registrations;
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
        try (Making making = new Making("a registration", this)) {
            making.requireOpen();
            return Natives.make(
                    () -> registrations.register(segment, rights),
                    made -> new RegisteredBuffer(
                            this,
                            segment,
                            made.region().lkey(),
                            made.rkey(),
                            made.region().taggedOffset(),
                            rights,
                            () -> registrations.deregister(made.region()),
                            owned),
                    made -> registrations.deregister(made.region()));
        }
    }

    @Override
    public RegisteredBuffer registerDmaBuf(int fileDescriptor, long offset, long bytes, long iova, Access... access) {
        try (Making making = new Making("a registration", this)) {
            making.requireOpen();
            return DmaBuf.register(this, fileDescriptor, offset, bytes, iova, Access.mask(access));
        }
    }

    @Override
    public MemoryWindow memoryWindow(MemoryWindow.Type type) {
        try (Making making = new Making("a memory window", this)) {
            making.requireOpen();
            return IbvMemoryWindow.create(this, type);
        }
    }

    @Override
    public SharedReceiveQueue sharedReceiveQueue(SharedReceiveQueueConfig config) {
        try (Making making = new Making("a shared receive queue", this)) {
            making.requireOpen();
            return IbvSharedReceiveQueue.create(this, config);
        }
    }

    @Override
    public QueuePair queuePair(QueuePairConfig config) {
        return create(config);
    }

    /** Makes a queue pair of this domain. */
    public IbvQueuePair create(QueuePairConfig config) {
        requireOpen();
        if (config.domain() != this) {
            throw new IllegalArgumentException("the configuration is for another domain than " + resourceName());
        }
        return QueuePairMaker.make(this, config);
    }

    @Override
    public AddressHandle addressHandle(AddressHandleConfig config) {
        try (Making making = new Making("an address handle", this)) {
            making.requireOpen();
            return IbvAddressHandle.create(this, config);
        }
    }

    @Override
    protected void destroy() {
        IbvCalls.DEALLOC_PD.check(resourceName(), handle);
    }
}

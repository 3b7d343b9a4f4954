package org.panamaverbs.ibverbs.queuepair;

import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AddressHandle;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.GrhView;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.ext.Adoption;
import org.panamaverbs.api.ext.DeviceMemory;
import org.panamaverbs.api.ext.MemoryAdvice;
import org.panamaverbs.api.ext.NativeObject;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.call.Undo;
import org.panamaverbs.ibverbs.context.HeldParents;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.memory.Advice;
import org.panamaverbs.ibverbs.memory.DmaBuf;
import org.panamaverbs.ibverbs.memory.Domain;
import org.panamaverbs.ibverbs.memory.IbvDeviceMemory;
import org.panamaverbs.ibverbs.memory.IbvMemoryWindow;
import org.panamaverbs.ibverbs.memory.Registration;
import org.panamaverbs.ibverbs.memory.Reregistration;
import org.panamaverbs.ibverbs.memory.SegmentlessRegions;
import org.panamaverbs.ibverbs.post.IbvAddressHandle;
import org.panamaverbs.ibverbs.post.IbvSharedReceiveQueue;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RegistrationChecks;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.Ours;
import org.panamaverbs.spi.support.Registrar;

/** A protection domain. */
public class IbvProtectionDomain extends Domain implements Registrar, NativeObject {
    IbvProtectionDomain(IbvContext context, int number, MemorySegment handle) {
        super(context, number, handle);
    }

    /** Takes over {@code handle}, of a parent domain of {@code beneath}. */
    IbvProtectionDomain(IbvProtectionDomain beneath, ManagedResource threads, MemorySegment handle) {
        super(beneath, threads, handle);
    }

    /** Creates a protection domain. */
    public static IbvProtectionDomain create(IbvContext context) {
        try (HeldParents held = new HeldParents("a protection domain", context)) {
            held.requireOpen();
            return Creation.of(
                    () -> IbvCalls.ALLOC_PD.pointer(context.resourceName(), context.handle()),
                    domain -> new IbvProtectionDomain(context, context.nextNumber(), domain),
                    Undo.DEALLOC_PD);
        }
    }

    /**
     * Returns {@code domain} as one of {@code context}.
     *
     * @throws IllegalArgumentException if it is not
     */
    public static IbvProtectionDomain own(ProtectionDomain domain, IbvContext context) {
        return Ours.of("protection domain", domain, IbvProtectionDomain.class, Domain::context, context);
    }

    @Override
    public RegisteredBuffer enable(MemorySegment segment, long iova, int rights, @Nullable MemorySlab owned) {
        try (HeldParents held = new HeldParents("a registration", this)) {
            held.requireOpen();
            long bytes = segment.byteSize();
            RegisteredBuffer buffer = Creation.of(
                    () -> register(segment, iova, rights),
                    made -> new RegisteredBuffer(
                            owner(),
                            segment,
                            made.region().lkey(),
                            made.rkey(),
                            made.region().taggedOffset(),
                            rights,
                            () -> {
                                if (registrations().deregister(made.region())) {
                                    context().watch().deregistered(resourceName(), bytes);
                                }
                            },
                            owned),
                    made -> registrations().takeBack(made.region()));
            context().watch().registered(resourceName(), bytes, rights);
            return buffer;
        }
    }

    private Registration register(MemorySegment segment, long iova, int rights) {
        try {
            return registrations().register(segment, iova, rights);
        } catch (VerbsException e) {
            context().watch().notRegistered(resourceName(), segment.byteSize(), rights, e);
            throw e;
        }
    }

    @Override
    public RegisteredBuffer register(DeviceMemory memory, long offset, long bytes, Access... access) {
        context().limits().require(Feature.DEVICE_MEMORY);
        IbvDeviceMemory its =
                Ours.of("device memory", memory, IbvDeviceMemory.class, IbvDeviceMemory::context, context());
        return registering(() -> SegmentlessRegions.ofDevice(owner(), its, offset, bytes, Access.mask(access)));
    }

    @Override
    public RegisteredBuffer registerAddressSpace(Access... access) {
        return registering(() -> SegmentlessRegions.ofAddressSpace(owner(), Access.mask(access)));
    }

    @Override
    public RegisteredBuffer nullRegion() {
        return registering(() -> SegmentlessRegions.ofNothing(owner()));
    }

    @Override
    public RegisteredBuffer reregister(RegisteredBuffer buffer, Access... access) {
        int rights = Access.mask(access);
        RegistrationChecks.requireAccess(rights);
        return registering(() -> Reregistration.of(owner(), buffer, null, rights));
    }

    @Override
    public RegisteredBuffer reregister(RegisteredBuffer buffer, MemorySegment segment, Access... access) {
        int rights = Access.mask(access);
        RegistrationChecks.requireRegistrable(segment, rights);
        RegistrationChecks.requireShareable(segment);
        RegistrationChecks.requireBase(segment, segment.address(), rights);
        return registering(() -> Reregistration.of(owner(), buffer, segment, rights));
    }

    private RegisteredBuffer registering(Supplier<RegisteredBuffer> registration) {
        try (HeldParents held = new HeldParents("a registration", this)) {
            held.requireOpen();
            return registration.get();
        }
    }

    @Override
    public void advise(MemoryAdvice advice, boolean wait, SgList ranges) {
        try (HeldParents held = new HeldParents("an advice", this)) {
            held.requireOpen();
            Advice.give(owner(), advice, wait, ranges);
        }
    }

    @Override
    public <R> R withNative(Function<MemorySegment, R> use) {
        try (HeldParents held = new HeldParents("a use of the native object", this)) {
            held.requireOpen();
            return use.apply(MemorySegment.ofAddress(handle().address()));
        }
    }

    @Override
    public RegisteredBuffer registerDmaBuf(int fileDescriptor, long offset, long bytes, long iova, Access... access) {
        try (HeldParents held = new HeldParents("a registration", this)) {
            held.requireOpen();
            return DmaBuf.register(owner(), fileDescriptor, offset, bytes, iova, Access.mask(access));
        }
    }

    @Override
    public MemoryWindow memoryWindow(MemoryWindow.Type type) {
        try (HeldParents held = new HeldParents("a memory window", this)) {
            held.requireOpen();
            return IbvMemoryWindow.create(owner(), type);
        }
    }

    @Override
    public SharedReceiveQueue sharedReceiveQueue(SharedReceiveQueueConfig config) {
        try (HeldParents held = new HeldParents("a shared receive queue", this)) {
            held.requireOpen();
            return IbvSharedReceiveQueue.create(this, config);
        }
    }

    @Override
    public QueuePair queuePair(QueuePairConfig config) {
        return create(config);
    }

    @Override
    public QueuePair adopt(Adoption adoption, QueuePairConfig config) {
        requireOwn(config);
        return QueuePairAdoption.of(this, adoption, config);
    }

    /** Makes a queue pair of this domain. */
    public IbvQueuePair create(QueuePairConfig config) {
        requireOwn(config);
        return QueuePairMaker.make(this, config);
    }

    @Override
    public AddressHandle addressHandle(AddressHandleConfig config) {
        try (HeldParents held = new HeldParents("an address handle", this)) {
            held.requireOpen();
            return IbvAddressHandle.create(this, config);
        }
    }

    @Override
    public AddressHandle addressHandle(WorkCompletion received, GrhView header, int port) {
        try (HeldParents held = new HeldParents("an address handle", this)) {
            held.requireOpen();
            return IbvAddressHandle.back(this, received, header, port);
        }
    }
}

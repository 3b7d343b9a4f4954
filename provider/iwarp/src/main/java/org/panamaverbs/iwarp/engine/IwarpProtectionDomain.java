package org.panamaverbs.iwarp.engine;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Capabilities;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.iwarp.core.Region;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RegistrationChecks;

/** A protection domain: registers memory and makes what may use it. */
final class IwarpProtectionDomain extends ManagedResource implements ProtectionDomain {
    private static final int SPINS_BEFORE_YIELD = 1000;

    private final IwarpVerbs verbs;
    private final int number;

    IwarpProtectionDomain(IwarpVerbs verbs, int number) {
        super("protection domain " + number, verbs);
        this.verbs = verbs;
        this.number = number;
    }

    IwarpVerbs verbs() {
        return verbs;
    }

    /** Returns its number, which streams compare. */
    int number() {
        return number;
    }

    @Override
    public RegisteredBuffer allocate(long bytes, Access... access) {
        requireOpen();
        int rights = Access.mask(access);
        RegistrationChecks.requireAccess(rights);
        MemorySlab slab = Access.HUGE_PAGES.in(rights) ? MemorySlab.allocateHuge(bytes) : MemorySlab.allocate(bytes);
        try {
            return register(slab.segment(), rights, slab);
        } catch (RuntimeException e) {
            slab.close();
            throw e;
        }
    }

    @Override
    public RegisteredBuffer register(MemorySegment segment, Access... access) {
        requireOpen();
        int rights = Access.mask(access);
        RegistrationChecks.requireRegistrable(segment, rights);
        RegistrationChecks.requireShareable(segment);
        return register(segment, rights, null);
    }

    private RegisteredBuffer register(MemorySegment segment, int rights, @Nullable MemorySlab owned) {
        requireFeatures(rights);
        long base = Access.ZERO_BASED.in(rights) ? 0 : segment.address();
        Region region = verbs.stags().enable(segment, base, rights, number);
        if (region == null) {
            throw tableFull("reg_mr");
        }
        int stag = region.stag();
        try {
            return new RegisteredBuffer(this, segment, stag, stag, base, rights, () -> disable(region), owned);
        } catch (RuntimeException e) {
            disable(region);
            throw e;
        }
    }

    private static void requireFeatures(int rights) {
        if (Access.ON_DEMAND.in(rights)) {
            Device.CAPABILITIES.require(Capabilities.Feature.ON_DEMAND_PAGING, Device.NAME);
        }
    }

    private static ResourceException tableFull(String operation) {
        return new ResourceException(
                operation,
                "device " + Device.NAME + " has " + Device.MAX_REGIONS
                        + " registrations and windows: close some, or cut buffers out of one registration",
                0);
    }

    /** Takes the access away; when it returns, no octet of a peer gets there any more. */
    void disable(Region region) {
        region.revoke();
        int spins = 0;
        while (!region.quiescent()) {
            // A bind that was under way has let peers into the window again.
            region.revoke();
            if (++spins % SPINS_BEFORE_YIELD == 0) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
        verbs.stags().remove(region);
    }

    /** Returns a random number for a window's next key. */
    int randomKey() {
        return verbs.random().getAsInt();
    }

    @Override
    public MemoryWindow memoryWindow(MemoryWindow.Type type) {
        requireOpen();
        Region region = verbs.stags().reserve(number);
        if (region == null) {
            throw tableFull("alloc_mw");
        }
        try {
            return new IwarpMemoryWindow(this, type, region);
        } catch (RuntimeException e) {
            disable(region);
            throw e;
        }
    }

    @Override
    public SharedReceiveQueue sharedReceiveQueue(SharedReceiveQueueConfig config) {
        requireOpen();
        Device.checked("maxWr", config.maxWr(), 1, Device.CAPABILITIES.maxSrqWr());
        Device.checked("maxSge", config.maxSge(), 1, Device.CAPABILITIES.maxSge());
        verbs.sharedReceiveQueues().take();
        try {
            return new IwarpSharedReceiveQueue(verbs, this, verbs.nextNumber(), config);
        } catch (RuntimeException e) {
            verbs.sharedReceiveQueues().giveBack();
            throw e;
        }
    }

    @Override
    public QueuePair queuePair(QueuePairConfig config) {
        return create(config);
    }

    /** Makes a queue pair of this domain. */
    IwarpQueuePair create(QueuePairConfig config) {
        requireOpen();
        Capabilities limits = Device.CAPABILITIES;
        if (config.domain() != this) {
            throw new IllegalArgumentException("the configuration is for another domain than " + resourceName());
        }
        if (config.type() != QueuePairType.RC) {
            throw new UnsupportedOperationException("device " + Device.NAME + " has only queue pairs of type "
                    + QueuePairType.RC + ", not " + config.type() + ": iWARP is a reliable stream");
        }
        Device.checked("maxSendWr", config.maxSendWr(), 1, limits.maxQpWr());
        Device.checked("maxRecvWr", config.maxRecvWr(), 0, limits.maxQpWr());
        Device.checked("maxSendSge", config.maxSendSge(), 1, limits.maxSge());
        Device.checked("maxRecvSge", config.maxRecvSge(), 1, limits.maxSge());
        Device.checked("maxInlineBytes", config.maxInlineBytes(), 0, limits.maxInlineBytes());
        IwarpCompletionQueue send = own(config.sendQueue());
        IwarpCompletionQueue receive = own(config.receiveQueue());
        IwarpSharedReceiveQueue shared = null;
        if (config.shared() != null) {
            if (!(config.shared() instanceof IwarpSharedReceiveQueue ours) || !ours.isOf(verbs)) {
                throw new IllegalArgumentException("the shared receive queue is of another context or provider");
            }
            shared = ours;
        }
        verbs.queuePairs().take();
        try {
            return new IwarpQueuePair(verbs, this, send, receive, shared, verbs.nextNumber(), config);
        } catch (RuntimeException e) {
            verbs.queuePairs().giveBack();
            throw e;
        }
    }

    private IwarpCompletionQueue own(CompletionQueue queue) {
        if (queue instanceof IwarpCompletionQueue ours && ours.isOf(verbs)) {
            return ours;
        }
        throw new IllegalArgumentException("the completion queue is of another context or provider");
    }

    @Override
    protected void release() {
        verbs.domains().giveBack();
    }
}

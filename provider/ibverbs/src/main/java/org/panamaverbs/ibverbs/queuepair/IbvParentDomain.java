package org.panamaverbs.ibverbs.queuepair;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.ext.ParentDomain;
import org.panamaverbs.ibverbs.completion.CompletionQueueMaker;
import org.panamaverbs.memory.ManagedResource;

/** A parent domain. What is registered here is of the domain beneath. */
final class IbvParentDomain extends IbvProtectionDomain implements ParentDomain {
    private final IbvProtectionDomain beneath;

    /** Takes over {@code handle}; {@code threads} is its thread domain. */
    IbvParentDomain(IbvProtectionDomain beneath, ManagedResource threads, MemorySegment handle) {
        super(beneath, threads, handle);
        this.beneath = beneath;
    }

    @Override
    public CompletionQueue completionQueue(CompletionQueueConfig config) {
        return CompletionQueueMaker.make(context(), config, this, handle());
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return beneath;
    }
}

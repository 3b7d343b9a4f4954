package org.panamaverbs.ibverbs.queuepair;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.ParentDomain;
import org.panamaverbs.api.ProtectionDomain;
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
    public ProtectionDomain protectionDomain() {
        return beneath;
    }
}

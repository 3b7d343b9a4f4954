package org.panamaverbs.memory;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** A domain whose registrations have no adapter behind them; it keeps the order in which they end. */
final class TestDomain extends ManagedResource {
    static final int ALL_RIGHTS =
            Access.mask(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);

    final List<String> events = new ArrayList<>();

    TestDomain() {
        super("test domain");
    }

    /** A buffer that owns its memory. */
    RegisteredBuffer allocate(long bytes) {
        MemorySlab slab = MemorySlab.allocate(bytes);
        return new RegisteredBuffer(
                this,
                slab.segment(),
                0x11,
                0x22,
                slab.segment().address(),
                ALL_RIGHTS,
                () -> events.add(slab.isOpen() ? "deregister" : "deregister too late"),
                slab);
    }

    /** A buffer over memory of the caller, whose first byte has the given tagged offset. */
    RegisteredBuffer register(MemorySegment segment, long taggedOffset, int access) {
        return new RegisteredBuffer(
                this, segment, 0x11, 0x22, taggedOffset, access, () -> events.add("deregister"), null);
    }

    RegisteredBuffer register(MemorySegment segment) {
        return register(segment, segment.address(), ALL_RIGHTS);
    }

    @Override
    protected void release() {
        events.add("domain");
    }
}

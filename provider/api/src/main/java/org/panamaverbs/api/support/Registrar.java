package org.panamaverbs.api.support;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RegistrationChecks;

/**
 * What a protection domain does beside telling its device: it checks what is to be registered, allocates slabs, and
 * sees that what it makes a queue pair of is its own. A domain extends {@link ManagedResource}, which has the first two
 * methods, and implements {@link #enable}.
 */
public interface Registrar extends ProtectionDomain {
    /** Returns if the domain is open, as {@link ManagedResource#requireOpen} does. */
    void requireOpen();

    /** Returns what messages call the domain, as {@link ManagedResource#resourceName} does. */
    String resourceName();

    /**
     * Registers memory that was checked.
     *
     * @param taggedOffset of the first byte, unsigned; it does not wrap
     * @param rights mask of {@link Access#bit}, which do not contradict each other
     * @param owned what the buffer is to close after its registration, null if the memory is the caller's; if this
     *     throws, it is still the caller's, too
     */
    RegisteredBuffer enable(MemorySegment segment, long taggedOffset, int rights, @Nullable MemorySlab owned);

    /**
     * Allocates a slab, of huge pages if the rights say so, and registers it; if that fails, the slab is freed.
     *
     * @throws IllegalArgumentException if {@code bytes} is not positive or the rights contradict each other
     */
    @Override
    default RegisteredBuffer allocate(long bytes, Access... access) {
        requireOpen();
        int rights = Access.mask(access);
        RegistrationChecks.requireAccess(rights);
        boolean huge = Access.HUGE_PAGES.in(rights);
        return Creation.of(
                () -> huge ? MemorySlab.allocateHuge(bytes) : MemorySlab.allocate(bytes),
                slab -> enable(slab.segment(), taggedOffset(slab.segment(), rights), rights, slab),
                MemorySlab::close);
    }

    /**
     * Registers memory of the caller's.
     *
     * @throws IllegalArgumentException if it cannot be registered with these rights, or is confined to one thread
     */
    @Override
    default RegisteredBuffer register(MemorySegment segment, Access... access) {
        requireOpen();
        int rights = Access.mask(access);
        RegistrationChecks.requireRegistrable(segment, rights);
        RegistrationChecks.requireShareable(segment);
        return enable(segment, taggedOffset(segment, rights), rights, null);
    }

    /**
     * Registers memory of the caller's with a base of the caller's.
     *
     * @throws IllegalArgumentException if it cannot be registered with these rights, or with that base
     */
    @Override
    default RegisteredBuffer register(MemorySegment segment, long taggedOffset, Access... access) {
        requireOpen();
        int rights = Access.mask(access);
        RegistrationChecks.requireRegistrable(segment, rights);
        RegistrationChecks.requireShareable(segment);
        RegistrationChecks.requireBase(segment, taggedOffset, rights);
        return enable(segment, taggedOffset, rights, null);
    }

    private static long taggedOffset(MemorySegment segment, int rights) {
        return Access.ZERO_BASED.in(rights) ? 0 : segment.address();
    }

    /**
     * Does nothing if {@code config} is for a queue pair of this domain, and the domain is open.
     *
     * @throws IllegalArgumentException if it is for another domain
     */
    default void requireOwn(QueuePairConfig config) {
        requireOpen();
        if (!config.domain().equals(this)) {
            throw new IllegalArgumentException("the configuration is for another domain than " + resourceName());
        }
    }
}

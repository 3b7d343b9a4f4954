package org.panamaverbs.spi.support;

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
 * The checks of a protection domain: validates registrations, allocates slabs, and checks that queue pairs use objects
 * of the domain. A domain extends {@link ManagedResource}, which has the first two methods, and implements
 * {@link #enable}.
 */
public interface Registrar extends ProtectionDomain {
    /** Checks that the domain is open, as {@link ManagedResource#requireOpen}. */
    void requireOpen();

    /** Returns the domain's name in messages, as {@link ManagedResource#resourceName}. */
    String resourceName();

    /**
     * Registers memory that was checked.
     *
     * @param iova the iova of the first byte, unsigned; the range does not wrap
     * @param rights mask of {@link Access#bit}, without contradictions
     * @param owned closed by the buffer after deregistration, null if the memory is the caller's; if this throws, it
     *     stays the caller's as well
     */
    RegisteredBuffer enable(MemorySegment segment, long iova, int rights, @Nullable MemorySlab owned);

    /**
     * Allocates a slab, of huge pages if the rights say so, and registers it; after a failure the slab is freed.
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
                slab -> enable(slab.segment(), iova(slab.segment(), rights), rights, slab),
                MemorySlab::close);
    }

    /**
     * Registers memory of the caller.
     *
     * @throws IllegalArgumentException if it cannot be registered with these rights, or is confined to one thread
     */
    @Override
    default RegisteredBuffer register(MemorySegment segment, Access... access) {
        requireOpen();
        int rights = Access.mask(access);
        RegistrationChecks.requireRegistrable(segment, rights);
        RegistrationChecks.requireShareable(segment);
        return enable(segment, iova(segment, rights), rights, null);
    }

    /**
     * Registers memory of the caller under a base chosen by the caller.
     *
     * @throws IllegalArgumentException if it cannot be registered with these rights, or with that base
     */
    @Override
    default RegisteredBuffer register(MemorySegment segment, long iova, Access... access) {
        requireOpen();
        int rights = Access.mask(access);
        RegistrationChecks.requireRegistrable(segment, rights);
        RegistrationChecks.requireShareable(segment);
        RegistrationChecks.requireBase(segment, iova, rights);
        return enable(segment, iova, rights, null);
    }

    private static long iova(MemorySegment segment, int rights) {
        return Access.ZERO_BASED.in(rights) ? 0 : segment.address();
    }

    /**
     * Checks that {@code config} names this domain, and that the domain is open.
     *
     * @throws IllegalArgumentException if it names another domain
     */
    default void requireOwn(QueuePairConfig config) {
        requireOpen();
        if (!config.domain().equals(this)) {
            throw new IllegalArgumentException("the configuration is for another domain than " + resourceName());
        }
    }
}

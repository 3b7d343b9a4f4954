package org.panamaverbs.api.support;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RegistrationChecks;

/**
 * What a protection domain does about memory beside telling its device: it checks what is to be registered, and
 * allocates slabs. A domain implements {@link #enable} and lets {@code ProtectionDomain.allocate} and {@code register}
 * come here.
 */
@FunctionalInterface
public interface Registrar {
    /**
     * Registers memory that was checked.
     *
     * @param rights mask of {@link Access#bit}, which do not contradict each other
     * @param owned what the buffer is to close after its registration, null if the memory is the caller's; if this
     *     throws, it is still the caller's, too
     */
    RegisteredBuffer enable(MemorySegment segment, int rights, @Nullable MemorySlab owned);

    /**
     * Allocates a slab, of huge pages if the rights say so, and registers it; if that fails, the slab is freed.
     *
     * @throws IllegalArgumentException if {@code bytes} is not positive or the rights contradict each other
     */
    default RegisteredBuffer allocateSlab(long bytes, Access... access) {
        int rights = Access.mask(access);
        RegistrationChecks.requireAccess(rights);
        MemorySlab slab = Access.HUGE_PAGES.in(rights) ? MemorySlab.allocateHuge(bytes) : MemorySlab.allocate(bytes);
        try {
            return enable(slab.segment(), rights, slab);
        } catch (RuntimeException | Error e) {
            try {
                slab.close();
            } catch (RuntimeException also) {
                e.addSuppressed(also);
            }
            throw e;
        }
    }

    /**
     * Registers memory of the caller's.
     *
     * @throws IllegalArgumentException if it cannot be registered with these rights, or is confined to one thread
     */
    default RegisteredBuffer registerSegment(MemorySegment segment, Access... access) {
        int rights = Access.mask(access);
        RegistrationChecks.requireRegistrable(segment, rights);
        RegistrationChecks.requireShareable(segment);
        return enable(segment, rights, null);
    }
}

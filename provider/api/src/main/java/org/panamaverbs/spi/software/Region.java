package org.panamaverbs.spi.software;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.TaggedOffset;

/**
 * Memory that requests may name by a key.
 *
 * @param segment the memory
 * @param base the tagged offset of its first byte
 * @param rights mask of {@link Access#bit}
 * @param domain whose queue pairs may use it, null for the copy of inline data
 */
record Region(
        MemorySegment segment,
        long base,
        int rights,
        @Nullable ProtectionDomain domain) {

    /**
     * Returns whether a queue pair of {@code user} may access these bytes with {@code right}, null for a local read.
     */
    boolean grants(ProtectionDomain user, long address, long length, @Nullable Access right) {
        return user.equals(domain)
                && (right == null || right.in(rights))
                && TaggedOffset.within(address, length, base, segment.byteSize())
                && segment.scope().isAlive();
    }
}

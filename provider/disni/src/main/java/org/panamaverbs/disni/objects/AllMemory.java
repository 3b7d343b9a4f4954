package org.panamaverbs.disni.objects;

import java.lang.foreign.MemorySegment;

/**
 * All memory, to copy from where DiSNI says: its callers vouch for addresses, as in C. A class of its own, so that only
 * programs with inline or private data meet a restricted method of the JDK.
 */
public final class AllMemory {
    public static final MemorySegment SEGMENT = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private AllMemory() {}
}

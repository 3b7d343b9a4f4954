package org.panamaverbs.memory.access;

import java.lang.foreign.MemorySegment;

/**
 * Native memory in the form that the JIT compiles best. A process that has accessed segments of native memory, mapped
 * files and arrays at one call site of the JDK pays for virtual calls there: 10 ns instead of 3 for a copy of 64 bytes.
 * A type check just before avoids the calls.
 */
public final class PlainMemory {
    private static final Class<?> NATIVE = MemorySegment.NULL.getClass();

    private PlainMemory() {}

    /** Returns the memory of {@code sealed}, a mapped file that cannot be truncated, as native memory. */
    public static MemorySegment of(MemorySegment sealed) {
        return sealed.reinterpret(sealed.byteSize());
    }

    /** Returns {@code segment} itself; its type is known to the compiler if it is native memory. */
    public static MemorySegment known(MemorySegment segment) {
        return segment.getClass() == NATIVE ? segment : other(segment);
    }

    // By itself: the compiler leaves out what has never happened, and all that is behind it knows the kind.
    private static MemorySegment other(MemorySegment segment) {
        return segment;
    }
}

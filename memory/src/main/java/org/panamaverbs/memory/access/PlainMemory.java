package org.panamaverbs.memory.access;

import java.lang.foreign.MemorySegment;

/**
 * Native memory as the compiler knows it best. There are segments of native memory, of mapped files and of arrays, and
 * a process that has accessed all three kinds at one place of the JDK's code pays for calls there from then on: 64
 * bytes are copied in 10 ns in place of 3. Where the kind is asked for just before, the compiler needs no calls.
 */
public final class PlainMemory {
    private static final Class<?> NATIVE = MemorySegment.NULL.getClass();

    private PlainMemory() {}

    /** Returns the memory of {@code sealed}, a mapped file that nobody can make smaller, as native memory. */
    public static MemorySegment of(MemorySegment sealed) {
        return sealed.reinterpret(sealed.byteSize());
    }

    /** Returns {@code segment}, as one of native memory if it is that. */
    public static MemorySegment known(MemorySegment segment) {
        return segment.getClass() == NATIVE ? segment : other(segment);
    }

    // By itself: the compiler leaves out what has never happened, and all that is behind it knows the kind.
    private static MemorySegment other(MemorySegment segment) {
        return segment;
    }
}

package org.panamaverbs.testkit.random;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Bytes to send around. */
public final class Patterns {
    private Patterns() {}

    /** Returns {@code length} bytes that depend on {@code seed} and nowhere repeat soon. */
    public static byte[] bytes(long seed, int length) {
        return new SeededRandom(seed).bytes(length);
    }

    /** Returns {@code data} in memory outside the heap. */
    public static MemorySegment nativeCopy(Arena arena, byte[] data) {
        return arena.allocateFrom(ValueLayout.JAVA_BYTE, data);
    }
}

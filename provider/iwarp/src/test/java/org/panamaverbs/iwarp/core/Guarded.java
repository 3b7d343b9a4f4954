package org.panamaverbs.iwarp.core;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.memory.Access;

/** Registered memory between guard octets, which nothing may ever change. */
public final class Guarded {
    static final int ALL = Access.mask(
            Access.LOCAL_WRITE,
            Access.REMOTE_WRITE,
            Access.REMOTE_READ,
            Access.REMOTE_ATOMIC,
            Access.MEMORY_WINDOW_BIND);
    static final int LOCAL = Access.mask(Access.LOCAL_WRITE);

    private static final long GUARD_BYTES = 256;
    private static final byte GUARD = (byte) 0xA5;
    private static final MemorySegment GUARDS = guards();

    final MemorySegment memory;
    final Region region;
    final long base;
    private final MemorySegment whole;

    Guarded(StagTable stags, int bytes, long base, int access, int domain) {
        this(stags, Arena.ofAuto().allocate(withGuards(bytes), 64), base, access, domain);
    }

    /** Returns the octets of memory of {@code bytes} with its guards. */
    static long withGuards(long bytes) {
        return bytes + 2 * GUARD_BYTES;
    }

    /** Takes {@code whole}, memory and guards. */
    Guarded(StagTable stags, MemorySegment whole, long base, int access, int domain) {
        this.whole = whole;
        whole.fill(GUARD);
        memory = whole.asSlice(GUARD_BYTES, whole.byteSize() - 2 * GUARD_BYTES);
        memory.fill((byte) 0);
        this.base = base;
        region = Objects.requireNonNull(stags.enable(memory, base, access, domain), "STag table is full");
    }

    private static MemorySegment guards() {
        byte[] guards = new byte[(int) GUARD_BYTES];
        Arrays.fill(guards, GUARD);
        return MemorySegment.ofArray(guards);
    }

    int stag() {
        return region.stag();
    }

    int size() {
        return (int) memory.byteSize();
    }

    /** Fills the memory with octets that differ from place to place and from seed to seed. */
    Guarded pattern(int seed) {
        byte[] bytes = new byte[size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = octet(seed, i);
        }
        memory.copyFrom(MemorySegment.ofArray(bytes));
        return this;
    }

    static byte octet(int seed, int index) {
        return (byte) (index * 131 + (index >>> 8) * 17 + seed * 29 + 7);
    }

    Guarded put(long offset, byte... bytes) {
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, memory, offset, bytes.length);
        return this;
    }

    Guarded putLong(long offset, long value) {
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
        return this;
    }

    long getLong(long offset) {
        return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
    }

    byte[] bytes() {
        return memory.toArray(ValueLayout.JAVA_BYTE);
    }

    byte[] bytes(long offset, long length) {
        return memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Fails if an octet outside of the memory changed. */
    void assertGuards() {
        long end = whole.byteSize() - GUARD_BYTES;
        if (whole.asSlice(0, GUARD_BYTES).mismatch(GUARDS) >= 0
                || whole.asSlice(end).mismatch(GUARDS) >= 0) {
            throw new AssertionError("guard octets of STag 0x%08x were changed".formatted(stag()));
        }
    }
}

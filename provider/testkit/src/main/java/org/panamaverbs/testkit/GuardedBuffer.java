package org.panamaverbs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.Resources;

/** A registered buffer in the middle of memory that is not registered, which shows any byte written beside it. */
public final class GuardedBuffer {
    private static final int GUARD = 4096;
    private static final byte FILL = 0x5A;

    private final MemorySegment all;
    private final RegisteredBuffer buffer;

    private GuardedBuffer(MemorySegment all, RegisteredBuffer buffer) {
        this.all = all;
        this.buffer = buffer;
    }

    /** Registers {@code bytes} bytes; everything is filled with 0x5A. */
    public static GuardedBuffer register(Resources resources, ProtectionDomain domain, long bytes, Access... access) {
        Arena arena = resources.add(Arena.ofShared());
        MemorySegment all = arena.allocate(GUARD + bytes + GUARD, 4096).fill(FILL);
        return new GuardedBuffer(all, resources.add(domain.register(all.asSlice(GUARD, bytes), access)));
    }

    /** Returns the buffer. */
    public RegisteredBuffer buffer() {
        return buffer;
    }

    /** Returns a copy of the buffer's bytes; also after it was closed. */
    public byte[] bytes() {
        return all.asSlice(GUARD, all.byteSize() - 2 * GUARD).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Fails if a byte beside the buffer has changed. */
    public void expectGuardsIntact() {
        assertThat(all.asSlice(0, GUARD).toArray(ValueLayout.JAVA_BYTE)).containsOnly(FILL);
        assertThat(all.asSlice(all.byteSize() - GUARD, GUARD).toArray(ValueLayout.JAVA_BYTE))
                .containsOnly(FILL);
    }

    /** Fails if a byte of the buffer or beside it has changed. */
    public void expectUntouched() {
        assertThat(all.toArray(ValueLayout.JAVA_BYTE)).containsOnly(FILL);
    }
}

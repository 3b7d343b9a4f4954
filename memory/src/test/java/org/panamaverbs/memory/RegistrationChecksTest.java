package org.panamaverbs.memory;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegistrationChecksTest {
    private static final int LOCAL_WRITE = Access.LOCAL_WRITE.bit();

    private static void refuses(MemorySegment segment, int access, String... words) {
        assertThatThrownBy(() -> RegistrationChecks.requireRegistrable(segment, access))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void refusesHeapSegments() {
        refuses(MemorySegment.ofArray(new byte[8]), 0, "8 bytes", "heap", "MemorySlab.allocate");
        refuses(MemorySegment.ofArray(new long[8]), LOCAL_WRITE, "heap");
    }

    @Test
    void refusesEmptySegments() {
        refuses(MemorySegment.NULL, 0, "empty", "reinterpret");
        try (Arena arena = Arena.ofShared()) {
            refuses(arena.allocate(8).asSlice(8), 0, "empty");
        }
    }

    @Test
    void refusesReadOnlySegmentsToBeWritten() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment readOnly = arena.allocate(8).asReadOnly();
            refuses(readOnly, LOCAL_WRITE, "read-only", "LOCAL_WRITE");
            assertThatCode(() -> RegistrationChecks.requireRegistrable(readOnly, Access.REMOTE_READ.bit()))
                    .doesNotThrowAnyException();
        }
    }

    /** Iova 0 is a multiple of 8 and the address is not, or the other way round: no atomic could be right. */
    @Test
    void refusesAtomicsFromZeroOnWhereTheAddressIsNotAligned() {
        int atomic = Access.mask(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC);
        int zeroBased = Access.ZERO_BASED.bit();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment aligned = arena.allocate(24, 8);
            MemorySegment unaligned = aligned.asSlice(4, 16);
            refuses(unaligned, atomic | zeroBased, "not 8-byte aligned", "ZERO_BASED", "REMOTE_ATOMIC");
            RegistrationChecks.requireRegistrable(aligned, atomic | zeroBased);
            RegistrationChecks.requireRegistrable(unaligned, atomic);
            RegistrationChecks.requireRegistrable(unaligned, Access.LOCAL_WRITE.bit() | zeroBased);
        }
    }

    @Test
    void refusesSegmentsOfAClosedArena() {
        Arena arena = Arena.ofShared();
        MemorySegment segment = arena.allocate(8);
        RegistrationChecks.requireRegistrable(segment);
        arena.close();
        refuses(segment, 0, "arena is closed");
    }

    @Test
    void refusesSegmentsBeyondTheAddressSpace() {
        refuses(MemorySegment.ofAddress(-8L).reinterpret(9), 0, "address space");
    }

    @Test
    void refusesSegmentsOfOneThread() {
        try (Arena confined = Arena.ofConfined();
                Arena shared = Arena.ofShared()) {
            MemorySegment segment = confined.allocate(8);
            assertThatThrownBy(() -> RegistrationChecks.requireShareable(segment))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("confined to one thread");
            RegistrationChecks.requireShareable(shared.allocate(8));
        }
    }

    @Test
    void refusesRightsThatDoNotGoTogether() {
        for (Access writing : new Access[] {Access.REMOTE_WRITE, Access.REMOTE_ATOMIC}) {
            assertThatThrownBy(() -> RegistrationChecks.requireAccess(writing.bit()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(writing.name())
                    .hasMessageContaining("needs LOCAL_WRITE");
            RegistrationChecks.requireAccess(writing.bit() | LOCAL_WRITE);
        }
        RegistrationChecks.requireAccess(Access.REMOTE_READ.bit());
        assertThatThrownBy(() -> RegistrationChecks.requireAccess(1 << 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0x400");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void refusesLengthsThatAreNotPositive(long bytes) {
        assertThatThrownBy(() -> RegistrationChecks.requirePositive(bytes, "Slab"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Slab must be at least 1 byte, got " + bytes);
        assertThatThrownBy(() -> MemorySlab.allocate(bytes)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MemorySlab.allocateHuge(bytes)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MemorySlab.shared("none", bytes)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesLengthsBeyondALimit() {
        RegistrationChecks.requireAtMost(0, 10, "Message");
        RegistrationChecks.requireAtMost(10, 10, "Message");
        for (long bytes : new long[] {-1, 11, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> RegistrationChecks.requireAtMost(bytes, 10, "Message"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("Message must be from 0 to 10 bytes, got " + bytes);
        }
    }
}

package org.panamaverbs.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegisteredBufferTest {
    private final TestDomain domain = new TestDomain();

    @AfterEach
    void closeDomain() {
        domain.close();
    }

    @Test
    void tellsWhatWasRegistered() {
        try (RegisteredBuffer buffer = domain.allocate(5000)) {
            assertThat(buffer.length()).isEqualTo(5000);
            assertThat(buffer.segment().byteSize()).isEqualTo(5000);
            assertThat(buffer.lkey()).isEqualTo(0x11);
            assertThat(buffer.rkey()).isEqualTo(0x22);
            assertThat(buffer.rkey()).isEqualTo(0x22);
            assertThat(buffer.iova()).isEqualTo(buffer.segment().address());
            assertThat(buffer.access()).isEqualTo(0xF);
            assertThat(buffer).hasToString("registered buffer 0x00000022");
        }
    }

    @Test
    void isNamedByItsLocalKeyWherePeersHaveNoRights() {
        try (RegisteredBuffer first = new RegisteredBuffer(domain, 64, 0x100, 0, 0, 0, () -> {});
                RegisteredBuffer second = new RegisteredBuffer(domain, 64, 0x200, 0, 0, 0, () -> {})) {
            assertThat(first).hasToString("registered buffer with lkey 0x00000100");
            assertThat(second).hasToString("registered buffer with lkey 0x00000200");
            assertThatThrownBy(domain::close).hasMessageContainingAll("lkey 0x00000100", "lkey 0x00000200");
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 4096", "4095, 1", "4096, 0", "0, 0", "7, 9"})
    void computesAddressesWithinBounds(long offset, long length) {
        try (RegisteredBuffer buffer = domain.allocate(4096)) {
            assertThat(buffer.checkedAddress(offset, length))
                    .isEqualTo(buffer.segment().address() + offset);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 4097",
        "4096, 1",
        "4097, 0",
        "-1, 1",
        "0, -1",
        "1, 9223372036854775807",
        "9223372036854775807, 9223372036854775807"
    })
    void refusesRangesOutOfBounds(long offset, long length) {
        try (RegisteredBuffer buffer = domain.allocate(4096)) {
            assertThatThrownBy(() -> buffer.checkedAddress(offset, length))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessage(length + " bytes at offset " + offset
                            + " are not within registered buffer 0x00000022 of 4096 bytes");
            assertThatThrownBy(() -> buffer.remote(offset, length)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void advertisesItself() {
        try (Arena arena = Arena.ofShared();
                RegisteredBuffer buffer = domain.register(arena.allocate(64), 0x1000, 0x5)) {
            assertThat(buffer.remote()).isEqualTo(RemoteBuffer.of(0x22, 0x1000, 64, Access.REMOTE_READ));
            assertThat(buffer.remote(8, 16, Access.REMOTE_READ))
                    .isEqualTo(buffer.remote().slice(8, 16));
            assertThatThrownBy(() -> buffer.remote(0, 8, Access.REMOTE_READ, Access.REMOTE_WRITE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Cannot advertise REMOTE_WRITE")
                    .hasMessageContaining("peers have REMOTE_READ");
        }
    }

    @Test
    void narrowsWhatItAdvertises() {
        try (RegisteredBuffer buffer = domain.allocate(64)) {
            assertThat(Access.set(buffer.remote().rights()))
                    .containsExactly(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
            assertThat(Access.set(buffer.remote(0, 64, Access.REMOTE_READ).rights()))
                    .containsExactly(Access.REMOTE_READ);
        }
    }

    @Test
    void deregistersBeforeItFreesItsMemory() {
        RegisteredBuffer buffer = domain.allocate(4096);
        MemorySegment segment = buffer.segment();
        buffer.close();
        buffer.close();
        assertThat(domain.events).containsExactly("deregister");
        assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void keepsMemoryThatCouldNotBeDeregistered() {
        try (MemorySlab slab = MemorySlab.allocate(64)) {
            AtomicBoolean busy = new AtomicBoolean(true);
            RegisteredBuffer buffer = failing(slab, busy, slab);
            assertThatThrownBy(buffer::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("device is busy");
            assertThat(buffer.isOpen()).isFalse();
            assertThat(slab.isOpen()).isTrue();
            busy.set(false);
            buffer.close();
        }
    }

    @Test
    void pinsItsSlabAndItsDomainUntilADeregistrationSucceeds() {
        AtomicBoolean busy = new AtomicBoolean(true);
        MemorySlab slab = MemorySlab.allocate(64);
        RegisteredBuffer buffer = failing(slab, busy, null);
        assertThatThrownBy(buffer::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("device is busy");
        assertThatThrownBy(() -> buffer.checkedAddress(0, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("could not be closed")
                .hasMessageContaining("close it again");
        assertThatThrownBy(slab::close).hasMessageContaining("registered buffer 0x00000001");
        assertThatThrownBy(domain::close).hasMessageContaining("registered buffer 0x00000001");
        assertThat(slab.segment().get(ValueLayout.JAVA_BYTE, 0)).isZero();

        busy.set(false);
        buffer.close();
        assertThat(buffer).hasToString("registered buffer 0x00000001 (closed)");
        slab.close();
    }

    @Test
    void freesItsOwnMemoryOnceADeregistrationSucceeds() {
        AtomicBoolean busy = new AtomicBoolean(true);
        MemorySlab slab = MemorySlab.allocate(64);
        RegisteredBuffer buffer = failing(slab, busy, slab);
        assertThatThrownBy(buffer::close).hasMessage("device is busy");
        assertThatThrownBy(buffer::close).hasMessage("device is busy");
        assertThat(slab.isOpen()).isTrue();
        busy.set(false);
        buffer.close();
        buffer.close();
        assertThat(slab.isOpen()).isFalse();
    }

    /** A buffer over {@code slab} that cannot be deregistered while {@code busy}. */
    private RegisteredBuffer failing(MemorySlab slab, AtomicBoolean busy, @Nullable MemorySlab owned) {
        return new RegisteredBuffer(
                domain,
                slab.segment(),
                1,
                1,
                0,
                0,
                () -> {
                    if (busy.get()) {
                        throw new IllegalStateException("device is busy");
                    }
                },
                owned);
    }

    @Test
    void reportsMemoryThatCannotBeFreed() {
        try (Arena arena = Arena.ofShared()) {
            RegisteredBuffer buffer = new RegisteredBuffer(domain, arena.allocate(64), 1, 1, 0, 0, () -> {}, () -> {
                throw new java.io.IOException("munmap failed");
            });
            assertThatThrownBy(buffer::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("Cannot free the memory of registered buffer 0x00000001")
                    .hasRootCauseMessage("munmap failed");
        }
    }

    @Test
    void hasNoSegmentOverMemoryThatTheProcessDoesNotHave() {
        try (RegisteredBuffer buffer = new RegisteredBuffer(domain, 4096, 1, 2, 0x1000, 0xF, () -> {})) {
            assertThat(buffer.hasSegment()).isFalse();
            assertThat(buffer.length()).isEqualTo(4096);
            assertThat(buffer.checkedAddress(96, 4000)).isEqualTo(0x1060);
            assertThat(buffer.remote(8, 8).address()).isEqualTo(0x1008);
            assertThatThrownBy(() -> buffer.checkedAddress(97, 4000)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(buffer::segment)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("on a device")
                    .hasMessageContaining("mmap the descriptor of its dma-buf");
            assertThatThrownBy(() -> buffer.atomicTarget(0)).isInstanceOf(UnsupportedOperationException.class);
        }
        assertThatThrownBy(() -> new RegisteredBuffer(domain, 0, 1, 2, 0, 0, () -> {}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RegisteredBuffer(domain, 64, 1, 2, -63, 0, () -> {}))
                .hasMessageContaining("wraps");
    }

    @Test
    void refusesUseAfterClose() {
        RegisteredBuffer buffer = domain.allocate(4096);
        buffer.close();
        assertThatThrownBy(() -> buffer.checkedAddress(0, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("registered buffer 0x00000022 is closed");
        assertThatThrownBy(buffer::remote).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> buffer.atomicTarget(0)).isInstanceOf(IllegalStateException.class);
        assertThat(buffer).hasToString("registered buffer 0x00000022 (closed)");
    }

    @Test
    void pinsTheSlabItLiesIn() {
        MemorySlab slab = MemorySlab.allocate(4096);
        RegisteredBuffer buffer = domain.register(slab.segment().asSlice(1024, 512));
        assertThatThrownBy(slab::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Cannot close " + slab.resourceName())
                .hasMessageContaining("registered buffer 0x00000022");
        assertThat(slab.segment().get(ValueLayout.JAVA_BYTE, 0)).isZero();
        buffer.close();
        slab.close();
        assertThat(slab.isOpen()).isFalse();
    }

    @Test
    void theOwnerOfTheMemoryClosesAfterTheOthersThatLieInIt() {
        RegisteredBuffer owner = domain.allocate(4096);
        RegisteredBuffer again = domain.register(owner.segment().asSlice(1024, 512), 0, 0);
        assertThatThrownBy(owner::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Cannot close " + owner.resourceName())
                .hasMessageContaining("1 open resource must be closed first");
        assertThat(owner.isOpen()).isTrue();
        assertThat(domain.events).isEmpty();

        again.close();
        owner.close();
        assertThat(domain.events).containsExactly("deregister", "deregister");
        assertThat(owner.segment().scope().isAlive()).isFalse();
    }

    @Test
    void refusesADomainThatIsClosed() {
        TestDomain closed = new TestDomain();
        closed.close();
        try (MemorySlab slab = MemorySlab.allocate(64)) {
            assertThatThrownBy(() -> closed.register(slab.segment()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("Cannot create registered buffer 0x00000022: test domain is closed");
        }
    }

    @Test
    void refusesTaggedOffsetsThatWrap() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment segment = arena.allocate(64);
            assertThatThrownBy(() -> domain.register(segment, -63L, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("wraps");
            domain.register(segment, -64L, 0).close();
        }
    }

    @Test
    void noticesAnArenaThatWasClosedFirst() {
        Arena arena = Arena.ofShared();
        try (RegisteredBuffer buffer = domain.register(arena.allocate(64))) {
            arena.close();
            assertThatThrownBy(() -> buffer.checkedAddress(0, 1))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("was closed before the registration");
        }
    }
}

package org.panamaverbs.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AtomicTargetTest {
    private final TestDomain domain = new TestDomain();

    @AfterEach
    void closeDomain() {
        domain.close();
    }

    @Test
    void accessesTheCellInNativeOrder() {
        try (RegisteredBuffer buffer = domain.allocate(64)) {
            AtomicTarget target = buffer.atomicTarget(16);
            target.setRelease(0x0102030405060708L);
            assertThat(buffer.segment().get(ValueLayout.JAVA_LONG, 16)).isEqualTo(0x0102030405060708L);
            assertThat(target.getAcquire()).isEqualTo(0x0102030405060708L);
            assertThat(target.compareAndSet(0, 1)).isFalse();
            assertThat(target.compareAndSet(0x0102030405060708L, 40)).isTrue();
            assertThat(target.getAndAdd(2)).isEqualTo(40);
            assertThat(target.getVolatile()).isEqualTo(42);
            target.setVolatile(0xFF);
            assertThat(target.maskedFetchAdd(0x01, 0x80)).isEqualTo(0xFF);
            assertThat(target.getVolatile()).isZero();
            assertThat(target.maskedCmpSwap(0xF0, 0x0F, 0x1234, 0xFF00)).isZero();
            assertThat(target.getVolatile()).isEqualTo(0x1200);
            assertThat(target.maskedCmpSwap(1, 1, -1, -1)).isEqualTo(0x1200);
            assertThat(target.getVolatile()).isEqualTo(0x1200);
            assertThat(target.buffer()).isSameAs(buffer);
            assertThat(target.offset()).isEqualTo(16);
        }
    }

    @Test
    void advertisesTheCell() {
        try (RegisteredBuffer buffer = domain.allocate(64)) {
            assertThat(buffer.atomicTarget(8).remote()).isEqualTo(buffer.remote(8, 8));
        }
    }

    @Test
    void advertisesNoCellThatPeersCannotTarget() {
        try (Arena arena = Arena.ofShared();
                RegisteredBuffer buffer = domain.register(arena.allocate(8, 8), 0, Access.LOCAL_WRITE.bit())) {
            AtomicTarget target = buffer.atomicTarget(0);
            assertThat(target.getAndAdd(1)).isZero();
            assertThatThrownBy(target::remote)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("was registered without REMOTE_ATOMIC; remedy: ");
        }
    }

    @Test
    void refusesUnalignedCells() {
        try (RegisteredBuffer buffer = domain.allocate(64)) {
            for (long offset : new long[] {1, 2, 4, 7, 9}) {
                assertThatThrownBy(() -> buffer.atomicTarget(offset))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("offset " + offset)
                        .hasMessageContaining("not 8-byte aligned");
            }
        }
    }

    @Test
    void refusesCellsWithOnlyOneAlignedOfAddressAndTaggedOffset() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment aligned = arena.allocate(64, 8);
            try (RegisteredBuffer oddOffset = domain.register(aligned, 4, 0);
                    RegisteredBuffer oddAddress = domain.register(aligned.asSlice(4), 0, 0)) {
                for (RegisteredBuffer buffer : List.of(oddOffset, oddAddress)) {
                    for (long offset : new long[] {0, 4}) {
                        assertThatThrownBy(() -> buffer.atomicTarget(offset))
                                .isInstanceOf(IllegalArgumentException.class);
                    }
                }
            }
        }
    }

    @Test
    void refusesCellsOutOfBounds() {
        try (RegisteredBuffer buffer = domain.allocate(60)) {
            buffer.atomicTarget(48);
            for (long offset : new long[] {-8, 56, 64, Long.MAX_VALUE - 7}) {
                assertThatThrownBy(() -> buffer.atomicTarget(offset)).isInstanceOf(IndexOutOfBoundsException.class);
            }
        }
    }

    @Test
    void refusesReadOnlyMemory() {
        try (Arena arena = Arena.ofShared();
                RegisteredBuffer buffer =
                        domain.register(arena.allocate(8, 8).asReadOnly(), 0, Access.REMOTE_READ.bit())) {
            assertThatThrownBy(() -> buffer.atomicTarget(0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("read-only");
        }
    }

    @Test
    void refusesUseAfterClose() {
        RegisteredBuffer buffer = domain.allocate(64);
        AtomicTarget target = buffer.atomicTarget(0);
        buffer.close();
        List<Runnable> uses = List.of(
                target::getVolatile,
                target::getAcquire,
                () -> target.setVolatile(1),
                () -> target.setRelease(1),
                () -> target.compareAndSet(0, 1),
                () -> target.getAndAdd(1),
                () -> target.maskedFetchAdd(1, 1),
                () -> target.maskedCmpSwap(0, 0, 1, 1),
                target::remote);
        for (Runnable use : uses) {
            assertThatThrownBy(use::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("registered buffer 0x00000022 is closed");
        }
    }

    @Test
    void losesNoUpdateUnderContention() throws InterruptedException {
        int threads = 4;
        int rounds = 20_000;
        try (RegisteredBuffer buffer = domain.allocate(64)) {
            AtomicTarget counter = buffer.atomicTarget(0);
            CountDownLatch start = new CountDownLatch(1);
            List<Thread> all = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                all.add(Thread.ofPlatform().start(() -> {
                    try {
                        start.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    for (int i = 0; i < rounds; i++) {
                        counter.maskedFetchAdd(0x0000_0001_0000_0001L, 0x8000_0000_8000_0000L);
                        incrementHighByMaskedCmpSwap(counter);
                    }
                }));
            }
            start.countDown();
            for (Thread thread : all) {
                thread.join();
            }
            long expected = (long) threads * rounds;
            assertThat(counter.getVolatile()).isEqualTo(((2 * expected) << 32) | expected);
        }
    }

    private static void incrementHighByMaskedCmpSwap(AtomicTarget counter) {
        long high = 0xFFFF_FFFF_0000_0000L;
        long seen = counter.getVolatile();
        while (true) {
            long witness = counter.maskedCmpSwap(seen, high, seen + (1L << 32), high);
            if (((witness ^ seen) & high) == 0) {
                return;
            }
            seen = witness;
        }
    }
}

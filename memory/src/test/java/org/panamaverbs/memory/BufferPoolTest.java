package org.panamaverbs.memory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BufferPoolTest {
    private final TestDomain domain = new TestDomain();
    private final RegisteredBuffer region = domain.allocate(4096);

    @AfterEach
    void close() {
        region.close();
        domain.close();
    }

    private static PooledBuffer acquire(BufferPool pool) {
        return requireNonNull(pool.acquire(), "pool is exhausted");
    }

    @Test
    void cutsAsManyAlignedBuffersAsFit() {
        try (BufferPool pool = BufferPool.over(region, 100, 64)) {
            assertThat(pool.capacity()).as("(4096 - 100) / 128 + 1").isEqualTo(32);
            Set<Long> offsets = new HashSet<>();
            List<PooledBuffer> out = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                PooledBuffer buffer = acquire(pool);
                assertThat(buffer.segment().byteSize()).isEqualTo(100);
                assertThat(buffer.length()).isEqualTo(100);
                assertThat(buffer.segment().address() % 64).isZero();
                assertThat(buffer.segment().address()).isEqualTo(region.checkedAddress(buffer.offset(), 100));
                assertThat(buffer.region()).isSameAs(region);
                assertThat(pool.buffer(buffer.index())).isSameAs(buffer);
                offsets.add(buffer.offset());
                out.add(buffer);
            }
            assertThat(offsets).hasSize(32);
            assertThat(pool.outstanding()).isEqualTo(32);
            assertThat(pool.acquire()).as("exhausted").isNull();
            out.forEach(PooledBuffer::release);
            assertThat(pool.outstanding()).isZero();
        }
    }

    @Test
    void fitsALastBufferShorterThanTheStride() {
        try (RegisteredBuffer small = domain.register(region.segment().asSlice(0, 128 + 100));
                BufferPool pool = BufferPool.over(small, 100, 64)) {
            assertThat(pool.capacity()).isEqualTo(2);
        }
    }

    @Test
    void skipsToTheFirstAlignedAddress() {
        try (RegisteredBuffer odd = domain.register(region.segment().asSlice(8, 1024));
                BufferPool pool = BufferPool.over(odd, 64, 64)) {
            assertThat(pool.capacity()).isEqualTo(15);
            assertThat(pool.buffer(0).offset()).isEqualTo(56);
            assertThat(pool.buffer(0).remote(Access.REMOTE_READ)).isEqualTo(odd.remote(56, 64, Access.REMOTE_READ));
        }
    }

    @Test
    void lendsTheLastReleasedFirst() {
        try (BufferPool pool = BufferPool.over(region, 64, 64)) {
            PooledBuffer first = acquire(pool);
            PooledBuffer second = acquire(pool);
            first.release();
            assertThat(pool.acquire()).isSameAs(first);
            first.release();
            second.release();
        }
    }

    @Test
    void refusesADoubleRelease() {
        try (BufferPool pool = BufferPool.over(region, 64, 64)) {
            PooledBuffer buffer = acquire(pool);
            assertThat(buffer.isAcquired()).isTrue();
            buffer.release();
            assertThat(buffer.isAcquired()).isFalse();
            assertThatThrownBy(buffer::release)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("buffer 0 of " + pool.resourceName() + " was released twice");
            PooledBuffer untouched = pool.buffer(5);
            assertThatThrownBy(untouched::release).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void refusesToCloseWhileBuffersAreOut() {
        BufferPool pool = BufferPool.over(region, 64, 64);
        PooledBuffer first = acquire(pool);
        PooledBuffer second = acquire(pool);
        assertThatThrownBy(pool::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Cannot close " + pool.resourceName() + ": 2 of its 64 buffers are not released");
        assertThatThrownBy(region::close).hasMessageContaining(pool.resourceName());

        PooledBuffer third = acquire(pool);
        assertThat(third.index()).as("the order survives the refusal").isEqualTo(2);
        List.of(first, second, third).forEach(PooledBuffer::release);
        pool.close();
        assertThatThrownBy(pool::acquire)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(pool.resourceName() + " is closed");
    }

    @Test
    void refusesSizesThatMakeNoPool() {
        for (long bytes : new long[] {0, -1}) {
            assertThatThrownBy(() -> BufferPool.over(region, bytes, 64)).isInstanceOf(IllegalArgumentException.class);
        }
        for (long alignment : new long[] {0, -8, 3, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> BufferPool.over(region, 64, alignment))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("power of two");
        }
        assertThatThrownBy(() -> BufferPool.over(region, 4097, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("4097");
        assertThatThrownBy(() -> BufferPool.over(region, 1, 1L << 62)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void lendsEachBufferToOneThreadAtATime() throws InterruptedException {
        AtomicInteger failures = new AtomicInteger();
        try (BufferPool pool = BufferPool.over(region, 1024, 64)) {
            CountDownLatch start = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            for (int t = 1; t <= 4; t++) {
                long mark = t;
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        start.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    for (int i = 0; i < 20_000; i++) {
                        PooledBuffer buffer = pool.acquire();
                        if (buffer != null) {
                            buffer.segment().set(ValueLayout.JAVA_LONG, 0, mark);
                            Thread.onSpinWait();
                            if (buffer.segment().get(ValueLayout.JAVA_LONG, 0) != mark) {
                                failures.incrementAndGet();
                            }
                            buffer.release();
                        }
                    }
                }));
            }
            start.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).hasValue(0);
            Set<PooledBuffer> all = new HashSet<>();
            for (PooledBuffer buffer = pool.acquire(); buffer != null; buffer = pool.acquire()) {
                all.add(buffer);
            }
            assertThat(all).as("none lost, none doubled").hasSize(pool.capacity());
            all.forEach(PooledBuffer::release);
        }
    }

    @Test
    void closesOnlyWhenAllAreInEvenUnderTraffic() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            BufferPool pool = BufferPool.over(region, 512, 512);
            AtomicInteger heldAtClose = new AtomicInteger();
            Thread user = Thread.ofPlatform().start(() -> {
                try {
                    while (true) {
                        PooledBuffer buffer = pool.acquire();
                        if (buffer != null) {
                            if (!pool.isOpen()) {
                                heldAtClose.incrementAndGet();
                            }
                            buffer.release();
                        }
                    }
                } catch (IllegalStateException closed) {
                    assertThat(closed).hasMessageContaining("clos");
                }
            });
            while (pool.isOpen()) {
                try {
                    pool.close();
                } catch (IllegalStateException refused) {
                    assertThat(refused).hasMessageContaining("not released");
                }
            }
            user.join();
            assertThat(heldAtClose).hasValue(0);
        }
    }
}

package org.panamaverbs.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What runs once per work request allocates nothing. */
@Tag("alone")
class AllocationTest {
    private static final int OPERATIONS = 100_000;
    private static final int ROUNDS = 20;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final TestDomain domain = new TestDomain();
    private final RegisteredBuffer buffer = domain.allocate(4096);

    @AfterEach
    void close() {
        buffer.close();
        domain.close();
    }

    private static long allocatedBy(LongUnaryOperator operation) {
        long sum = 0;
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (long i = 0; i < OPERATIONS; i++) {
            sum += operation.applyAsLong(i);
        }
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertThat(sum).isNotEqualTo(Long.MIN_VALUE);
        return allocated;
    }

    private static void allocatesNothing(LongUnaryOperator operation) {
        // Until the operation is compiled, and while it is, the thread allocates for others; then it must not at all.
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS && least > 0; round++) {
            least = Math.min(least, allocatedBy(operation));
        }
        assertThat(least).as("bytes in %d operations, best round", OPERATIONS).isZero();
    }

    @Test
    void theMeasurementSeesAllocations() {
        assertThat(allocatedBy(i -> new long[(int) (i & 7) + 1].length)).isGreaterThan(OPERATIONS * 16L);
    }

    @Test
    void checksLocalAddresses() {
        allocatesNothing(i -> buffer.checkedAddress(i & 2047, 2048));
    }

    @Test
    void checksRemoteOffsets() {
        RemoteBuffer remote = buffer.remote();
        allocatesNothing(i -> remote.checkedOffset(i & 2047, 2048, Access.REMOTE_WRITE)
                + remote.checkedAtomicOffset((i << 3) & 2047)
                + remote.rkey());
    }

    @Test
    void writesTheEncodedForm() {
        RemoteBuffer remote = buffer.remote();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(64);
            allocatesNothing(i -> {
                remote.encode(segment, i & 31);
                return i;
            });
        }
    }

    @Test
    void updatesAtomicTargets() {
        AtomicTarget target = buffer.atomicTarget(8);
        allocatesNothing(i -> target.maskedFetchAdd(i, 1L << 31)
                + target.maskedCmpSwap(i, 7, i, -1)
                + target.getAndAdd(i)
                + (target.compareAndSet(i, i + 1) ? 1 : 0)
                + target.getAcquire());
    }

    @Test
    void acquiresAndReleasesPooledBuffers() {
        try (BufferPool pool = BufferPool.over(buffer, 64, 64)) {
            allocatesNothing(i -> {
                PooledBuffer pooled = pool.acquire();
                if (pooled == null) {
                    throw new AssertionError("exhausted at " + i);
                }
                long offset = pooled.offset();
                pooled.release();
                return offset;
            });
        }
    }
}

package org.panamaverbs.bench.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.TearDown;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.NanosecondsBenchmark;
import org.panamaverbs.bench.Question;
import org.panamaverbs.memory.MaskedAtomics;

/** What an atomic operation costs its responder, without contention: the calls that the core of iwarp makes. */
@Question("What does it cost to execute an atomic operation on memory, beside a VarHandle's?")
public class MaskedAtomicsBenchmark extends NanosecondsBenchmark {
    private static final VarHandle CELL = JAVA_LONG.varHandle();
    /** Eight fields of one byte. */
    private static final long FIELDS = 0x8080_8080_8080_8080L;
    /** The lower half. */
    private static final long HALF = 0xFFFF_FFFFL;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment cell = arena.allocate(64, 64);
    // Fields of the object, so that no constant is folded into what is measured.
    private long mask = FIELDS;
    private long half = HALF;
    private long next;

    /** Frees the memory, and clears what has been the operands. */
    @TearDown
    public void close() {
        arena.close();
        mask = 0;
        half = 0;
    }

    /** The floor of additions. */
    @Benchmark
    public long getAndAdd() {
        return (long) CELL.getAndAdd(cell, 0L, 1L);
    }

    /** The floor of swaps: a read, and a swap that succeeds. */
    @Benchmark
    public boolean compareAndSet() {
        long seen = (long) CELL.getVolatile(cell, 0L);
        return CELL.compareAndSet(cell, 0L, seen, ++next);
    }

    /** FetchAdd. */
    @Benchmark
    @Against("getAndAdd")
    public long fetchAdd() {
        return MaskedAtomics.fetchAdd(cell, 0, 1, 0);
    }

    /** FetchAdd on eight fields. */
    @Benchmark
    @Against("getAndAdd")
    public long maskedFetchAdd() {
        return MaskedAtomics.fetchAdd(cell, 0, 1, mask);
    }

    /** CmpSwap of the whole cell, which swaps. */
    @Benchmark
    @Against("compareAndSet")
    public long cmpSwap() {
        long before = next++;
        return MaskedAtomics.cmpSwap(cell, 0, before, -1L, next, -1L);
    }

    /** CmpSwap of one half, which swaps. */
    @Benchmark
    @Against("compareAndSet")
    public long maskedCmpSwap() {
        long before = next++;
        return MaskedAtomics.cmpSwap(cell, 0, before, half, next, half);
    }
}

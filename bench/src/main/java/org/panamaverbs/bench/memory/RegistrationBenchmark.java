package org.panamaverbs.bench.memory;

import java.lang.foreign.Arena;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.NanosecondsBenchmark;
import org.panamaverbs.bench.Question;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.BufferPool;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.PooledBuffer;
import org.panamaverbs.memory.RegisteredBuffer;

/** What registered memory costs to get and to give back, by its size. */
@Question(
        value = "What does it cost to get registered memory on iwarp and to give it back, by its size in bytes?",
        dataPath = false)
public class RegistrationBenchmark extends NanosecondsBenchmark {
    private static final Access[] RIGHTS = {
        Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC
    };
    private static final long PAGE = 4096;

    private final Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"));
    private final ProtectionDomain domain = verbs.protectionDomain();

    /** Size of the memory. */
    @Param({"4096", "65536", "1048576", "16777216"})
    public int bytes;

    // Made with the size; used by every thread that runs this.
    private MemorySlab slab = MemorySlab.allocate(1);
    private RegisteredBuffer whole = domain.register(slab.segment());
    private BufferPool pool = BufferPool.over(whole, 1, 1);

    /** Makes the memory that is registered again and again. */
    @Setup
    public void allocate() {
        release();
        slab = MemorySlab.allocate(bytes);
        whole = domain.register(slab.segment(), RIGHTS);
        pool = BufferPool.over(whole, bytes, 64);
    }

    @TearDown
    public void close() {
        release();
        domain.close();
        verbs.close();
    }

    private void release() {
        pool.close();
        whole.close();
        slab.close();
    }

    /** The floor: memory of an arena that all threads may use. */
    @Benchmark
    public long sharedArena() {
        try (Arena arena = Arena.ofShared()) {
            return arena.allocate(bytes, PAGE).address();
        }
    }

    /** The floor for one thread. */
    @Benchmark
    public long confinedArena() {
        try (Arena arena = Arena.ofConfined()) {
            return arena.allocate(bytes, PAGE).address();
        }
    }

    /** Registers and deregisters memory that is there. */
    @Benchmark
    @Against("sharedArena")
    public long register() {
        try (RegisteredBuffer buffer = domain.register(slab.segment(), RIGHTS)) {
            return buffer.iova();
        }
    }

    /** Makes a slab, without registration. */
    @Benchmark
    @Against("sharedArena")
    public long slab() {
        try (MemorySlab made = MemorySlab.allocate(bytes)) {
            return made.segment().address();
        }
    }

    /** Makes memory and registers it. */
    @Benchmark
    @Against("sharedArena")
    public long allocateAndRegister() {
        try (RegisteredBuffer buffer = domain.allocate(bytes, RIGHTS)) {
            return buffer.iova();
        }
    }

    /** Takes memory out of a pool that is registered, as data paths do. */
    @Benchmark
    @Against("confinedArena")
    public long pool() {
        PooledBuffer buffer = pool.acquire();
        if (buffer == null) {
            throw new IllegalStateException("the pool is empty");
        }
        long offset = buffer.offset();
        buffer.release();
        return offset;
    }
}

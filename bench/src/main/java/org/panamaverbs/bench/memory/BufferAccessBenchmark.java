package org.panamaverbs.bench.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.TearDown;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.NanosecondsBenchmark;
import org.panamaverbs.bench.Question;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;

/** What an access to registered memory costs; a copy is one of the whole {@value #BYTES} bytes, told per long. */
@Question("What does access to registered memory cost, beside the same memory without registration?")
@OperationsPerInvocation(BufferAccessBenchmark.ACCESSES)
public class BufferAccessBenchmark extends NanosecondsBenchmark {
    static final int ACCESSES = 1_024;

    private static final int BYTES = ACCESSES * Long.BYTES;

    private final Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"));
    private final ProtectionDomain domain = verbs.protectionDomain();
    private final RegisteredBuffer buffer = domain.allocate(BYTES, Access.LOCAL_WRITE);
    private final Arena arena = Arena.ofShared();
    private final MemorySegment plain = arena.allocate(BYTES, 4096);
    private final byte[] array = new byte[BYTES];

    @TearDown
    public void close() {
        arena.close();
        buffer.close();
        domain.close();
        verbs.close();
    }

    /** Reads longs of registered memory. */
    @Benchmark
    @Against("getPlainLong")
    public long getLong() {
        long sum = 0;
        for (int i = 0; i < ACCESSES; i++) {
            sum += buffer.segment().get(JAVA_LONG, (long) i * Long.BYTES);
        }
        return sum;
    }

    /** Reads longs of plain memory. */
    @Benchmark
    public long getPlainLong() {
        long sum = 0;
        for (int i = 0; i < ACCESSES; i++) {
            sum += plain.get(JAVA_LONG, (long) i * Long.BYTES);
        }
        return sum;
    }

    /** Writes longs of registered memory. */
    @Benchmark
    @Against("putPlainLong")
    public void putLong() {
        for (int i = 0; i < ACCESSES; i++) {
            buffer.segment().set(JAVA_LONG, (long) i * Long.BYTES, i);
        }
    }

    /** Writes longs of plain memory. */
    @Benchmark
    public void putPlainLong() {
        for (int i = 0; i < ACCESSES; i++) {
            plain.set(JAVA_LONG, (long) i * Long.BYTES, i);
        }
    }

    /** Reads ints of registered memory. */
    @Benchmark
    @Against("getPlainInt")
    public int getInt() {
        int sum = 0;
        for (int i = 0; i < ACCESSES; i++) {
            sum += buffer.segment().get(JAVA_INT, (long) i * Integer.BYTES);
        }
        return sum;
    }

    /** Reads ints of plain memory. */
    @Benchmark
    public int getPlainInt() {
        int sum = 0;
        for (int i = 0; i < ACCESSES; i++) {
            sum += plain.get(JAVA_INT, (long) i * Integer.BYTES);
        }
        return sum;
    }

    /** Writes ints of registered memory. */
    @Benchmark
    @Against("putPlainInt")
    public void putInt() {
        for (int i = 0; i < ACCESSES; i++) {
            buffer.segment().set(JAVA_INT, (long) i * Integer.BYTES, i);
        }
    }

    /** Writes ints of plain memory. */
    @Benchmark
    public void putPlainInt() {
        for (int i = 0; i < ACCESSES; i++) {
            plain.set(JAVA_INT, (long) i * Integer.BYTES, i);
        }
    }

    /** Copies an array into registered memory. */
    @Benchmark
    @Against("copyToPlain")
    public void copy() {
        MemorySegment.copy(array, 0, buffer.segment(), JAVA_BYTE, 0, BYTES);
    }

    /** Copies an array into plain memory. */
    @Benchmark
    public void copyToPlain() {
        MemorySegment.copy(array, 0, plain, JAVA_BYTE, 0, BYTES);
    }

    /** Reads longs of registered memory after the check that every post makes: open, and within bounds. */
    @Benchmark
    @Against("getPlainLong")
    public long checkAndGetLong() {
        long sum = 0;
        for (int i = 0; i < ACCESSES; i++) {
            long offset = (long) i * Long.BYTES;
            sum += buffer.checkedAddress(offset, Long.BYTES) + buffer.segment().get(JAVA_LONG, offset);
        }
        return sum;
    }
}

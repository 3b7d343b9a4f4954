package org.panamaverbs.bench.iwarp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.NanosecondsBenchmark;
import org.panamaverbs.bench.Question;
import org.panamaverbs.iwarp.wire.Crc32c;

/** What the CRC of an FPDU costs, by the bytes that it covers. */
@Question("What does the CRC32C of an FPDU cost, by the bytes that it covers?")
public class CrcBenchmark extends NanosecondsBenchmark {
    private final Arena arena = Arena.ofShared();
    private final Crc32c ours = new Crc32c();
    private final CRC32C zip = new CRC32C();
    private MemorySegment segment = MemorySegment.NULL;
    private ByteBuffer buffer = ByteBuffer.allocateDirect(0);

    /** How many bytes. */
    @Param({"16", "64", "1024", "4096", "65536"})
    public int length;

    @Setup
    public void fill() {
        segment = arena.allocate(length, 64);
        segment.fill((byte) 0x5A);
        buffer = segment.asByteBuffer();
    }

    @TearDown
    public void close() {
        arena.close();
    }

    /** The floor: the JDK's own, over the same bytes. */
    @Benchmark
    public long jdk() {
        zip.reset();
        zip.update(buffer.position(0).limit(length));
        return zip.getValue();
    }

    /** The way of payload, in place. */
    @Benchmark
    @Against("jdk")
    public int inPlace() {
        ours.reset();
        ours.update(buffer, 0, length);
        return ours.value();
    }

    /** The way of headers, and of payload without a buffer over it. */
    @Benchmark
    @Against("jdk")
    public int copied() {
        ours.reset();
        ours.update(segment, 0, length);
        return ours.value();
    }
}

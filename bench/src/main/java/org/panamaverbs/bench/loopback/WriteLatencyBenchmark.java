package org.panamaverbs.bench.loopback;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bench.loopback.exchange.TcpPingPong;
import org.panamaverbs.bench.loopback.exchange.WritePingPong;

/** The round trip of an RDMA Write and another one back. */
@Question("How long does a round trip take of an RDMA Write there and one back, each noticed in memory, by size?")
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class WriteLatencyBenchmark extends BySize {
    /** For JMH. */
    public WriteLatencyBenchmark() {}

    /** The floor: as many octets there, and as many back. */
    @Benchmark
    public void tcp() throws IOException {
        runPlain(octets -> new TcpPingPong(octets, octets));
    }

    /** RDMA Writes, each side looking at its memory. */
    @Benchmark
    @Against("tcp")
    public void write() throws IOException {
        run(WritePingPong::new);
    }
}

package org.panamaverbs.bench.loopback;

import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bench.loopback.exchange.TcpPingPong;
import org.panamaverbs.bench.loopback.exchange.WritePingPong;

/** The round trip of an RDMA Write and another one back. */
@Question("How long does a round trip take of an RDMA Write there and one back, each noticed in memory, by size?")
public class WriteLatencyBenchmark extends BySize {
    /** The floor: as many bytes there, and as many back. */
    @Benchmark
    public void tcp() throws IOException {
        run(this, its -> new TcpPingPong(its.size, its.size));
    }

    /** RDMA Writes, each side looking at its memory. */
    @Benchmark
    @Against("tcp")
    public void write() throws IOException {
        run(this, its -> new WritePingPong(its.size, its.crc));
    }
}

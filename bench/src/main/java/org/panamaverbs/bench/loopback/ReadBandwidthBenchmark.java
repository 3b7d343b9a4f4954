package org.panamaverbs.bench.loopback;

import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bench.loopback.exchange.OneSided;
import org.panamaverbs.bench.loopback.exchange.TcpStream;

/** How fast RDMA Reads are, 16 outstanding. */
@Question(value = "What does each of many RDMA Reads take, 16 outstanding, by size?", bandwidth = true)
public class ReadBandwidthBenchmark extends BySize {
    /** The floor: a stream by writes, and here by reads, of as many bytes. */
    @Benchmark
    public void tcp() throws IOException {
        run(this, its -> TcpStream.reads(its.size));
    }

    /** RDMA Reads, each posted alone and signaled. */
    @Benchmark
    @Against("tcp")
    public void read() throws IOException {
        run(this, its -> OneSided.reads(its.size, its.crc));
    }
}

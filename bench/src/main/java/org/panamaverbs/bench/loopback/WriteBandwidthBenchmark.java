package org.panamaverbs.bench.loopback;

import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bench.loopback.exchange.OneSided;
import org.panamaverbs.bench.loopback.exchange.TcpStream;

/** How fast RDMA Writes are, 16 outstanding. */
@Question(value = "What does each of many RDMA Writes take, 16 outstanding, by size?", bandwidth = true)
public class WriteBandwidthBenchmark extends BySize {
    /** The floor: a stream by writes of as many bytes. */
    @Benchmark
    public void tcp() throws IOException {
        run(this, its -> TcpStream.writes(its.size));
    }

    /** RDMA Writes, each posted alone and signaled. */
    @Benchmark
    @Against("tcp")
    public void write() throws IOException {
        run(this, its -> OneSided.writes(its.size, its.crc));
    }
}

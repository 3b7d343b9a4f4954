package org.panamaverbs.bench.loopback;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bench.loopback.exchange.OneSided;
import org.panamaverbs.bench.loopback.exchange.TcpStream;

/** How fast RDMA Writes are, 16 outstanding. */
@Question(value = "What does each of many RDMA Writes take, 16 outstanding, by size?", bandwidth = true)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class WriteBandwidthBenchmark extends BySize {
    /** For JMH. */
    public WriteBandwidthBenchmark() {}

    /** The floor: a stream by writes of as many octets. */
    @Benchmark
    public void tcp() throws IOException {
        runPlain(TcpStream::writes);
    }

    /** RDMA Writes, each posted alone and signaled. */
    @Benchmark
    @Against("tcp")
    public void write() throws IOException {
        run(OneSided::writes);
    }
}

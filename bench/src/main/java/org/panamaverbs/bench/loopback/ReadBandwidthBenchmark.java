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

/** How fast RDMA Reads are, 16 outstanding. */
@Question(value = "What does each of many RDMA Reads take, 16 outstanding, by size?", bandwidth = true)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ReadBandwidthBenchmark extends BySize {
    /** For JMH. */
    public ReadBandwidthBenchmark() {}

    /** The floor: a stream by writes, and here by reads, of as many octets. */
    @Benchmark
    public void tcp() throws IOException {
        runPlain(TcpStream::reads);
    }

    /** RDMA Reads, each posted alone and signaled. */
    @Benchmark
    @Against("tcp")
    public void read() throws IOException {
        run(OneSided::reads);
    }
}

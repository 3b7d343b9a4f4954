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
import org.panamaverbs.bench.loopback.exchange.TcpPingPong;

/** What an RDMA Read takes. */
@Question("How long does an RDMA Read take, by size?")
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ReadLatencyBenchmark extends BySize {
    private static final int READ_REQUEST_BYTES = 52;

    /** For JMH. */
    public ReadLatencyBenchmark() {}

    /** The floor: the 52 octets of the FPDU of a Read Request there, and the payload back. */
    @Benchmark
    public void tcp() throws IOException {
        runPlain(octets -> new TcpPingPong(READ_REQUEST_BYTES, octets));
    }

    /** RDMA Reads, one at a time. */
    @Benchmark
    @Against("tcp")
    public void read() throws IOException {
        run(OneSided::singleReads);
    }
}

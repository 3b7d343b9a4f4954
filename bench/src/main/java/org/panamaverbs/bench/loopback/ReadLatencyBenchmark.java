package org.panamaverbs.bench.loopback;

import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bench.loopback.exchange.OneSided;
import org.panamaverbs.bench.loopback.exchange.TcpPingPong;

/** What an RDMA Read takes. */
@Question("How long does an RDMA Read take, by size?")
public class ReadLatencyBenchmark extends BySize {
    private static final int READ_REQUEST_BYTES = 52;

    /** The floor: the 52 bytes of the FPDU of a Read Request there, and the payload back. */
    @Benchmark
    public void tcp() throws IOException {
        run(this, its -> new TcpPingPong(READ_REQUEST_BYTES, its.size));
    }

    /** RDMA Reads, one at a time. */
    @Benchmark
    @Against("tcp")
    public void read() throws IOException {
        run(this, its -> OneSided.singleReads(its.size, its.crc));
    }
}

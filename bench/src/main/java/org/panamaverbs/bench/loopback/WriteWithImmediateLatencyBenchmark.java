package org.panamaverbs.bench.loopback;

import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bench.loopback.exchange.MessagePingPong;
import org.panamaverbs.bench.loopback.exchange.TcpPingPong;

/** The round trip of an RDMA Write with Immediate Data and another one back. */
@Question("How long does a round trip take of an RDMA Write with Immediate Data there and one back, by size?")
public class WriteWithImmediateLatencyBenchmark extends BySize {
    /** The floor: as many bytes there, and as many back. */
    @Benchmark
    public void tcp() throws IOException {
        run(this, its -> new TcpPingPong(its.size, its.size));
    }

    /** RDMA Writes with Immediate Data, each side waiting for the completion of a receive. */
    @Benchmark
    @Against("tcp")
    public void writeWithImmediate() throws IOException {
        run(this, its -> MessagePingPong.writesWithImmediate(its.size, its.crc));
    }
}

package org.panamaverbs.bench.loopback;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bench.loopback.exchange.MessagePingPong;
import org.panamaverbs.bench.loopback.exchange.TcpPingPong;

/** The round trip of an RDMA Write with Immediate Data and another one back. */
@Question("How long does a round trip take of an RDMA Write with Immediate Data there and one back, by size?")
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class WriteWithImmediateLatencyBenchmark extends BySize {
    /** For JMH. */
    public WriteWithImmediateLatencyBenchmark() {}

    /** The floor: as many octets there, and as many back. */
    @Benchmark
    public void tcp() throws IOException {
        runPlain(octets -> new TcpPingPong(octets, octets));
    }

    /** RDMA Writes with Immediate Data, each side waiting for the completion of a receive. */
    @Benchmark
    @Against("tcp")
    public void writeWithImmediate() throws IOException {
        run(MessagePingPong::writesWithImmediate);
    }
}

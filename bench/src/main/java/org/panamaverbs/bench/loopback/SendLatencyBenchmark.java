package org.panamaverbs.bench.loopback;

import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bench.loopback.exchange.MessagePingPong;
import org.panamaverbs.bench.loopback.exchange.TcpPingPong;

/** The round trip of a Send and another one back. */
@Question("How long does a round trip take of a Send there and one back, each into a posted receive, by size?")
public class SendLatencyBenchmark extends BySize {
    /** The floor: as many bytes there, and as many back. */
    @Benchmark
    public void tcp() throws IOException {
        run(this, its -> new TcpPingPong(its.size, its.size));
    }

    /** Sends, each side waiting for the completion of a receive. */
    @Benchmark
    @Against("tcp")
    public void send() throws IOException {
        run(this, its -> MessagePingPong.sends(its.size, its.crc));
    }
}

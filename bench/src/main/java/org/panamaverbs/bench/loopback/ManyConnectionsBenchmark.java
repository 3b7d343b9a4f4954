package org.panamaverbs.bench.loopback;

import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bench.loopback.exchange.ManySockets;
import org.panamaverbs.bench.loopback.exchange.MessagePingPong;

/** What idle connections cost the active ones: all of a side complete into one queue, or are in one selector. */
@Question(
        "How long does a round trip of 64 bytes take among idle connections, on one active connection after the other?")
public class ManyConnectionsBenchmark extends ExchangeBenchmark {
    /** Connections without traffic; each takes two descriptors, as both sides are here. */
    @Param({"0", "100", "1000", "10000"})
    public int idle;

    /** Connections with traffic. */
    @Param({"1", "100"})
    public int active;

    /** The option {@code progress} of both sides. */
    @Param({"spin", "background"})
    public String progress = "spin";

    /** The floor: sockets and a selector that is asked again and again. */
    @Benchmark
    public void tcp() throws IOException {
        run(this, its -> new ManySockets(its.idle, its.active));
    }

    /** Sends. */
    @Benchmark
    @Against("tcp")
    public void send() throws IOException {
        run(this, its -> MessagePingPong.among(its.idle, its.active, its.progress));
    }
}

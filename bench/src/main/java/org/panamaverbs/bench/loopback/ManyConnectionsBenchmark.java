package org.panamaverbs.bench.loopback;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bench.loopback.exchange.Exchange;
import org.panamaverbs.bench.loopback.many.ManyConnections;
import org.panamaverbs.bench.loopback.many.ManySockets;

/** What idle connections cost the active ones: all of a side complete into one queue, or are in one selector. */
@Question(
        "How long does a round trip of 64 octets take among idle connections, on one active connection after the other?")
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ManyConnectionsBenchmark {
    /** Connections without traffic; each takes two descriptors, as both sides are here. */
    @Param({"0", "100", "1000", "10000"})
    public int idle;

    /** Connections with traffic. */
    @Param({"1", "100"})
    public int active;

    /** The option {@code progress} of both sides. */
    @Param({"spin", "background"})
    public String progress = "spin";

    private @Nullable Exchange exchange;

    /** For JMH. */
    public ManyConnectionsBenchmark() {}

    /** The floor: sockets and a selector that is asked again and again. */
    @Benchmark
    public void tcp() throws IOException {
        Exchange running = exchange;
        if (running == null) {
            running = new ManySockets(idle, active);
            exchange = running;
        }
        running.run();
    }

    /** Sends. */
    @Benchmark
    @Against("tcp")
    public void send() throws IOException {
        Exchange running = exchange;
        if (running == null) {
            running = new ManyConnections(idle, active, progress);
            exchange = running;
        }
        running.run();
    }

    /** Closes all connections. */
    @TearDown
    public void close() throws IOException {
        Exchange opened = exchange;
        exchange = null;
        if (opened != null) {
            opened.close();
        }
    }
}

package org.panamaverbs.bench.loopback;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bench.loopback.exchange.SendStream;
import org.panamaverbs.bench.loopback.exchange.TcpStream;

/** How fast Sends are, 16 outstanding. */
@Question(
        value = "What does each of many Sends take, 16 outstanding and each into a posted receive, by size?",
        bandwidth = true)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class SendBandwidthBenchmark extends BySize {
    /** For JMH. */
    public SendBandwidthBenchmark() {}

    /** The floor: a stream by writes of as many octets. */
    @Benchmark
    public void tcp() throws IOException {
        runPlain(TcpStream::writes);
    }

    /** Sends, each posted alone and signaled. */
    @Benchmark
    @Against("tcp")
    public void send() throws IOException {
        run(SendStream::single);
    }

    /** The floor of batches: a stream by writes of 16 times as many octets. */
    @Benchmark
    @OperationsPerInvocation(SendStream.WINDOW)
    public void tcpBatched() throws IOException {
        runPlain(octets -> TcpStream.writes(SendStream.WINDOW * octets));
    }

    /** Sends, 16 with one doorbell. */
    @Benchmark
    @OperationsPerInvocation(SendStream.WINDOW)
    @Against("tcpBatched")
    public void sendBatched() throws IOException {
        run(SendStream::batched);
    }
}

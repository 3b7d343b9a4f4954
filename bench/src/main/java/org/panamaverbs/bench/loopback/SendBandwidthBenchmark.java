package org.panamaverbs.bench.loopback;

import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bench.loopback.exchange.SendStream;
import org.panamaverbs.bench.loopback.exchange.TcpStream;

/** How fast Sends are, 16 outstanding. */
@Question(
        value = "What does each of many Sends take, 16 outstanding and each into a posted receive, by size?",
        bandwidth = true)
public class SendBandwidthBenchmark extends BySize {
    /** The floor: a stream by writes of as many bytes. */
    @Benchmark
    public void tcp() throws IOException {
        run(this, its -> TcpStream.writes(its.size));
    }

    /** Sends, each posted alone and signaled. */
    @Benchmark
    @Against("tcp")
    public void send() throws IOException {
        run(this, its -> SendStream.single(its.size, its.crc));
    }

    /** The floor of batches: a stream by writes of 16 times as many bytes. */
    @Benchmark
    @OperationsPerInvocation(SendStream.WINDOW)
    public void tcpBatched() throws IOException {
        run(this, its -> TcpStream.writes(SendStream.WINDOW * its.size));
    }

    /** Sends, 16 with one doorbell. */
    @Benchmark
    @OperationsPerInvocation(SendStream.WINDOW)
    @Against("tcpBatched")
    public void sendBatched() throws IOException {
        run(this, its -> SendStream.batched(its.size, its.crc));
    }
}

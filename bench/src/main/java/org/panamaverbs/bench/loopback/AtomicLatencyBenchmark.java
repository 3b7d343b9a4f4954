package org.panamaverbs.bench.loopback;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bench.loopback.exchange.Exchange;
import org.panamaverbs.bench.loopback.exchange.OneSided;
import org.panamaverbs.bench.loopback.exchange.TcpPingPong;

/** What an atomic operation takes. */
@Question("How long does an atomic operation on the peer's memory take?")
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class AtomicLatencyBenchmark {
    private static final int REQUEST_BYTES = 76;
    private static final int RESPONSE_BYTES = 36;

    private @Nullable Exchange exchange;

    /** For JMH. */
    public AtomicLatencyBenchmark() {}

    /** Makes an exchange. */
    @FunctionalInterface
    private interface Opening {
        Exchange open() throws IOException;
    }

    private void run(Opening opening) throws IOException {
        Exchange running = exchange;
        if (running == null) {
            running = opening.open();
            exchange = running;
        }
        running.run();
    }

    /** The floor: the octets of the FPDU of an Atomic Request there, and of an Atomic Response back. */
    @Benchmark
    public void tcp() throws IOException {
        run(() -> new TcpPingPong(REQUEST_BYTES, RESPONSE_BYTES));
    }

    /** FetchAdds, one at a time. */
    @Benchmark
    @Against("tcp")
    public void fetchAdd() throws IOException {
        run(OneSided::fetchAdds);
    }

    /** CmpSwaps, one at a time. */
    @Benchmark
    @Against("tcp")
    public void cmpSwap() throws IOException {
        run(OneSided::cmpSwaps);
    }

    /** Ends both sides. */
    @TearDown
    public void close() throws IOException {
        Exchange opened = exchange;
        exchange = null;
        if (opened != null) {
            opened.close();
        }
    }
}

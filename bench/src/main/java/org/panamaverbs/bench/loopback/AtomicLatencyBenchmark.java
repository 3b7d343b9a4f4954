package org.panamaverbs.bench.loopback;

import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bench.loopback.exchange.OneSided;
import org.panamaverbs.bench.loopback.exchange.TcpPingPong;

/** What an atomic operation takes. */
@Question("How long does an atomic operation on the peer's memory take?")
public class AtomicLatencyBenchmark extends ExchangeBenchmark {
    private static final int REQUEST_BYTES = 76;
    private static final int RESPONSE_BYTES = 36;

    /** The floor: the bytes of the FPDU of an Atomic Request there, and of an Atomic Response back. */
    @Benchmark
    public void tcp() throws IOException {
        run(this, its -> new TcpPingPong(REQUEST_BYTES, RESPONSE_BYTES));
    }

    /** FetchAdds, one at a time. */
    @Benchmark
    @Against("tcp")
    public void fetchAdd() throws IOException {
        run(this, its -> OneSided.fetchAdds());
    }

    /** CmpSwaps, one at a time. */
    @Benchmark
    @Against("tcp")
    public void cmpSwap() throws IOException {
        run(this, its -> OneSided.cmpSwaps());
    }
}

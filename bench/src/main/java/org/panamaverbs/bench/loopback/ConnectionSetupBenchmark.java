package org.panamaverbs.bench.loopback;

import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bench.loopback.exchange.Setups;
import org.panamaverbs.bench.loopback.exchange.TcpSetups;

/** What a connection costs to set up, one after the other; both sides have it, and abort it, before the next. */
@Question(
        value = "How long does it take to set a connection up and to abort it, one after the other?",
        dataPath = false)
public class ConnectionSetupBenchmark extends ExchangeBenchmark {
    /** The floor: TCP's connect and accept. */
    @Benchmark
    public void tcp() throws IOException {
        run(this, its -> new TcpSetups());
    }

    /** Connect and accept, with MPA revision 2 and new queue pairs on both sides. */
    @Benchmark
    @Against("tcp")
    public void connect() throws IOException {
        run(this, its -> Setups.of(Setups.Route.LOOPBACK, "off", "off"));
    }

    /** As {@link #connect}, by memory that both sides share. */
    @Benchmark
    @Against("tcp")
    public void connectBySharedMemory() throws IOException {
        run(this, its -> Setups.of(Setups.Route.LOOPBACK, "require", "require"));
    }

    /** As {@link #connect}, with a peer that the addresses say is elsewhere, and no thought of shared memory. */
    @Benchmark
    @Against("tcp")
    public void connectElsewhereShmOff() throws IOException {
        run(this, its -> Setups.of(Setups.Route.ELSEWHERE, "off", "off"));
    }

    /** As {@link #connectElsewhereShmOff} where shared memory would be taken on the same host. */
    @Benchmark
    @Against("connectElsewhereShmOff")
    public void connectElsewhere() throws IOException {
        run(this, its -> Setups.of(Setups.Route.ELSEWHERE, "auto", "auto"));
    }
}

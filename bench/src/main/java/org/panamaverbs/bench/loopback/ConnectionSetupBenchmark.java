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
import org.panamaverbs.bench.loopback.exchange.Setups;
import org.panamaverbs.bench.loopback.exchange.TcpSetups;

/** What a connection costs to set up, one after the other; both sides have it, and abort it, before the next. */
@Question(
        value = "How long does it take to set a connection up and to abort it, one after the other?",
        dataPath = false)
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ConnectionSetupBenchmark {
    private @Nullable Exchange setups;

    /** For JMH. */
    public ConnectionSetupBenchmark() {}

    /** The floor: TCP's connect and accept. */
    @Benchmark
    public void tcp() throws IOException {
        Exchange running = setups;
        if (running == null) {
            running = new TcpSetups();
            setups = running;
        }
        running.run();
    }

    /** Connect and accept, with MPA revision 2 and new queue pairs on both sides. */
    @Benchmark
    @Against("tcp")
    public void connect() throws IOException {
        run(Setups.Peers.BY_TCP);
    }

    /** As {@link #connect}, by memory that both sides share. */
    @Benchmark
    @Against("tcp")
    public void connectBySharedMemory() throws IOException {
        run(Setups.Peers.BY_SHARED_MEMORY);
    }

    /** As {@link #connect}, with a peer that the addresses say is elsewhere, and no thought of shared memory. */
    @Benchmark
    @Against("tcp")
    public void connectElsewhereShmOff() throws IOException {
        run(Setups.Peers.ELSEWHERE_SHM_OFF);
    }

    /** As {@link #connectElsewhereShmOff} where shared memory would be taken on the same host. */
    @Benchmark
    @Against("connectElsewhereShmOff")
    public void connectElsewhere() throws IOException {
        run(Setups.Peers.ELSEWHERE);
    }

    private void run(Setups.Peers peers) throws IOException {
        Exchange running = setups;
        if (running == null) {
            running = Setups.of(peers);
            setups = running;
        }
        running.run();
    }

    /** Stops listening. */
    @TearDown
    public void close() throws IOException {
        Exchange opened = setups;
        setups = null;
        if (opened != null) {
            opened.close();
        }
    }
}

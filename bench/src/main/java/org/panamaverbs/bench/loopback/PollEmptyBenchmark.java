package org.panamaverbs.bench.loopback;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.NanosecondsBenchmark;
import org.panamaverbs.bench.Question;
import org.panamaverbs.bench.loopback.exchange.Link;
import org.panamaverbs.bench.loopback.exchange.TcpPair;

/** What a poll costs that finds nothing; with a connection it asks the system once. */
@Question("What does a poll of a completion queue of iwarp cost that finds nothing?")
@State(Scope.Benchmark)
public class PollEmptyBenchmark extends NanosecondsBenchmark {
    private static final int BYTES = 64;
    private static final OpenConfig SPIN = OpenConfig.provider("iwarp").with("progress", "spin");

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
    private @Nullable Link link;
    private @Nullable TcpPair sockets;
    private volatile int flag;

    /** The floor without a connection: a look whether there is something. */
    @Benchmark
    public int volatileRead() {
        return flag;
    }

    /** A queue without queue pairs. */
    @Benchmark
    @Against("volatileRead")
    public int withoutConnection() {
        return link(0).here().poll();
    }

    /** The floor with a connection: a read from a socket that has nothing. */
    @Benchmark
    public int tcpRead() throws IOException {
        TcpPair pair = sockets;
        if (pair == null) {
            pair = TcpPair.connect();
            sockets = pair;
        }
        return TcpPair.read(pair.here(), buffer.clear());
    }

    /** A queue with one connection, on which nothing happens. */
    @Benchmark
    @Against("tcpRead")
    public int withConnection() {
        return link(1).here().poll();
    }

    private Link link(int connections) {
        Link opened = link;
        if (opened == null) {
            opened = Link.connect(SPIN, connections, 1, 2, BYTES);
            link = opened;
        }
        return opened;
    }

    @TearDown
    public void close() throws IOException {
        flag = 0;
        Link openedLink = link;
        link = null;
        if (openedLink != null) {
            openedLink.close();
        }
        TcpPair openedSockets = sockets;
        sockets = null;
        if (openedSockets != null) {
            openedSockets.close();
        }
    }
}

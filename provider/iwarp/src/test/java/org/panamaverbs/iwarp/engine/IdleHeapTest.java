package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;

/** A server may have thousands of connections that say nothing: each takes little of the heap. */
@Timeout(120)
@Tag("alone")
class IdleHeapTest {
    private static final int FEW = 50;
    private static final int MANY = 200;
    private static final int DEPTH = 16;
    private static final int COLLECTIONS = 5;

    private static void connect(int connections, Peer client, Peer server, Listener listener) throws Exception {
        for (int i = 0; i < connections; i++) {
            Peer.connect(
                    client, small(client), server, small(server), listener, ConnectionConfig.defaults(), made -> {});
            client.closeFirst(client.connection());
            server.closeFirst(server.connection());
        }
    }

    private static QueuePairConfig small(Peer peer) {
        return QueuePairConfig.of(peer.domain, peer.queue).withDepth(DEPTH, DEPTH);
    }

    // The least of some: what others leave behind meanwhile is not of the connections.
    private static long heapBytes() {
        return LongStream.generate(() -> {
                    System.gc();
                    return ManagementFactory.getMemoryMXBean()
                            .getHeapMemoryUsage()
                            .getUsed();
                })
                .limit(COLLECTIONS)
                .min()
                .orElseThrow();
    }

    @ParameterizedTest
    // The channel and the key of NIO take the rest.
    @CsvSource({"libc, 16", "nio, 20"})
    void aConnectionWithSmallQueuesTakesLittleASide(String sockets, long mostKibibytes) throws Exception {
        String[] options = {"shm=off", "sockets=" + sockets};
        try (Peer client = new Peer(options);
                Peer server = new Peer(options);
                Listener listener = server.verbs.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            connect(FEW, client, server, listener);
            // What is made once, as when a table grows, is in one of both.
            long least = Math.min(grown(client, server, listener), grown(client, server, listener));
            assertThat(least).isBetween(1L, mostKibibytes * 1024);
        }
    }

    /** Makes connections, and returns the bytes of heap that a side of one has. */
    private static long grown(Peer client, Peer server, Listener listener) throws Exception {
        long before = heapBytes();
        connect(MANY, client, server, listener);
        // Both sides of each connection are in this process.
        return (heapBytes() - before) / (2 * MANY);
    }
}

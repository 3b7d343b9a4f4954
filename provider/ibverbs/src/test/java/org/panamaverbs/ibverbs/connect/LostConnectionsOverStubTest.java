package org.panamaverbs.ibverbs.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.cm.CmId;
import org.panamaverbs.ibverbs.cm.Negotiated;
import org.panamaverbs.ibverbs.cm.SocketAddresses;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.memory.LeakReporter;

/** What is lost without being closed is not kept by the channel that knows its id, so that it is reported. */
class LostConnectionsOverStubTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 7174);

    private final Queue<String> reports = new ConcurrentLinkedQueue<>();
    private StubVerbs verbs;
    private Consumer<? super LeakReporter.Leak> before;

    @BeforeAll
    static void stub() {
        Stub.require();
    }

    @BeforeEach
    void listenToReports() {
        verbs = new StubVerbs(); // stays open, since what is lost counts as open
        before = LeakReporter.reportTo(leak -> reports.add(leak.resource()));
    }

    @AfterEach
    void restore() {
        LeakReporter.reportTo(before);
        assertThat(Stub.ids()).isZero();
    }

    @Test
    void listenerIsReported() {
        CmId id = verbs.cm().channel().create("a listener of a test");
        int port = loseListener(id);
        awaitReport("listener at 127.0.0.1:" + port);
        Stub.request(port);
        Stub.await("the request is rejected", () -> Stub.ids() == 1);
        destroy(id);
    }

    @Test
    void connectionIsReported() {
        CmId id = verbs.cm().channel().create("a connection of a test");
        QueuePairConfig config = QueuePairConfig.of(verbs.domain(), verbs.queue(16));
        awaitReport(loseConnection(id, config));
        destroy(id);
    }

    // In frames of their own, so that no local variable keeps the object.

    private int loseListener(CmId id) {
        return IbvListener.open(verbs.cm(), ANY_PORT, ListenerConfig.defaults(), name -> id)
                .localAddress()
                .getPort();
    }

    private String loseConnection(CmId id, QueuePairConfig config) {
        try (Arena arena = Arena.ofConfined()) {
            CmCalls.RESOLVE_ADDR.check(
                    "a test", id.pointer(), MemorySegment.NULL, SocketAddresses.encode(PEER, arena), 1);
        }
        IbvQueuePair own = verbs.domain().create(config); // the connection's
        IbvConnection connection = IbvConnection.open(verbs.cm(), id, own, true, new Negotiated(1, 1), new byte[0]);
        return connection.resourceName();
    }

    private void awaitReport(String name) {
        Stub.await("a report of " + name, () -> {
            System.gc();
            return reports.contains(name);
        });
    }

    private static void destroy(CmId id) {
        id.destroy();
        assertThat(id.awaitDestroyed(10)).isTrue();
    }
}

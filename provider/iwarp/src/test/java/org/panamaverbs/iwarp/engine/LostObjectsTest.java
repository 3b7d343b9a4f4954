package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.iwarp.engine.device.Context;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.verbs.IwarpVerbs;
import org.panamaverbs.memory.LeakReporter;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.RegisteredBuffer;

/** What is lost without being closed is not kept by its context or its queues, so that it is reported. */
@Timeout(60)
class LostObjectsTest {
    private static final int NUMBERS = 1000;
    private static final AtomicInteger PEERS = new AtomicInteger();

    private final Queue<String> reports = new ConcurrentLinkedQueue<>();
    private Consumer<? super LeakReporter.Leak> before;

    @BeforeEach
    void listenToReports() {
        assertThat(LeakReporter.level()).isEqualTo(LeakReporter.Level.PARANOID);
        before = LeakReporter.reportTo(leak -> reports.add(leak.resource()));
    }

    @AfterEach
    void restore() {
        LeakReporter.reportTo(before);
    }

    /** Makes a context that stays open, as what is lost counts as open; its objects have numbers of their own. */
    private static Peer peer(String... options) {
        Peer peer = new Peer(options);
        Context context = ((IwarpVerbs) peer.verbs).context();
        int before = NUMBERS * PEERS.incrementAndGet();
        while (context.nextNumber() < before) {
            Thread.onSpinWait();
        }
        return peer;
    }

    @ParameterizedTest
    @ValueSource(strings = {"progress=background", "progress=spin"})
    void completionQueueIsReported(String option) {
        Peer peer = peer(option);
        awaitReport(loseCompletionQueue(peer));
        assertThat(((ManagedResource) peer.verbs).isOpen()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"progress=background", "progress=spin"})
    void completionQueueIsReportedWithTheQueuePairThatIsLostWithIt(String option) {
        Peer peer = peer(option);
        awaitReport(loseCompletionQueueInUse(peer));
        assertThat(((ManagedResource) peer.verbs).isOpen()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"progress=background", "progress=spin"})
    void queuePairIsReportedWhileItsQueueLives(String option) {
        Peer peer = peer(option);
        awaitReport(loseQueuePair(peer));
        assertThat(((ManagedResource) peer.queue).isOpen()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "progress=background shm=off",
                "progress=spin shm=off",
                "sockets=nio",
                "sockets=nio progress=spin",
                "shm=require",
                "shm=require shm.direct=on"
            })
    void connectionAndQueuePairAreReportedWhileTheyAreConnected(String options) throws Exception {
        assumeTrue(
                !options.startsWith("shm=require")
                        || SystemSockets.best().name().equals("libc"),
                "memory cannot be shared here");
        Peer client = peer(options.split(" "));
        try (Peer server = new Peer(options.split(" "));
                Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            String[] lost = loseConnection(client, server, listener);
            awaitReport(lost[0]);
            awaitReport(lost[1]);
            assertThat(server.connection().isConnected()).isTrue();
            assertThat(((ManagedResource) client.queue).isOpen()).isTrue();
        }
    }

    @Test
    void sharedReceiveQueueIsReported() {
        Peer peer = peer();
        awaitReport(loseSharedReceiveQueue(peer));
        assertThat(((ManagedResource) peer.verbs).isOpen()).isTrue();
    }

    @Test
    void windowAndBufferAreReportedWhileTheirDomainLives() {
        Peer peer = peer();
        awaitReport(loseWindow(peer));
        awaitReport(loseBuffer(peer));
        assertThat(((ManagedResource) peer.domain).isOpen()).isTrue();
    }

    // In frames of their own, so that no local variable keeps the object.

    private static String loseCompletionQueue(Peer peer) {
        return ((ManagedResource) peer.verbs.completionQueue(16)).resourceName();
    }

    private static String loseCompletionQueueInUse(Peer peer) {
        var queue = peer.verbs.completionQueue(16);
        peer.domain.queuePair(QueuePairConfig.of(peer.domain, queue));
        return ((ManagedResource) queue).resourceName();
    }

    private static String loseQueuePair(Peer peer) {
        return ((ManagedResource) peer.domain.queuePair(peer.config())).resourceName();
    }

    private static String[] loseConnection(Peer client, Peer server, Listener listener) throws InterruptedException {
        Background<Connection> accepted = Background.start(() -> {
            var request = listener.accept(Peer.soon());
            return request.accept(server.config(), ConnectionConfig.defaults(), Peer.soon());
        });
        Connection lost = client.verbs.connect(listener.localAddress(), client.config(), Peer.soon());
        server.connected(accepted.get());
        return new String[] {
            ((ManagedResource) lost).resourceName(), ((ManagedResource) lost.queuePair()).resourceName()
        };
    }

    private static String loseSharedReceiveQueue(Peer peer) {
        return ((ManagedResource) peer.domain.sharedReceiveQueue(
                        SharedReceiveQueueConfig.of(16).withSge(1)))
                .resourceName();
    }

    private static String loseWindow(Peer peer) {
        return ((ManagedResource) peer.domain.memoryWindow(MemoryWindow.Type.TYPE_2)).resourceName();
    }

    private static String loseBuffer(Peer peer) {
        RegisteredBuffer buffer = peer.domain.allocate(4096, Peer.ALL);
        return buffer.resourceName();
    }

    private void awaitReport(String name) {
        Raw.await("a report of " + name, () -> {
            System.gc();
            return reports.contains(name);
        });
    }
}

package org.panamaverbs.iwarp.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.device.DeviceStatistics;
import org.panamaverbs.api.device.QueuePairStatistics;
import org.panamaverbs.spi.watch.QueuePairWatch;

/** Each kind of failure names peer, queue pair, device, cause and remedy, wherever it is told. */
@Timeout(120)
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
class FailuresToldTest {
    private final Logger logger = Logger.getLogger(QueuePairWatch.class.getPackageName());
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<String> infos = new CopyOnWriteArrayList<>();
    private final Recording recording = new Recording();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getMessage());
            if (line.getLevel().equals(Level.INFO)) {
                infos.add(line.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @TempDir
    private Path directory;

    @BeforeEach
    void listen() {
        logger.setLevel(Level.FINE);
        logger.addHandler(handler);
        recording.start();
    }

    @AfterEach
    void stop() {
        logger.removeHandler(handler);
        logger.setLevel(null);
        recording.close();
    }

    private List<RecordedEvent> events(String name) throws Exception {
        return recorded().stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
    }

    private List<RecordedEvent> recorded() throws Exception {
        Path file = directory.resolve("recording.jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file);
    }

    /** Waits for the line of the queue pair with {@code peer} that contains {@code text}, written by another thread. */
    private String line(InetSocketAddress peer, String text) {
        return line(", peer 127.0.0.1:" + peer.getPort() + " ", text);
    }

    private String line(String where, String text) {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (System.nanoTime() - end < 0) {
            for (String line : lines) {
                if (line.contains(where) && line.contains(text)) {
                    return line;
                }
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("no line with " + where + " has " + text + ": " + lines);
    }

    private static void names(String told, int queuePair, InetSocketAddress peer, String cause) {
        assertThat(told)
                .contains("queue pair " + queuePair + " of device iwarp0")
                .contains("peer 127.0.0.1:" + peer.getPort())
                .contains(cause)
                .contains("remedy: ");
        System.out.println("    told: " + told);
    }

    private static void names(RecordedEvent event, int queuePair, InetSocketAddress peer, String cause) {
        assertThat(event.getString("provider")).isEqualTo("iwarp");
        assertThat(event.getString("device")).isEqualTo("iwarp0");
        assertThat(event.getInt("queuePair")).isEqualTo(queuePair);
        assertThat(event.getString("peer")).isEqualTo("127.0.0.1:" + peer.getPort());
        assertThat(event.getString("cause")).contains(cause).contains("remedy: ");
    }

    private void notConnected(VerbsException thrown, Peer client, InetSocketAddress peer, String cause)
            throws Exception {
        // The context's numbers: domain 1, queue 2, and the queue pair.
        names(thrown.getMessage(), 3, peer, cause);
        names(line(peer, "was not connected"), 3, peer, cause);
        List<RecordedEvent> setups = events("verbs.ConnectionSetup");
        assertThat(setups).singleElement().satisfies(event -> {
            assertThat(event.getBoolean("established")).isFalse();
            assertThat(event.getString("operation")).isEqualTo("connect");
            names(event, 3, peer, cause);
        });
        assertThat(client.verbs.statistics().connectionsFailed()).isEqualTo(1);
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    @Test
    void refused() throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        try (Peer client = new Peer()) {
            ConnectionException thrown = catchThrowableOfType(
                    ConnectionException.class,
                    () -> client.verbs.connect(loopback(free), client.config(), Peer.soon()));

            notConnected(thrown, client, loopback(free), "no listener at");
        }
    }

    @Test
    void timeout() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Peer client = new Peer()) {
            InetSocketAddress peer = loopback(mute.getLocalPort());
            DeadlineExceededException thrown = catchThrowableOfType(
                    DeadlineExceededException.class,
                    () -> client.verbs.connect(peer, client.config(), Deadline.in(Duration.ofMillis(200))));

            notConnected(thrown, client, peer, "before the deadline");
        }
    }

    /** Peers that a listener turns away in set-up have no queue pair that would tell of them. */
    @Test
    void turnedAway() throws Exception {
        int many = 30;
        try (Peer server = new Peer();
                Listener listener = server.verbs.listen(loopback(0))) {
            for (int i = 0; i < many; i++) {
                try (Socket stranger = new Socket()) {
                    stranger.connect(listener.localAddress());
                    int port = stranger.getLocalPort();
                    stranger.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8));
                    String line = line("device iwarp0, peer 127.0.0.1:" + port + " ", "was refused");
                    assertThat(line).contains("MPA");
                }
            }
            assertThat(server.verbs.statistics().connectionsFailed()).isEqualTo(many);
            assertThat(infos).filteredOn(line -> line.contains("was refused")).hasSizeBetween(1, 10);
        }
    }

    /** A probe of the port, as load balancers make them, is counted and says nothing at INFO. */
    @Test
    void leftInSetUp() throws Exception {
        try (Peer server = new Peer();
                Listener listener = server.verbs.listen(loopback(0))) {
            int port;
            try (Socket probe = new Socket()) {
                probe.connect(listener.localAddress());
                port = probe.getLocalPort();
            }
            line("device iwarp0, peer 127.0.0.1:" + port + " ", "left in set-up");
            assertThat(server.verbs.statistics().connectionsFailed()).isEqualTo(1);
            assertThat(infos).noneMatch(line -> line.contains("127.0.0.1:" + port + " "));
        }
    }

    private void ended(Peer told, String cause, String endedBy) throws Exception {
        InetSocketAddress peer = told.connection().remoteAddress();
        int number = told.queuePair().number();
        names(told.event(AsyncEvent.Type.QP_FATAL).detail(), number, peer, cause);
        names(line(peer, "failed: "), number, peer, cause);
        told.connection().awaitDisconnect(Peer.soon());
        assertThat(events("verbs.ConnectionEnd"))
                .filteredOn(event -> event.getString("peer").equals("127.0.0.1:" + peer.getPort()))
                .singleElement()
                .satisfies(event -> {
                    names(event, number, peer, cause);
                    assertThat(event.getString("endedBy")).isEqualTo(endedBy);
                });
        assertThat(events("verbs.AsyncEvent")).anySatisfy(event -> {
            assertThat(event.getString("type")).isEqualTo("QP_FATAL");
            assertThat(event.getInt("queuePair")).isEqualTo(number);
            assertThat(event.getString("peer")).isEqualTo("127.0.0.1:" + peer.getPort());
        });
        assertThat(told.verbs.statistics().failures()).isEqualTo(1);
    }

    @Test
    void reset() throws Exception {
        try (Peer client = new Peer();
                Peer server = new Peer()) {
            Peer.connect(client, server);
            client.queuePair().recv(1, client.buffer, 0, 64);
            server.queuePair().close();

            ended(client, "the peer reset the connection", "PEER");
            QueuePairStatistics statistics = client.queuePair().statistics();
            assertThat(statistics.receivesFlushed()).isEqualTo(1);
            assertThat(events("verbs.FlushedWork"))
                    .anySatisfy(event -> assertThat(event.getLong("receives")).isEqualTo(1));
        }
    }

    @Test
    void terminate() throws Exception {
        try (Peer client = new Peer();
                Peer server = new Peer()) {
            Peer.connect(client, server);
            long address = client.buffer.checkedAddress(0, 100);
            client.queuePair()
                    .post(WorkRequest.of(SendOpcode.RDMA_WRITE)
                            .wrId(3)
                            .local(address, 100, client.buffer.lkey())
                            .remote(0x77, 0x0BAD_0000));

            ended(client, "1/1/00 tagged buffer error: invalid STag (found by the peer", "PEER");
            assertThat(client.verbs.statistics().terminatesReceived()).isEqualTo(1);
            assertThat(server.verbs.statistics().terminatesSent()).isEqualTo(1);
            assertThat(events("verbs.Terminate")).hasSize(2).allSatisfy(event -> {
                assertThat(event.getInt("layer")).isEqualTo(1);
                assertThat(event.getInt("errorType")).isEqualTo(1);
                assertThat(event.getInt("errorCode")).isZero();
            });
            // A recording may be given away, and an STag is a right to memory; the log has it.
            line(client.connection().remoteAddress(), "STag 0x0bad0000");
            assertThat(recorded())
                    .noneSatisfy(event -> assertThat(event.toString()).containsIgnoringCase("0bad0000"));
        }
    }

    @Test
    void overrun() throws Exception {
        try (Peer client = new Peer(4);
                Peer server = new Peer()) {
            Peer.connect(client, server);
            for (int i = 0; i < 5; i++) {
                client.queuePair().write(i, client.buffer, 0, 1, Peer.remote(server), 0, SIGNALED);
            }

            ended(client, "completion queue overrun", "THIS_SIDE");
            assertThat(events("verbs.CompletionQueueOverrun"))
                    .singleElement()
                    .satisfies(event -> assertThat(event.getString("queue")).isEqualTo("completion queue 2"));
            assertThat(client.verbs.statistics().overruns()).isEqualTo(1);
            overrunNamed(client);
        }
    }

    /** What is told of the queue itself: by who polls it, by the event of the device and in the log. */
    private void overrunNamed(Peer client) throws Exception {
        String[] told = {
            "completion queue 2 of device iwarp0", "more than 4 completions", "remedy: ", "poll sooner", "signal fewer"
        };
        IllegalStateException thrown = catchThrowableOfType(
                IllegalStateException.class, () -> client.queue.poll(WorkCompletions.ofCapacity(1)));
        assertThat(thrown).hasMessageContainingAll(told);
        System.out.println("    told: " + thrown.getMessage());
        assertThat(events("verbs.CompletionQueueOverrun"))
                .singleElement()
                .satisfies(event -> assertThat(event.getString("cause")).contains(told));
        line("device iwarp0: ", String.valueOf(thrown.getMessage()));
    }

    @Test
    void memory() throws Exception {
        try (Peer client = new Peer();
                Peer server = new Peer()) {
            Peer.connect(client, server);
            client.queuePair()
                    .post(WorkRequest.of(SendOpcode.SEND)
                            .wrId(1)
                            .local(0x1000, 64, 0x0BAD_0000)
                            .flags(SIGNALED));

            ended(client, "local protection error", "THIS_SIDE");
        }
    }

    @Test
    void anEndInOrderHasNoCause() throws Exception {
        try (Peer client = new Peer();
                Peer server = new Peer()) {
            Peer.connect(client, server);
            server.queuePair().recv(1, server.buffer, 0, 64);
            client.queuePair().send(2, client.buffer, 0, 64, SIGNALED);
            server.nextOk();
            Background<Boolean> followed =
                    Background.start(() -> server.connection().awaitDisconnect(Peer.soon()));
            client.connection().disconnect(Peer.soon());
            assertThat(followed.get()).isTrue();

            assertThat(events("verbs.ConnectionEnd"))
                    .hasSize(2)
                    .allSatisfy(event -> assertThat(event.getString("cause")).isEmpty())
                    .extracting(event -> event.getString("endedBy"))
                    .containsExactlyInAnyOrder("THIS_SIDE", "PEER");
            QueuePairStatistics sender = client.queuePair().statistics();
            assertThat(sender.sendsPosted()).isEqualTo(1);
            assertThat(sender.sendsCompleted()).isEqualTo(1);
            assertThat(sender.bytesSent()).isGreaterThanOrEqualTo(64);
            assertThat(sender.writes()).isPositive();
            QueuePairStatistics receiver = server.queuePair().statistics();
            assertThat(receiver.receivesPosted()).isEqualTo(1);
            assertThat(receiver.receivesCompleted()).isEqualTo(1);
            assertThat(receiver.bytesReceived()).isEqualTo(sender.bytesSent());
            assertThat(receiver.peer()).startsWith("127.0.0.1:");
        }
    }

    /** As in an image of jlink that was made without the module jdk.jfr. */
    @Test
    void connectsWhereThereIsNoFlightRecorder() throws Exception {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--limit-modules=java.base,java.logging,jdk.net",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SocketsProbe.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(output)).contains("transport=MPA rev 2");
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void theDeviceKeepsTheNumbersOfClosedQueuePairs() throws Exception {
        try (Peer client = new Peer();
                Peer server = new Peer()) {
            Peer.connect(client, server);
            server.queuePair().recv(1, server.buffer, 0, 64);
            client.queuePair().send(2, client.buffer, 0, 64, SIGNALED);
            server.nextOk();
            client.nextOk();
            client.queuePair().close();

            DeviceStatistics device = client.verbs.statistics();
            assertThat(device.queuePairs()).isZero();
            assertThat(device.connections()).isZero();
            assertThat(device.sendsCompleted()).isEqualTo(1);
            assertThat(device.registrations()).isEqualTo(1);
            assertThat(device.registeredBytes()).isEqualTo(Peer.BUFFER_BYTES);
        }
    }
}

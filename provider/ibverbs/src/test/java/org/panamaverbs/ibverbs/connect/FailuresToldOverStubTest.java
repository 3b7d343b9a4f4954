package org.panamaverbs.ibverbs.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.memory.Access;
import org.panamaverbs.spi.watch.QueuePairWatch;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Waits;

/** Each kind of failure names peer, queue pair, device, cause and remedy, wherever it is told. */
@Timeout(120)
class FailuresToldOverStubTest extends OverStub {
    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 7174);
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(PEER.getAddress(), 0);
    private static final String DEVICE = "device stub0";

    // rdma/rdma_cma.h: enum rdma_cm_event_type
    private static final int REJECTED = 8;
    private static final int ESTABLISHED = 9;
    private static final int DISCONNECTED = 10;
    private static final int DEVICE_REMOVAL = 11;
    // infiniband/verbs.h: enum ibv_event_type
    private static final int CQ_ERR = 0;
    private static final int QP_FATAL = 1;

    private final Logger logger = Logger.getLogger(QueuePairWatch.class.getPackageName());
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<Level> levels = new CopyOnWriteArrayList<>();
    private final Recording recording = new Recording();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getMessage());
            levels.add(line.getLevel());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private IbvCompletionQueue completions;
    private IbvQueuePair queuePair;

    @TempDir
    private Path directory;

    @BeforeEach
    void listen() {
        logger.setLevel(Level.FINE);
        logger.addHandler(handler);
        recording.start();
        completions = verbs.queue(4);
        queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), completions));
    }

    @AfterEach
    void stop() {
        logger.removeHandler(handler);
        logger.setLevel(null);
        recording.close();
    }

    @Test
    void requestBeyondTheBacklogIsTold() {
        try (Listener listener =
                verbs.connections().listen(ANY_PORT, ListenerConfig.defaults().withBacklog(1))) {
            Stub.request(listener.localAddress().getPort());
            Stub.request(listener.localAddress().getPort());
            String told = line(DEVICE, "was refused");
            assertThat(told).contains("peer ", "backlog of 1", "remedy: ");
            assertThat(levels.get(lines.indexOf(told))).isEqualTo(Level.INFO);
            assertThat(verbs.context().watch().statistics().connectionsFailed()).isEqualTo(1);
        }
    }

    private RecordedEvent event(String name) throws Exception {
        Path file = directory.resolve("recording.jfr");
        recording.dump(file);
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
        assertThat(events).as(name).hasSize(1);
        return events.get(0);
    }

    private String line(String where, String text) {
        Stub.await(
                "a line of " + where + " with " + text,
                () -> lines.stream().anyMatch(line -> line.contains(where) && line.contains(text)));
        return lines.stream()
                .filter(line -> line.contains(where) && line.contains(text))
                .findFirst()
                .orElseThrow();
    }

    private String where() {
        return "queue pair " + queuePair.number() + " of " + DEVICE + ", peer 127.0.0.1:7174";
    }

    private void names(String told, String cause, String remedy) {
        assertThat(told).contains(where(), cause, "remedy: ", remedy);
        System.out.println("    told: " + told);
    }

    private void names(RecordedEvent event, String cause, String remedy) {
        assertThat(event.getString("provider")).isEqualTo("ibverbs");
        assertThat(event.getString("device")).isEqualTo("stub0");
        assertThat(event.getInt("queuePair")).isEqualTo(queuePair.number());
        assertThat(event.getString("peer")).isEqualTo("127.0.0.1:7174");
        assertThat(event.getString("cause")).contains(cause, remedy);
    }

    private PendingConnection begin(Deadline deadline) {
        int before = Stub.connects();
        PendingConnection attempt =
                verbs.connections().begin(PEER, queuePair, false, ConnectionConfig.defaults(), deadline);
        Stub.await("the peer is asked", () -> Stub.connects() > before);
        return attempt;
    }

    private Connection connected() {
        PendingConnection attempt = begin(Waits.deadline());
        Stub.event(Stub.lastPort(), ESTABLISHED);
        return attempt.await(Waits.deadline());
    }

    private AsyncEvent raised(AsyncEvent.Type type) {
        while (true) {
            AsyncEvent event =
                    verbs.context().asyncEvent(Waits.deadline()).orElseThrow(() -> new AssertionError("no " + type));
            if (event.type() == type) {
                return event;
            }
        }
    }

    private void notConnected(VerbsException thrown, String cause, String remedy) throws Exception {
        names(thrown.getMessage(), cause, remedy);
        names(line(where(), "was not connected"), cause, remedy);
        RecordedEvent event = event("verbs.ConnectionSetup");
        assertThat(event.getBoolean("established")).isFalse();
        assertThat(event.getString("operation")).isEqualTo("connect");
        names(event, cause, remedy);
    }

    @Test
    void refused() throws Exception {
        PendingConnection attempt = begin(Waits.deadline());
        Stub.event(Stub.lastPort(), REJECTED);
        ConnectionException thrown =
                catchThrowableOfType(ConnectionException.class, () -> attempt.await(Waits.deadline()));

        notConnected(thrown, "reject", thrown.reason().remedy());
    }

    @Test
    void timeout() throws Exception {
        DeadlineExceededException thrown = catchThrowableOfType(
                DeadlineExceededException.class,
                () -> verbs.connections()
                        .connect(
                                PEER,
                                queuePair,
                                false,
                                ConnectionConfig.defaults(),
                                Deadline.in(Duration.ofMillis(500))));

        notConnected(thrown, "the peer did not answer", "set a later deadline");
    }

    @Test
    void reset() throws Exception {
        try (Connection connection = connected()) {
            Stub.hold(queuePair.number(), true);
            queuePair.post(WorkRequest.of(SendOpcode.RDMA_WRITE).wrId(7).flags(SendFlag.SIGNALED));
            Background<Boolean> disconnecting = Background.start("disconnect", () -> {
                connection.disconnect(Waits.deadline());
                return true;
            });
            Stub.await("the marker is posted", () -> Stub.held(queuePair.number()) == 2);
            Stub.event(Stub.lastPort(), DISCONNECTED);
            ConnectionException thrown =
                    catchThrowableOfType(ConnectionException.class, () -> disconnecting.await(Waits.deadline()));

            assertThat(thrown.reason()).isEqualTo(ConnectionException.Reason.RESET);
            String remedy = thrown.reason().remedy();
            names(thrown.getMessage(), "failed before its end", remedy);
            names(line(where() + " failed: ", "before its end"), "failed before its end", remedy);
            names(event("verbs.ConnectionEnd"), "failed before its end", remedy);
        }
    }

    @Test
    void resetBeforeWorkHadCompleted() throws Exception {
        try (Connection connection = connected()) {
            Stub.hold(queuePair.number(), true);
            queuePair.post(WorkRequest.of(SendOpcode.RDMA_WRITE).wrId(7).flags(SendFlag.SIGNALED));
            Stub.event(Stub.lastPort(), DISCONNECTED);
            assertThat(connection.awaitDisconnect(Waits.deadline())).isTrue();

            String remedy = ConnectionException.Reason.RESET.remedy();
            names(line(where(), " failed: "), "before 1 signaled requests", remedy);
            RecordedEvent event = event("verbs.ConnectionEnd");
            names(event, "before 1 signaled requests", remedy);
            assertThat(event.getString("endedBy")).isEqualTo("PEER");
        }
    }

    @Test
    void anEndIsInOrderIfAllHadCompletedAlsoWhatNobodyPolled() throws Exception {
        try (Connection connection = connected()) {
            queuePair.post(WorkRequest.of(SendOpcode.RDMA_WRITE).wrId(7).flags(SendFlag.SIGNALED));
            Stub.event(Stub.lastPort(), DISCONNECTED);
            assertThat(connection.awaitDisconnect(Waits.deadline())).isTrue();

            line(where(), "closed by PEER");
            assertThat(completions.poll(WorkCompletions.ofCapacity(1))).isEqualTo(1);
        }
    }

    @Test
    void removalOfTheDevice() throws Exception {
        try (Connection connection = connected()) {
            Stub.event(Stub.lastPort(), DEVICE_REMOVAL);
            assertThat(connection.awaitDisconnect(Waits.deadline())).isTrue();

            names(line(where(), " failed: "), "was removed", "open another one");
            names(event("verbs.ConnectionEnd"), "was removed", "remedy: ");
        }
    }

    @Test
    void aFloodOfFailuresIsToldInFullAtDebugOnly() {
        List<Connection> flood = new ArrayList<>();
        completions = verbs.queue(64);
        for (int i = 0; i < 14; i++) {
            queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), completions));
            flood.add(connected());
            Stub.asyncEvent(queuePair.number(), QP_FATAL);
            line(where(), " failed: ");
        }

        assertThat(levels.stream().filter(Level.INFO::equals).count()).isEqualTo(10);
        assertThat(verbs.context().watch().statistics().failures()).isEqualTo(14);
        flood.forEach(Connection::close);
    }

    @Test
    void endByThePeer() throws Exception {
        try (Connection connection = connected()) {
            Stub.event(Stub.lastPort(), DISCONNECTED);
            assertThat(connection.awaitDisconnect(Waits.deadline())).isTrue();

            line(where(), "closed by PEER");
            RecordedEvent event = event("verbs.ConnectionEnd");
            names(event, "", "");
            assertThat(event.getString("endedBy")).isEqualTo("PEER");
        }
    }

    @Test
    void failureOfTheDevice() throws Exception {
        try (Connection connection = connected()) {
            assertThat(connection.isConnected()).isTrue();
            Stub.asyncEvent(queuePair.number(), QP_FATAL);

            names(raised(AsyncEvent.Type.QP_FATAL).detail(), "the device raised QP_FATAL", "the kernel's log");
            names(line(where(), " failed: "), "the device raised QP_FATAL", "the kernel's log");
        }
        names(event("verbs.ConnectionEnd"), "the device raised QP_FATAL", "remedy: ");
    }

    @Test
    void overrun() throws Exception {
        String queue = completions.resourceName() + " of " + DEVICE + " was overrun";
        String[] told = {queue, "more than " + completions.capacity() + " completions", "remedy: ", "poll sooner"};
        try (Connection connection = connected()) {
            assertThat(connection.isConnected()).isTrue();
            Stub.asyncEvent(queuePair.number(), CQ_ERR);

            assertThat(raised(AsyncEvent.Type.CQ_ERROR).detail()).contains(told);
            IllegalStateException thrown = catchThrowableOfType(
                    IllegalStateException.class, () -> completions.poll(WorkCompletions.ofCapacity(1)));
            assertThat(thrown).hasMessageContainingAll(told);
            System.out.println("    told: " + thrown.getMessage());
            names(line(where(), " failed: "), queue, "signal fewer requests");
            assertThat(line(DEVICE + ": ", queue)).contains(told);
            RecordedEvent event = event("verbs.CompletionQueueOverrun");
            assertThat(event.getString("device")).isEqualTo("stub0");
            assertThat(event.getString("queue")).isEqualTo(completions.resourceName());
            assertThat(event.getString("cause")).contains(told);
        }
        RecordedEvent end = event("verbs.ConnectionEnd");
        names(end, queue, "remedy: ");
        assertThat(end.getString("endedBy")).isEqualTo("THIS_SIDE");
    }

    @Test
    void memory() throws Exception {
        Stub.fail("ibv_reg_mr", Errno.ENOMEM, 1);
        ResourceException thrown = catchThrowableOfType(
                ResourceException.class, () -> verbs.domain().allocate(4096, Access.LOCAL_WRITE));

        String[] told = {"ibv_reg_mr", DEVICE, "out of memory", "raise the memlock limit"};
        assertThat(thrown).hasMessageContainingAll(told);
        System.out.println("    told: " + thrown.getMessage());
        assertThat(line(DEVICE, "ibv_reg_mr")).contains(told);
        RecordedEvent event = event("verbs.MemoryRegistration");
        assertThat(event.getString("device")).isEqualTo("stub0");
        assertThat(event.getString("cause")).contains(told);
    }

    @Test
    void memoryForAQueue() {
        Stub.fail("ibv_create_cq", Errno.ENOMEM, 1);
        assertThat(catchThrowableOfType(ResourceException.class, () -> verbs.queue(16)))
                .hasMessageContainingAll(
                        "ibv_create_cq", DEVICE, "16 completions", "out of memory", "raise the memlock limit");
    }

    @Test
    void memoryForAQueuePair() {
        Stub.fail("ibv_create_qp", Errno.ENOMEM, 1);
        assertThat(catchThrowableOfType(
                        ResourceException.class,
                        () -> verbs.queuePair(QueuePairConfig.of(verbs.domain(), completions))))
                .hasMessageContainingAll("ibv_create_qp", DEVICE, "out of memory", "raise the memlock limit");
    }
}

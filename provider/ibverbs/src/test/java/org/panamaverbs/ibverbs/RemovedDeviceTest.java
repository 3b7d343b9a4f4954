package org.panamaverbs.ibverbs;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.ibverbs.LabCommands.Running;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.Resources;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.Waits;

/**
 * A device that is removed ({@code rdma link del}) while it is open, as root in the lab alone. The drivers rxe and siw
 * cannot take a device away from who has it open: Linux waits until all have closed it.
 */
@RunsOn(Devices.Rxe.class)
@SuppressWarnings("NullAway.Init") // by open
class RemovedDeviceTest extends Conformance {
    private static final String LINK = "gone0";
    private static final String DEVICE = "removed0";
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("10.0.5.1"), 0);
    private static final int BYTES = 64;

    private final Resources opened = new Resources();
    private final WorkCompletions completions = WorkCompletions.ofCapacity(4);
    private boolean changed;
    private Verbs verbs;
    private ProtectionDomain domain;
    private CompletionQueue queue;
    private RegisteredBuffer buffer;

    /** Returns how many descriptors there were before. */
    private long open(String driver) throws Exception {
        LabCommands.requireLab();
        LabCommands.requireTriedLinux();
        changed = true;
        LabCommands.haveLibrdmacmLook();
        final long before = LabCommands.descriptors();
        LabCommands.run("ip", "link", "add", LINK, "type", "dummy");
        LabCommands.run("ip", "addr", "add", "10.0.5.1/24", "dev", LINK);
        LabCommands.run("ip", "link", "set", LINK, "up");
        LabCommands.run("rdma", "link", "add", DEVICE, "type", driver, "netdev", LINK);
        verbs = opened.add(Verbs.open(OpenConfig.provider("ibverbs").withDevice(DEVICE)));
        domain = opened.add(verbs.protectionDomain());
        queue = opened.add(verbs.completionQueue(64));
        buffer = opened.add(domain.allocate(4096, Access.LOCAL_WRITE));
        return before;
    }

    @AfterEach
    void removeLink() throws Exception {
        opened.close();
        if (changed) {
            LabCommands.run("ip", "link", "del", LINK);
        }
    }

    private QueuePair queuePair() {
        return opened.add(domain.queuePair(QueuePairConfig.of(domain, queue)));
    }

    private Connection accept(Listener listener) {
        try (ConnectionRequest request = listener.accept(Waits.deadline())) {
            return opened.add(request.accept(queuePair(), ConnectionConfig.defaults(), Waits.deadline()));
        }
    }

    private List<AsyncEvent> removals(int count) {
        List<AsyncEvent> events = new ArrayList<>();
        while (events.size() < count) {
            AsyncEvent event = verbs.asyncEvent(Waits.deadline())
                    .orElseThrow(() -> new AssertionError("no more events than " + events));
            if (event.type() == AsyncEvent.Type.DEVICE_REMOVAL) {
                events.add(event);
            }
        }
        return events;
    }

    /** What Linux has begun ends when all is closed; {@code before} is how many descriptors there were. */
    private void endsOnceClosed(Running removal, long before) throws Exception {
        assertThat(removal.process().isAlive()).as("Linux waits").isTrue();
        opened.close();
        LabCommands.haveLibrdmacmLook();
        LabCommands.succeeds(removal);
        assertThat(Path.of("/sys/class/infiniband", DEVICE)).doesNotExist();
        assertThat(LabCommands.descriptors()).as("file descriptors").isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rxe", "siw"})
    void endsConnectionsAndListenersAndGoesOnceAllIsClosed(String driver) throws Exception {
        long before = open(driver);
        Listener listener = opened.add(verbs.listen(ANY_PORT));
        Background<Connection> accepting = Background.start("accept", () -> accept(listener));
        QueuePair connecting = queuePair();
        Connection here = opened.add(
                verbs.connect(listener.localAddress(), connecting, ConnectionConfig.defaults(), Waits.deadline()));
        Connection there = accepting.await(Waits.deadline());
        QueuePair accepted = there.queuePair();
        accepted(accepted.recv(1, buffer, 0, BYTES));

        Running removal = LabCommands.startRemoval(DEVICE);
        assertThat(removals(3).stream().map(AsyncEvent::source).collect(toSet()))
                .containsExactlyInAnyOrder(verbs, connecting, accepted);
        for (Connection each : List.of(here, there)) {
            assertThat(each.awaitDisconnect(Waits.deadline())).isTrue();
            assertThat(each.isConnected()).isFalse();
            assertThat(each.queuePair().state()).isEqualTo(QueuePairState.ERROR);
        }
        assertThat(queue.poll(completions, Waits.deadline())).isPositive();
        assertThat(completions.get(0).wrId()).isEqualTo(1);
        assertThat(completions.get(0).status()).isEqualTo(WcStatus.WR_FLUSH_ERROR);
        assertThatThrownBy(() -> listener.accept(Waits.deadline()))
                .isInstanceOfSatisfying(
                        ConnectionException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CLOSED))
                .hasMessageContaining("device " + DEVICE + " was removed");
        expectWhatOtherCallsSay(listener.localAddress());
        here.disconnect(Waits.deadline());
        endsOnceClosed(removal, before);
    }

    /** Nobody new reaches the device; who has it open can use it still. */
    private void expectWhatOtherCallsSay(InetSocketAddress address) {
        QueuePair another = queuePair();
        assertThatThrownBy(() -> verbs.connect(address, another, ConnectionConfig.defaults(), Waits.deadline()))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("ENODEV")
                .hasMessageContaining("no RDMA device has that address");
        assertThatThrownBy(() -> verbs.listen(ANY_PORT))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("ENODEV");
        assertThatThrownBy(() -> Verbs.open(OpenConfig.provider("ibverbs").withDevice(DEVICE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has no device " + DEVICE);
        assertThat(opened.add(verbs.protectionDomain())).isNotNull();
        assertThat(verbs.port(1).query()).isNotNull();
        expectNoMoreWord();
    }

    /** Nothing says once more, or at all, that the device is gone. */
    private void expectNoMoreWord() {
        for (Optional<AsyncEvent> next = event(); next.isPresent(); next = event()) {
            assertThat(next.get().type()).isNotIn(AsyncEvent.Type.DEVICE_REMOVAL, AsyncEvent.Type.DEVICE_FATAL);
        }
    }

    private Optional<AsyncEvent> event() {
        return verbs.asyncEvent(Waits.brief());
    }

    /** Who has neither a connection nor a listener of the connection manager hears nothing from these drivers. */
    @ParameterizedTest
    @ValueSource(strings = {"rxe", "siw"})
    void isThereForWhoHearsNothingUntilAllIsClosed(String driver) throws Exception {
        long before = open(driver);
        Running removal = LabCommands.startRemoval(DEVICE);
        expectNoMoreWord();
        queuePair();
        assertThat(verbs.port(1).query()).isNotNull();
        endsOnceClosed(removal, before);
    }
}

package org.panamaverbs.ibverbs;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.RetryTimes;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.Resources;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.Waits;

/**
 * A bond under rxe whose active interface changes, and its hardware address with it, as root in the lab alone: what
 * connections and listeners hear, and what becomes of them.
 */
@RunsOn(Devices.Rxe.class)
@SuppressWarnings("NullAway.Init") // by open
class MovedAddressTest extends Conformance {
    private static final String BOND = "moved0";
    private static final String FIRST = "moved1";
    private static final String SECOND = "moved2";
    private static final String DEVICE = "rxemoved";
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("10.0.6.1"), 0);
    private static final int BYTES = 64;
    private static final ConnectionConfig CONFIG = ConnectionConfig.defaults()
            .withRetries(1, 7)
            .withRetryTimes(RetryTimes.defaults().withAckTimeout(Duration.ofMillis(67)));

    private final Resources opened = new Resources();
    private final WorkCompletions completions = WorkCompletions.ofCapacity(4);
    private boolean changed;
    private Verbs verbs;
    private ProtectionDomain domain;
    private CompletionQueue queue;
    private RegisteredBuffer buffer;

    /** Both ends of a connection of the device with itself. */
    private record Ends(Connection here, Connection there) {}

    private void open(String macOfTheBond) throws Exception {
        LabCommands.requireLab();
        LabCommands.requireTriedLinux();
        changed = true;
        LabCommands.run(
                "ip",
                "link",
                "add",
                BOND,
                "type",
                "bond",
                "mode",
                "active-backup",
                "fail_over_mac",
                macOfTheBond,
                "miimon",
                "100");
        for (String each : List.of(FIRST, SECOND)) {
            LabCommands.run("ip", "link", "add", each, "type", "dummy");
            LabCommands.run("ip", "link", "set", each, "master", BOND);
        }
        LabCommands.run("ip", "addr", "add", "10.0.6.1/24", "dev", BOND);
        LabCommands.run("ip", "link", "set", BOND, "up");
        LabCommands.run("rdma", "link", "add", DEVICE, "type", "rxe", "netdev", BOND);
        verbs = opened.add(Verbs.open(OpenConfig.provider("ibverbs").withDevice(DEVICE)));
        domain = opened.add(verbs.protectionDomain());
        queue = opened.add(verbs.completionQueue(64));
        buffer = opened.add(domain.allocate(4096, Access.LOCAL_WRITE));
    }

    /** In this order: Linux removes the device when nobody has it open any more, and waits until then. */
    @AfterEach
    void remove() throws Exception {
        opened.close();
        if (changed) {
            LabCommands.Running removal = LabCommands.startRemoval(DEVICE);
            LabCommands.haveLibrdmacmLook();
            LabCommands.succeeds(removal);
            for (String each : List.of(BOND, FIRST, SECOND)) {
                LabCommands.run("ip", "link", "del", each);
            }
        }
    }

    private Connection accept(Listener listener) {
        try (ConnectionRequest request = listener.accept(Waits.deadline())) {
            return opened.add(request.accept(QueuePairConfig.of(domain, queue), CONFIG, Waits.deadline()));
        }
    }

    private Ends connect(Listener listener) {
        Background<Connection> accepting = Background.start("accept", () -> accept(listener));
        Connection here = opened.add(
                verbs.connect(listener.localAddress(), QueuePairConfig.of(domain, queue), CONFIG, Waits.deadline()));
        return new Ends(here, accepting.await(Waits.deadline()));
    }

    /** Sends a message, and returns what it completes with. */
    private WcStatus send(Ends ends) {
        accepted(ends.there().queuePair().recv(1, buffer, 0, BYTES));
        accepted(ends.here().queuePair().send(2, buffer, BYTES, BYTES, SIGNALED));
        WcStatus sent = null;
        while (sent == null) {
            int count = queue.poll(completions, Waits.deadline());
            assertThat(count).isPositive();
            for (int i = 0; i < count; i++) {
                sent = completions.get(i).wrId() == 2 ? completions.get(i).status() : sent;
            }
        }
        return sent;
    }

    private List<AsyncEvent> moves(int count) {
        List<AsyncEvent> moves = new ArrayList<>();
        while (moves.size() < count) {
            AsyncEvent event = verbs.asyncEvent(Waits.deadline())
                    .orElseThrow(() -> new AssertionError("no more events than " + moves));
            if (event.type() == AsyncEvent.Type.ADDR_CHANGE) {
                moves.add(event);
            }
        }
        return moves;
    }

    private static void failOver() throws Exception {
        LabCommands.run("ip", "link", "set", BOND, "type", "bond", "active_slave", SECOND);
    }

    @Test
    void isToldToEachAndChangesNothingThatIsThere() throws Exception {
        open("active");
        Listener listener = opened.add(verbs.listen(ANY_PORT));
        Ends ends = connect(listener);
        assertThat(send(ends)).isEqualTo(WcStatus.SUCCESS);

        failOver();
        assertThat(moves(3).stream().map(AsyncEvent::source).collect(toSet()))
                .containsExactlyInAnyOrder(
                        verbs, ends.here().queuePair(), ends.there().queuePair());
        assertThat(ends.here().isConnected()).isTrue();
        assertThat(ends.there().isConnected()).isTrue();
        // rxe finds no way for it, with the address and the GID that it was set up with.
        assertThat(send(ends)).isIn(WcStatus.LOCAL_QP_OPERATION_ERROR, WcStatus.RETRY_EXCEEDED);

        assertThat(send(connect(listener)))
                .as("over a connection that is made anew")
                .isEqualTo(WcStatus.SUCCESS);
    }

    @Test
    void isNotToldWhereTheHardwareAddressStays() throws Exception {
        open("none");
        Listener listener = opened.add(verbs.listen(ANY_PORT));
        Ends ends = connect(listener);
        assertThat(send(ends)).isEqualTo(WcStatus.SUCCESS);
        failOver();
        assertThat(send(connect(listener))).isEqualTo(WcStatus.SUCCESS);
        for (Optional<AsyncEvent> next = event(); next.isPresent(); next = event()) {
            assertThat(next.get().type()).isNotEqualTo(AsyncEvent.Type.ADDR_CHANGE);
        }
    }

    private Optional<AsyncEvent> event() {
        return verbs.asyncEvent(Waits.brief());
    }
}

package org.panamaverbs.ibverbs;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.RetryTimes;
import org.panamaverbs.api.cm.outofband.OutOfBand;
import org.panamaverbs.api.cm.outofband.OutOfBandConfig;
import org.panamaverbs.api.cm.outofband.QueuePairEndpoint;
import org.panamaverbs.api.util.Fate;
import org.panamaverbs.api.util.OutstandingSends;
import org.panamaverbs.api.util.OutstandingSends.Request;
import org.panamaverbs.api.util.Ways;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.Resources;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.Waits;

/**
 * A link that goes down under queue pairs of rxe, as root in the lab alone: what is known of their requests, and how
 * the messages go on over another device, and over the first when its link is up again.
 */
@RunsOn(Devices.Rxe.class)
@SuppressWarnings("NullAway.Init") // by add
class LinkDownTest extends Conformance {
    private static final String LINK = "rdma0";
    private static final String OTHER_LINK = "rdma1";
    private static final String OTHER_DEVICE = "rxe1";
    private static final int MESSAGES = 8;
    private static final int BYTES = 8;
    // An acknowledgement is waited for 67 ms, and missed twice.
    private static final OutOfBandConfig CONFIG =
            OutOfBandConfig.defaults().withRetries(1, 7).withRetryTimes(RetryTimes.ofCodes(14, 12));

    private final Resources resources = new Resources();
    private final WorkCompletions completions = WorkCompletions.ofCapacity(16);
    private boolean changed;
    private Device first;
    private Device second;

    /** A device with both ends of a path: one sends numbered messages, the other takes them. */
    private final class Device {
        final Verbs verbs;
        final ProtectionDomain domain;
        final CompletionQueue queue;
        final RegisteredBuffer buffer;

        Device(String name) {
            verbs = resources.add(Verbs.open(OpenConfig.provider("ibverbs").withDevice(name)));
            domain = resources.add(verbs.protectionDomain());
            queue = resources.add(verbs.completionQueue(64));
            buffer = resources.add(domain.allocate(4096, Access.LOCAL_WRITE));
        }

        QueuePair queuePair() {
            return resources.add(domain.queuePair(QueuePairConfig.of(domain, queue)));
        }

        void await(AsyncEvent.Type type) {
            AsyncEvent.Type next;
            do {
                next = verbs.asyncEvent(Waits.deadline()).orElseThrow().type();
            } while (next != type);
        }
    }

    /** Two queue pairs that are connected, of one device. */
    private record Path(Device device, QueuePair sender, QueuePair taker, OutstandingSends ledger) {}

    @BeforeEach
    void add() throws Exception {
        LabCommands.requireLab();
        changed = true;
        LabCommands.run("ip", "link", "add", OTHER_LINK, "type", "dummy");
        LabCommands.run("ip", "addr", "add", "10.0.4.1/24", "dev", OTHER_LINK);
        LabCommands.run("ip", "link", "set", OTHER_LINK, "up");
        LabCommands.run("rdma", "link", "add", OTHER_DEVICE, "type", "rxe", "netdev", OTHER_LINK);
        first = new Device("rxe0");
        second = new Device(OTHER_DEVICE);
    }

    @AfterEach
    void remove() throws Exception {
        if (!changed) {
            return;
        }
        resources.close();
        LabCommands.run("ip", "link", "set", LINK, "up");
        // What is lost with the link.
        LabCommands.run("ip", "addr", "replace", "fd00:3::1/64", "dev", LINK, "nodad");
        LabCommands.run("ip", "route", "replace", "239.0.0.0/8", "dev", LINK);
        LabCommands.run("rdma", "link", "del", OTHER_DEVICE);
        LabCommands.run("ip", "link", "del", OTHER_LINK);
    }

    private Path connect(Device device) {
        QueuePair sender = device.queuePair();
        QueuePair taker = device.queuePair();
        return connect(new Path(device, sender, taker, OutstandingSends.of(sender)));
    }

    private Path connect(Path path) {
        OutOfBand toTaker = OutOfBand.of(path.device().verbs, path.sender(), CONFIG);
        OutOfBand toSender = OutOfBand.of(path.device().verbs, path.taker(), CONFIG);
        QueuePairEndpoint sends = toTaker.endpoint();
        QueuePairEndpoint takes = toSender.endpoint();
        toTaker.readyToReceive(takes);
        toSender.readyToReceive(sends);
        toTaker.readyToSend(takes);
        toSender.readyToSend(sends);
        for (int i = 0; i < MESSAGES; i++) {
            accepted(path.taker().recv(100 + i, path.device().buffer, 2048 + (long) BYTES * i, BYTES));
        }
        return path;
    }

    private void send(Path path, long number, int flags) {
        accepted(path.sender().send(number, path.device().buffer, BYTES * number, BYTES, flags));
        path.ledger().posted(number, flags);
    }

    /** Polls until {@code messages} more have been taken and nothing is outstanding; nothing may fail. */
    private void settleWell(Path path, int messages) {
        Deadline deadline = Waits.deadline();
        int taken = 0;
        while (taken < messages || !path.ledger().requests().isEmpty()) {
            int count = path.device().queue.poll(completions, deadline);
            for (int i = 0; i < count; i++) {
                assertThat(completions.get(i).status()).isEqualTo(WcStatus.SUCCESS);
                taken += path.ledger().completed(completions.get(i)) ? 0 : 1;
            }
        }
    }

    private WcStatus firstFailure(Path path) {
        Deadline deadline = Deadline.in(30, SECONDS);
        WcStatus failure = WcStatus.SUCCESS;
        while (failure == WcStatus.SUCCESS) {
            path.device().queue.poll(completions, deadline);
            for (int i = 0; i < completions.count(); i++) {
                path.ledger().completed(completions.get(i));
                if (failure == WcStatus.SUCCESS) {
                    failure = completions.get(i).status();
                }
            }
        }
        return failure;
    }

    /** Polls until request 1 ends with one of {@code statuses}, and those behind it are flushed. */
    private void settleBadly(Path path, WcStatus... statuses) {
        WcStatus status = firstFailure(path);
        assertThat(status).isIn((Object[]) statuses);
        assertThat(path.ledger().settle(path.device().queue, completions, other -> {}, Waits.deadline()))
                .isTrue();
        assertThat(path.ledger().requests())
                .containsExactly(
                        new Request(1, status == WcStatus.WR_FLUSH_ERROR ? Fate.FLUSHED : Fate.FAILED, status),
                        new Request(2, Fate.FLUSHED, WcStatus.WR_FLUSH_ERROR),
                        new Request(3, Fate.FLUSHED, WcStatus.WR_FLUSH_ERROR));
    }

    /**
     * Returns how a request ends whose packet has no route: rxe_requester fails it with the former, but has it flushed
     * as those behind it on Linux 6.12; adapters send it again and again.
     */
    private static WcStatus[] ofDeadLink() {
        WcStatus rxe =
                KernelRelease.current().isAtLeast(6, 12) ? WcStatus.WR_FLUSH_ERROR : WcStatus.LOCAL_QP_OPERATION_ERROR;
        return new WcStatus[] {rxe, WcStatus.RETRY_EXCEEDED};
    }

    /** Has both queue pairs of {@code path} as new, to be connected again. */
    private void reset(Path path) {
        path.sender().modify(QueuePairAttributes.to(QueuePairState.RESET));
        path.taker().modify(QueuePairAttributes.to(QueuePairState.RESET));
        path.ledger().clear();
        int left;
        do {
            left = path.device().queue.poll(completions);
        } while (left != 0);
    }

    @Test
    void whatAPeerLeavesThatIsSilentIsKnownAndGoesOnOverTheSamePort() {
        Path path = connect(first);
        send(path, 0, SIGNALED);
        settleWell(path, 1);
        path.taker().modify(QueuePairAttributes.to(QueuePairState.RESET)); // which answers nothing
        send(path, 1, SIGNALED);
        send(path, 2, NONE);
        send(path, 3, SIGNALED);
        settleBadly(path, WcStatus.RETRY_EXCEEDED);

        List<Request> left = path.ledger().requests();
        reset(path);
        Ways.first(List.of(at -> connect(path)), Duration.ofSeconds(5), Waits.deadline());
        for (Request request : left) {
            send(path, request.wrId(), SIGNALED);
        }
        settleWell(path, 3);
    }

    @Test
    void whatADeadLinkLeavesIsKnownAndGoesOnOverAnotherDeviceAndBack() throws Exception {
        Path dead = connect(first);
        send(dead, 0, SIGNALED);
        settleWell(dead, 1);

        LabCommands.run("ip", "link", "set", LINK, "down");
        first.await(AsyncEvent.Type.PORT_ERROR);
        send(dead, 1, SIGNALED);
        send(dead, 2, NONE);
        send(dead, 3, SIGNALED);
        settleBadly(dead, ofDeadLink());

        assertThatThrownBy(() -> OutOfBand.of(first.verbs, first.queuePair(), CONFIG))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("port 1 is DOWN");
        Path other = Ways.first(
                List.of(at -> connect(first), at -> connect(second)), Duration.ofSeconds(5), Waits.deadline());
        assertThat(other.device()).isSameAs(second);
        // The taker says that it has one message: the others are sent again.
        for (Request request : dead.ledger().requests()) {
            send(other, request.wrId(), SIGNALED);
        }
        settleWell(other, 3);

        LabCommands.run("ip", "link", "set", LINK, "up");
        first.await(AsyncEvent.Type.PORT_ACTIVE);
        reset(dead);
        Ways.first(List.of(at -> connect(dead)), Duration.ofSeconds(5), Waits.deadline());
        send(dead, 4, SIGNALED);
        settleWell(dead, 1);
    }
}

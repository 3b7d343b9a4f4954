package org.panamaverbs.ibverbs.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Waits;

/** What a disconnect says about what was posted, whatever the peer and the device do meanwhile. */
@SuppressWarnings("NullAway.Init") // by connect, which every test begins with
class DisconnectOverStubTest extends OverStub {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);

    // rdma/rdma_cma.h: enum rdma_cm_event_type
    private static final int DISCONNECTED = 10;
    // infiniband/verbs.h: enum ibv_event_type
    private static final int QP_FATAL = 1;
    private static final long PROMPT_SECONDS = 5;

    private Listener listener;
    private Connection connection;
    private int port;

    @AfterEach
    void close() {
        Stub.forget();
        connection.close();
        listener.close();
    }

    @Test
    void waitsForTheKernelNoLongerThanItsDeadline() {
        connect(Transport.IWARP);
        Stub.holdDisconnects(true);
        Deadline prompt = Deadline.in(PROMPT_SECONDS, TimeUnit.SECONDS);
        assertThatThrownBy(() -> connection.disconnect(Waits.brief())).isInstanceOf(DeadlineExceededException.class);
        assertThat(prompt.passed()).isFalse();
    }

    @Test
    void interruptLeavesWhatIsUnderWayAndTheNextCallWaitsForIt() {
        connect(Transport.ROCE);
        post();
        int before = Stub.disconnects();
        expectInterrupt(waiting());
        assertThat(Stub.disconnects()).isEqualTo(before);
        assertThat(connection.isConnected()).isTrue();

        Stub.hold(number(), false);
        Stub.holdDisconnects(true);
        expectInterrupt(() -> Stub.disconnects() > before);
        Stub.holdDisconnects(false);
        int told = Stub.disconnects();
        Background<Void> disconnecting = Background.start("disconnect", this::disconnect);
        Stub.event(port, DISCONNECTED);
        disconnecting.await(Waits.deadline());
        assertThat(Stub.disconnects())
                .as("the peer's request is answered, no more")
                .isEqualTo(told + 1);
    }

    @Test
    void failureBetweenAnInterruptedDisconnectAndTheNextIsTold() {
        connect(Transport.IWARP);
        post();
        expectInterrupt(waiting());
        Stub.fault(number());
        assertReset(Background.start("disconnect", this::disconnect));
    }

    @Test
    void endByThePeerBetweenAnInterruptedDisconnectAndTheNextIsTold() {
        connect(Transport.ROCE);
        post();
        expectInterrupt(waiting());
        Stub.event(port, DISCONNECTED);
        assertThat(connection.awaitDisconnect(Waits.deadline())).isTrue();
        assertReset(Background.start("disconnect", this::disconnect));
        connection.disconnect(Deadline.now());
    }

    @Test
    void endByThePeerAfterAnInterruptIsToldOfUnsignaledRequestsToo() {
        connect(Transport.IWARP);
        post(SendFlag.NONE);
        expectInterrupt(waiting());
        Stub.event(port, DISCONNECTED);
        assertThat(connection.awaitDisconnect(Waits.deadline())).isTrue();
        assertReset(Background.start("disconnect", this::disconnect));
    }

    @Test
    void endByThePeerAfterAnInterruptIsNoFailureWhereAllHadSucceeded() {
        connect(Transport.ROCE);
        post();
        expectInterrupt(waiting());
        Stub.hold(number(), false);
        Stub.event(port, DISCONNECTED);
        assertThat(connection.awaitDisconnect(Waits.deadline())).isTrue();
        connection.disconnect(Deadline.now());
    }

    /** Interrupts a disconnect as soon as {@code waits}. */
    private void expectInterrupt(BooleanSupplier waits) {
        AtomicReference<Thread> waiter = new AtomicReference<>();
        Background<Void> disconnecting = Background.start("disconnect", () -> {
            waiter.set(Thread.currentThread());
            return disconnect();
        });
        Stub.await("the disconnect waits", waits);
        waiter.get().interrupt();
        assertThatThrownBy(() -> disconnecting.await(Waits.deadline())).isInstanceOf(WaitInterruptedException.class);
    }

    @Test
    void tellsThatTheQueuePairFailedMeanwhile() {
        connect(Transport.IWARP);
        post();
        Background<Void> disconnecting = disconnecting();
        Stub.fault(number());
        assertReset(disconnecting);
    }

    @Test
    void tellsThatTheDeviceReportedAFailureMeanwhile() {
        connect(Transport.IWARP);
        post();
        Background<Void> disconnecting = disconnecting();
        Stub.asyncEvent(number(), QP_FATAL); // and what is outstanding never completes, as on siw
        assertReset(disconnecting);
    }

    @Test
    void tellsThatTheStreamEndedBeforeAllWasSent() {
        connect(Transport.IWARP);
        post();
        Background<Void> disconnecting = disconnecting();
        Stub.event(port, DISCONNECTED);
        assertReset(disconnecting);
    }

    @Test
    void endOfThePeerIsNoFailureWhereNothingWasPosted() {
        connect(Transport.IWARP);
        Stub.hold(number(), true);
        Background<Void> disconnecting = disconnecting();
        Stub.event(port, DISCONNECTED);
        disconnecting.await(Waits.deadline());
        assertThat(connection.isConnected()).isFalse();
    }

    @Test
    void peerThatDisconnectsIsAnsweredWhenAllHasArrived() {
        connect(Transport.ROCE);
        post();
        int before = Stub.disconnects();
        Background<Void> disconnecting = disconnecting();
        Stub.event(port, DISCONNECTED);
        for (Deadline brief = Waits.brief(); !brief.passed(); Thread.yield()) {
            assertThat(connection.queuePair().state()).isEqualTo(QueuePairState.RTS);
            assertThat(Stub.disconnects()).isEqualTo(before);
        }
        Stub.hold(number(), false);
        disconnecting.await(Waits.deadline());
        assertThat(Stub.disconnects()).isGreaterThan(before);
        assertThat(connection.queuePair().state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void peerThatAbortsIsNotTakenForOneThatWaits() {
        connect(Transport.ROCE);
        post();
        Background<Void> disconnecting = disconnecting();
        Stub.event(port, DISCONNECTED); // and nothing completes any more
        assertReset(disconnecting);
    }

    @Test
    void connectionThatFailedBeforeIsEndedWithoutAnException() {
        connect(Transport.ROCE);
        post();
        connection.queuePair().modify(QueuePairAttributes.to(QueuePairState.ERROR));
        int before = Stub.disconnects();
        Background<Void> disconnecting = Background.start("disconnect", this::disconnect);
        Stub.await("the peer is told", () -> Stub.disconnects() > before);
        Stub.event(port, DISCONNECTED);
        disconnecting.await(Waits.deadline());
        connection.disconnect(Deadline.now());
    }

    @Test
    void connectionWhoseOwnQueuePairIsNotDestroyedIsClosedAtTheSecondAttempt() {
        connect(Transport.IWARP);
        QueuePair own = connection.queuePair();
        Stub.fail("ibv_destroy_qp", Errno.EBUSY, 1);
        assertThatThrownBy(connection::close).isInstanceOf(ResourceException.class);
        assertThat(connection.toString()).endsWith("(could not be closed)");
        connection.close();
        assertThat(own.toString()).endsWith("(closed)");
    }

    private void connect(Transport transport) {
        reopen(transport);
        listener = verbs.connections().listen(ANY_PORT, ListenerConfig.defaults());
        port = Stub.request(listener.localAddress().getPort());
        QueuePairConfig config = QueuePairConfig.of(verbs.domain(), verbs.queue(1024));
        connection = listener.accept(Waits.deadline()).accept(config, ConnectionConfig.defaults(), Waits.deadline());
    }

    private int number() {
        return connection.queuePair().number();
    }

    /** Posts a Write that is not done until the queue pair is not held any more. */
    private void post() {
        post(SendFlag.SIGNALED);
    }

    private void post(int flags) {
        Stub.hold(number(), true);
        assertThat(connection
                        .queuePair()
                        .post(WorkRequest.of(SendOpcode.RDMA_WRITE).wrId(7).flags(flags)))
                .isEqualTo(PostStatus.ACCEPTED);
    }

    /** Disconnects on another thread, which waits for what was posted when this returns. */
    private Background<Void> disconnecting() {
        BooleanSupplier waiting = waiting();
        Background<Void> result = Background.start("disconnect", this::disconnect);
        Stub.await("what was posted is waited for", waiting);
        return result;
    }

    /** Says when a disconnect from now on waits: its marker is posted, or it polls again for the last completion. */
    private BooleanSupplier waiting() {
        int posted = Stub.held(number());
        int polls = Stub.completionPolls();
        boolean marks = verbs.context().isIwarp();
        return () -> marks ? Stub.held(number()) == posted + 1 : Stub.completionPolls() > polls + 1;
    }

    private Void disconnect() {
        connection.disconnect(Waits.deadline());
        return null;
    }

    private static void assertReset(Background<Void> disconnecting) {
        assertThatThrownBy(() -> disconnecting.await(Waits.deadline()))
                .isInstanceOfSatisfying(
                        ConnectionException.class, e -> assertThat(e.reason()).isEqualTo(Reason.RESET))
                .hasMessageContaining("may not have arrived");
    }
}

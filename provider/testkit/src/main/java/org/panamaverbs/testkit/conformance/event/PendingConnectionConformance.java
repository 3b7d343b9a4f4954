package org.panamaverbs.testkit.conformance.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.Waits;

/** Attempts to connect and accept that no thread waits for. */
public abstract class PendingConnectionConformance extends Conformance {
    /** For subclasses. */
    protected PendingConnectionConformance() {}

    /** Both sides and a listener of B's. */
    private final class Sides {
        final Endpoint a = sideA();
        final Endpoint b = sideB();
        final EventTaker atA = new EventTaker(a, resources(), poller());
        final EventTaker atB = new EventTaker(b, resources(), poller());
        final Listener listener = resources().add(b.verbs().listen(provider().listenAddress()));
        final InetSocketAddress address = provider().connectAddress(listener.localAddress());

        Sides() {
            atB.queue.add(listener, "listener");
        }

        PendingConnection connect(QueuePair queuePair, Deadline deadline) {
            return resources().add(a.verbs().beginConnect(address, queuePair, a.connectionConfig(), deadline));
        }

        PendingConnection connect(QueuePair queuePair) {
            return connect(queuePair, Waits.deadline());
        }

        PendingConnection accept(ConnectionRequest request, QueuePair queuePair) {
            return resources().add(request.beginAccept(queuePair, b.connectionConfig(), Waits.deadline()));
        }
    }

    @Test
    void bothSidesAreConnectedAndNobodyWaits() {
        Sides sides = new Sides();
        QueuePair queuePairA = sides.a.newQueuePair(config -> config);
        QueuePair queuePairB = sides.b.newQueuePair(config -> config);
        PendingConnection connecting = sides.connect(queuePairA);
        sides.atA.queue.add(connecting, "connecting");

        EventTaker.Seen asked = sides.atB.next(Event.Type.CONNECT_REQUEST);
        assertThat(asked.attachment()).isEqualTo("listener");
        assertThat(asked.source()).isSameAs(sides.listener);
        PendingConnection accepting = sides.accept((ConnectionRequest) asked.subject(), queuePairB);
        sides.atB.queue.add(accepting, "accepting");

        EventTaker.Seen accepted = sides.atB.next(Event.Type.ESTABLISHED);
        EventTaker.Seen connected = sides.atA.next(Event.Type.ESTABLISHED);
        assertThat(accepted.attachment()).isEqualTo("accepting");
        assertThat(accepted.source()).isSameAs(accepting);
        assertThat(connected.attachment()).isEqualTo("connecting");
        assertThat(((Connection) accepted.subject()).queuePair()).isSameAs(queuePairB);
        Connection end = (Connection) connected.subject();
        assertThat(end.queuePair()).isSameAs(queuePairA);
        assertThat(end.isConnected()).isTrue();
        assertThat(sides.atA.queue.size()).isZero();
        assertThat(sides.atB.queue.size()).isOne();

        accepted(queuePairB.recv(1, sides.b.buffer(), 0, 8));
        accepted(queuePairA.send(2, sides.a.buffer(), 0, 8, SendFlag.SIGNALED));
        sides.a.inbox().takeOk(2);
        sides.b.inbox().takeOk(1);
    }

    @Test
    void peersThatAreNotAnsweredHoldUpNobody() {
        Sides sides = new Sides();
        List<ConnectionRequest> unanswered = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            sides.atA.queue.add(sides.connect(sides.a.newQueuePair(config -> config)), i);
            unanswered.add(sides.atB.request());
        }
        sides.atA.queue.add(sides.connect(sides.a.newQueuePair(config -> config)), "last");
        ConnectionRequest last = sides.atB.request();
        sides.atB.queue.add(sides.accept(last, sides.b.newQueuePair(config -> config)), "last");
        assertThat(sides.atB.next(Event.Type.ESTABLISHED).attachment()).isEqualTo("last");
        assertThat(sides.atA.next(Event.Type.ESTABLISHED).attachment()).isEqualTo("last");
        for (int i = 2; i >= 0; i--) {
            sides.atB.queue.add(sides.accept(unanswered.get(i), sides.b.newQueuePair(config -> config)), null);
            sides.atB.established();
            assertThat(sides.atA.next(Event.Type.ESTABLISHED).attachment()).isEqualTo(i);
        }
    }

    @Test
    void attemptEndsByItsOwnDeadline() {
        Sides sides = new Sides();
        QueuePair queuePair = sides.a.newQueuePair(config -> config);
        long start = System.nanoTime(); // before the deadline begins: this thread may be put aside
        sides.atA.queue.add(sides.connect(queuePair, Waits.brief()), "late");
        EventTaker.Seen seen = sides.atA.next(Event.Type.FAILED);
        assertThat(seen.attachment()).isEqualTo("late");
        assertThat(seen.subject()).isInstanceOf(DeadlineExceededException.class);
        assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(50));
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
        assertThat(sides.atA.queue.size()).isZero();
    }

    @Test
    void refusalIsTheResult() {
        Sides sides = new Sides();
        InetSocketAddress address = sides.address;
        sides.listener.close();
        QueuePair queuePair = sides.a.newQueuePair(config -> config);
        PendingConnection attempt = resources()
                .add(sides.a.verbs().beginConnect(address, queuePair, sides.a.connectionConfig(), Waits.deadline()));
        sides.atA.queue.add(attempt, null);
        RuntimeException failure = sides.atA.failure();
        assertThat(failure).isInstanceOf(ConnectionException.class);
        assertThat(((ConnectionException) failure).reason()).isEqualTo(Reason.REFUSED);
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    @ApiCase
    void unknownNameIsTheResult() {
        Endpoint a = sideA();
        resources().add(EventTaker.queueOf(a.verbs()));
        QueuePair queuePair = a.newQueuePair(config -> config);
        InetSocketAddress nowhere = InetSocketAddress.createUnresolved("no-such-host.invalid", 7174);
        PendingConnection attempt =
                resources().add(a.verbs().beginConnect(nowhere, queuePair, a.connectionConfig(), Waits.deadline()));
        ConnectionException failure = catchThrowableOfType(
                ConnectionException.class, () -> whilePolling("the lookup", () -> attempt.await(Waits.deadline())));
        assertThat(failure).isNotNull();
        assertThat(failure.reason()).isEqualTo(Reason.UNREACHABLE);
        assertThat(failure).hasMessageContaining("no-such-host.invalid");
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void rejectionIsTheResult() {
        Sides sides = new Sides();
        PendingConnection attempt = sides.connect(sides.a.newQueuePair(config -> config));
        ConnectionRequest request = sides.atB.request();
        whilePolling("reject", () -> {
            request.reject(new byte[] {1, 2, 3});
            return true;
        });
        ConnectionException failure = catchThrowableOfType(
                ConnectionException.class, () -> whilePolling("the answer", () -> attempt.await(Waits.deadline())));
        assertThat(failure).isNotNull();
        assertThat(failure.reason()).isEqualTo(Reason.REJECTED);
        assertThat(failure.privateData()).startsWith(1, 2, 3);
        assertThatThrownBy(attempt::take).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void closingAnAttemptUndoesIt() {
        Sides sides = new Sides();
        QueuePair queuePair = sides.a.newQueuePair(config -> config);
        PendingConnection attempt = sides.connect(queuePair);
        sides.atA.queue.add(attempt, null);
        ConnectionRequest request = sides.atB.request();
        attempt.close();
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
        assertThat(sides.atA.queue.size()).isZero();
        assertThat(sides.atA.isEmpty()).isTrue();
        assertThatThrownBy(attempt::take).isInstanceOf(IllegalStateException.class);
        attempt.close();
        // The peer may have left already, or be found to have left by the answer.
        sides.atB.queue.add(sides.accept(request, sides.b.newQueuePair(config -> config)), null);
        poller().await("the answer", () -> !sides.atB.isEmpty());
    }

    @Test
    void closingTheQueuePairEndsTheAttempt() {
        Sides sides = new Sides();
        QueuePair queuePair = sides.a.domain().queuePair(sides.a.queuePairConfig());
        PendingConnection attempt = sides.connect(queuePair);
        sides.atA.queue.add(attempt, null);
        sides.atB.request();
        queuePair.close();
        RuntimeException failure = sides.atA.failure();
        assertThat(failure).isInstanceOf(ConnectionException.class);
        assertThat(((ConnectionException) failure).reason()).isEqualTo(Reason.CLOSED);
    }

    @Test
    void queuePairThatTheAttemptOwnsIsClosedWithIt() {
        Sides sides = new Sides();
        ProtectionDomain domain = sides.a.verbs().protectionDomain();
        PendingConnection attempt = sides.a
                .verbs()
                .beginConnect(
                        sides.address,
                        QueuePairConfig.of(domain, sides.a.queue())
                                .withDepth(4, 4)
                                .withSge(1, 1)
                                .withInline(0),
                        sides.a.connectionConfig(),
                        Waits.deadline());
        ConnectionRequest asked = sides.atB.request();
        assertThat(attempt.queuePair().state()).isEqualTo(QueuePairState.INIT);
        attempt.close();
        if (!sides.a.keeps(Guarantee.CLOSED_ATTEMPT_LETS_GO)) {
            asked.close();
            Deadline deadline = Waits.deadline();
            while (!isWithoutChildren(domain) && !deadline.passed()) {
                Thread.yield();
            }
        }
        domain.close();
    }

    private static boolean isWithoutChildren(ProtectionDomain domain) {
        try {
            domain.close();
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    @Test
    void queuePairIsTheAttemptsAlone() {
        Sides sides = new Sides();
        QueuePair queuePair = sides.a.newQueuePair(config -> config);
        sides.connect(queuePair);
        assertThatThrownBy(() -> sides.connect(queuePair)).isInstanceOf(IllegalStateException.class);
        sides.atB.request();
    }

    @Test
    void requestIsAnsweredOnce() {
        Sides sides = new Sides();
        sides.connect(sides.a.newQueuePair(config -> config));
        ConnectionRequest request = sides.atB.request();
        sides.accept(request, sides.b.newQueuePair(config -> config));
        QueuePair other = sides.b.newQueuePair(config -> config);
        assertThatThrownBy(() -> sides.accept(request, other)).isInstanceOf(IllegalStateException.class);
        assertThat(other.state()).isEqualTo(QueuePairState.INIT);
    }

    @Test
    void futuresHaveTheResults() {
        Sides sides = new Sides();
        CompletableFuture<Connection> connecting =
                sides.connect(sides.a.newQueuePair(config -> config)).toFuture();
        CompletableFuture<Connection> accepting = sides.accept(
                        sides.atB.request(), sides.b.newQueuePair(config -> config))
                .toFuture();
        poller().await("both", () -> connecting.isDone() && accepting.isDone());
        Connection end = resources().add(connecting.join());
        resources().add(accepting.join());
        assertThat(end.isConnected()).isTrue();
    }

    @Test
    void futureHasTheFailure() {
        Sides sides = new Sides();
        CompletableFuture<Connection> late = sides.connect(sides.a.newQueuePair(config -> config), Waits.brief())
                .toFuture();
        poller().await("the deadline", late::isDone);
        assertThatThrownBy(late::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(DeadlineExceededException.class);
    }

    @Test
    void executorThatRefusesFailsTheFutureAndUndoesTheAttempt() {
        Sides sides = new Sides();
        QueuePair queuePair = sides.a.newQueuePair(config -> config);
        CompletableFuture<Connection> refused = sides.connect(queuePair, Waits.brief())
                .toFuture(task -> {
                    throw new RejectedExecutionException("shut down");
                });
        poller().await("the refusal", refused::isDone);
        assertThatThrownBy(refused::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(RejectedExecutionException.class);
        poller().await("the undoing", () -> queuePair.state() == QueuePairState.ERROR);
    }

    @Test
    void cancellingTheFutureUndoesTheAttempt() {
        Sides sides = new Sides();
        QueuePair queuePair = sides.a.newQueuePair(config -> config);
        CompletableFuture<Connection> future = sides.connect(queuePair).toFuture();
        sides.atB.request();
        assertThat(future.cancel(true)).isTrue();
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void waitForAnAttemptEndsByDeadlineAndInterruptAndTheAttemptGoesOn() {
        Sides sides = new Sides();
        PendingConnection attempt = sides.connect(sides.a.newQueuePair(config -> config));
        assertThatThrownBy(() -> attempt.await(Waits.brief())).isInstanceOf(DeadlineExceededException.class);
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> attempt.await(Waits.deadline())).isInstanceOf(WaitInterruptedException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThatThrownBy(attempt::take).isInstanceOf(IllegalStateException.class);
        sides.accept(sides.atB.request(), sides.b.newQueuePair(config -> config));
        Connection end = resources().add(whilePolling("the answer", () -> attempt.await(Waits.deadline())));
        assertThat(end.isConnected()).isTrue();
    }

    @Test
    void privateDataGoBothWays() {
        Sides sides = new Sides();
        guaranteed(sides.a.verbs(), Guarantee.EXACT_PRIVATE_DATA);
        PendingConnection attempt = resources()
                .add(sides.a
                        .verbs()
                        .beginConnect(
                                sides.address,
                                sides.a.newQueuePair(config -> config),
                                sides.a.connectionConfig().withPrivateData(new byte[] {7}),
                                Waits.deadline()));
        ConnectionRequest request = sides.atB.request();
        assertThat(request.privateData()).containsExactly(7);
        resources()
                .add(request.beginAccept(
                        sides.b.newQueuePair(config -> config),
                        sides.b.connectionConfig().withPrivateData(new byte[] {8, 9}),
                        Waits.deadline()));
        Connection end = resources().add(whilePolling("the answer", () -> attempt.await(Waits.deadline())));
        assertThat(end.privateData()).containsExactly(8, 9);
    }
}

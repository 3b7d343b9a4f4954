package org.panamaverbs.testkit.conformance.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.outofband.OutOfBand;
import org.panamaverbs.api.cm.outofband.OutOfBandConfig;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.Waits;

/** Interrupts of threads that wait for peers: each wait ends, keeps the thread's flag, and leaves nothing behind. */
public abstract class InterruptConformance extends Conformance {
    private final AtomicBoolean flagged = new AtomicBoolean();

    /** For subclasses. */
    protected InterruptConformance() {}

    @AfterEach
    void forgetTheInterrupt() {
        Thread.interrupted();
    }

    /** Has another thread do {@code work}, and interrupts it as it waits. */
    private <T> void interrupted(String what, Callable<T> work) {
        AtomicReference<Thread> waiter = new AtomicReference<>();
        Background<T> waiting = Background.start(what, () -> {
            waiter.set(Thread.currentThread());
            try {
                return work.call();
            } finally {
                flagged.set(Thread.currentThread().isInterrupted());
            }
        });
        poller().await(what, () -> waiter.get() != null);
        poller().pollAWhile();
        assertThat(waiting.isDone()).isFalse();
        waiter.get().interrupt();
        poller().await(what, waiting::isDone);
        assertThatThrownBy(() -> waiting.await(Waits.deadline())).isInstanceOf(WaitInterruptedException.class);
        assertThat(flagged).isTrue();
    }

    @Test
    void endsTheWaitForARequestAndLosesNone() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        Listener listener = resources().add(b.verbs().listen(provider().listenAddress()));
        interrupted("accept", () -> listener.accept(Waits.deadline()));

        Background<Connection> connecting = connecting(a, listener);
        try (ConnectionRequest request = listener.accept(Waits.deadline())) {
            assertThat(request.privateData()).isNotNull();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> listener.poll(Waits.deadline())).isInstanceOf(WaitInterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
        poller().await("the end of the attempt", connecting::isDone);
        assertThatThrownBy(() -> connecting.await(Waits.deadline())).isInstanceOf(ConnectionException.class);
    }

    private Background<Connection> connecting(Endpoint a, Listener listener) {
        QueuePair queuePair = a.newQueuePair(config -> config);
        return Background.start(
                "connect",
                () -> a.verbs()
                        .connect(
                                provider().connectAddress(listener.localAddress()),
                                queuePair,
                                a.connectionConfig(),
                                Waits.deadline()));
    }

    @Test
    void endsAndUndoesAnAttemptToConnect() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        Listener listener = resources().add(b.verbs().listen(provider().listenAddress()));
        QueuePair queuePair = a.newQueuePair(config -> config);
        interrupted(
                "connect",
                () -> a.verbs()
                        .connect(
                                provider().connectAddress(listener.localAddress()),
                                queuePair,
                                a.connectionConfig(),
                                Waits.deadline()));
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
        queuePair.close();
    }

    @Test
    void acceptedOrUndoneIsWhatIsAcceptedByAThreadThatIsInterrupted() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        Listener listener = resources().add(b.verbs().listen(provider().listenAddress()));
        Background<Connection> connecting = connecting(a, listener);
        ConnectionRequest request = resources().add(listener.accept(Waits.deadline()));
        QueuePair queuePair = b.newQueuePair(config -> config);
        Thread.currentThread().interrupt();
        try {
            resources().add(request.accept(queuePair, b.connectionConfig(), Waits.deadline()));
        } catch (WaitInterruptedException e) {
            assertFailed(b, queuePair);
        }
        assertThat(Thread.interrupted()).isTrue();
        poller().await("the peer's attempt", connecting::isDone);
        try {
            resources().add(connecting.await(Waits.deadline()));
        } catch (ConnectionException e) {
            assertFailed(b, queuePair);
        }
    }

    /** An attempt that was undone has failed its queue pair: at once, or when its device has let go of it. */
    private void assertFailed(Endpoint of, QueuePair queuePair) {
        if (!of.keeps(Guarantee.CLOSED_ATTEMPT_LETS_GO)) {
            poller().await("the end of what was undone", () -> queuePair.state() == QueuePairState.ERROR);
        }
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void endsTheWaitForTheEndOfAConnectionThatStaysAsItIs() {
        ConnectedPair pair = pair();
        Connection end = pair.link().a();
        interrupted("awaitDisconnect", () -> end.awaitDisconnect(Waits.deadline()));
        assertThat(end.isConnected()).isTrue();
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 8));
        accepted(pair.qpA().send(2, pair.a().buffer(), 0, 8, SendFlag.SIGNALED));
        pair.a().inbox().takeOk(2);
        pair.b().inbox().takeOk(1);
        disconnect(end);
        Thread.currentThread().interrupt();
        assertThat(end.awaitDisconnect(Deadline.never()))
                .as("there is nothing to wait for")
                .isTrue();
    }

    @Test
    void leavesADisconnectToTheNextCallThatDeliversAll() {
        ConnectedPair pair = pair();
        Connection end = pair.link().a();
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 8));
        accepted(pair.qpA().send(2, pair.a().buffer(), 0, 8, SendFlag.SIGNALED));
        Thread.currentThread().interrupt();
        try {
            end.disconnect(Waits.deadline());
            assertThat(end.isConnected()).as("there was something to wait for").isFalse();
        } catch (WaitInterruptedException e) {
            assertThat(e).hasMessageContaining("interrupted");
        }
        assertThat(Thread.interrupted()).isTrue();
        disconnect(end);
        pair.a().inbox().takeOk(2);
        pair.b().inbox().takeOk(1);
        pair.awaitDown();
    }

    @Test
    void disconnectEndsHoweverOftenItsWaitIsInterrupted() {
        for (int round = 0; round < 10; round++) {
            ConnectedPair pair = pair();
            Connection end = pair.link().a();
            accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 8));
            accepted(pair.qpA().send(2, pair.a().buffer(), 0, 8, SendFlag.SIGNALED));
            AtomicReference<Thread> waiter = new AtomicReference<>();
            Background<Integer> waiting = Background.start("disconnect", () -> {
                waiter.set(Thread.currentThread());
                Deadline deadline = Waits.deadline();
                for (int interrupts = 0; ; interrupts++) {
                    try {
                        end.disconnect(deadline);
                        return interrupts;
                    } catch (WaitInterruptedException e) {
                        Thread.interrupted();
                    }
                }
            });
            int polls = round;
            poller().await("the disconnect", () -> {
                Thread thread = waiter.get();
                for (int i = 0; i < polls; i++) {
                    poller().poll();
                }
                if (thread != null) {
                    thread.interrupt();
                }
                return waiting.isDone();
            });
            waiting.await(Waits.deadline());
            assertThat(end.isConnected()).isFalse();
            pair.a().inbox().takeOk(2);
            pair.b().inbox().takeOk(1);
        }
    }

    @Test
    void endsThePollThatWaitsAndTakesNothing() {
        ConnectedPair pair = pair();
        poller().ignore(pair.b().inbox());
        WorkCompletions completions = WorkCompletions.ofCapacity(4);
        interrupted("poll", () -> pair.b().queue().poll(completions, Waits.deadline()));

        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 8));
        accepted(pair.qpA().send(2, pair.a().buffer(), 0, 8, SendFlag.SIGNALED));
        assertThat(pair.b().queue().poll(completions, Waits.deadline())).isEqualTo(1);
        assertThat(completions.get(0).wrId()).isEqualTo(1);
        pair.a().inbox().takeOk(2);
    }

    @Test
    @Needs(Feature.OUT_OF_BAND)
    @ApiCase
    void nothingIsExchangedOutOfBandByAThreadThatIsInterrupted() {
        Endpoint a = sideA();
        OutOfBand outOfBand = OutOfBand.of(a.verbs(), a.newQueuePair(config -> config), OutOfBandConfig.defaults());
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> outOfBand.connect(new ByteArrayInputStream(new byte[0]), said))
                .isInstanceOf(WaitInterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(said.size()).isZero();
    }
}

package org.panamaverbs.testkit.conformance.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.testkit.Completion;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.PairConfig;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.random.Patterns;

/** Ends of connections: graceful, abrupt and in mid-flight; each request completes exactly once, in posting order. */
public abstract class DisconnectConformance extends Conformance {
    /** For subclasses. */
    protected DisconnectConformance() {}

    @Test
    void queuePairOfADisconnectedConnectionHearsWhenItsPacketsAreGone() {
        ConnectedPair pair = pair();
        requires(
                pair.a().verbs().device().transport() == Transport.INFINIBAND,
                pair.a().verbs(),
                "has no timewait of its own, as the connection manager of InfiniBand and RoCE has");
        disconnect(pair.link().a());
        AsyncEvent event = null;
        while (event == null || event.type() != AsyncEvent.Type.TIMEWAIT_EXIT) {
            event = pair.a().verbs().asyncEvent(Waits.deadline()).orElseThrow();
        }
        assertThat(event.source()).isSameAs(pair.qpA());
        pair.qpA().modify(QueuePairAttributes.to(QueuePairState.RESET));
    }

    @Test
    @Requirement({"RDMAP-6.2-01", "DDP-6.2.1-01"})
    void gracefulDisconnectDeliversWhatWasPosted() {
        ConnectedPair pair = pair();
        byte[] data = Patterns.bytes(1, 50_000);
        pair.a().put(0, data);
        pair.b().put(60_000, Patterns.bytes(2, 1000));
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 50_000));
        accepted(pair.qpA().read(2, pair.a().buffer(), 60_000, 1000, pair.b().remote(), 60_000, SIGNALED));
        accepted(pair.qpA().send(3, pair.a().buffer(), 0, 50_000, SIGNALED));
        disconnect(pair.link().a());

        pair.a().takeAllSent(List.of(2L, 3L));
        assertThat(pair.b().inbox().takeOk(1).byteCount()).isEqualTo(50_000);
        assertThat(pair.b().get(0, 50_000)).isEqualTo(data);
        assertThat(pair.a().get(60_000, 1000)).isEqualTo(Patterns.bytes(2, 1000));
        pair.awaitDown();
        assertThat(pair.link().a().terminateCause()).isEmpty();
    }

    @Test
    void endOfQueuePairsThatGrantNothingDeliversAllAndIsRefusedByNobody() {
        endsWithoutRights(SIGNALED);
    }

    @Test
    void endBehindAnUnsignaledRequestNeedsNoRightEither() {
        endsWithoutRights(NONE);
    }

    /** Ends a connection of queue pairs with the rights of the default, none. */
    private void endsWithoutRights(int flagsOfTheLast) {
        ConnectedPair pair = pair(PairConfig.defaults().withQueuePairs(config -> config.withAccess()));
        Verbs verbs = pair.a().verbs();
        requires(
                flagsOfTheLast == SIGNALED
                        || verbs.device().transport() == Transport.IWARP
                        || verbs.capabilities().has(Feature.MEMORY_WINDOW_TYPE_1),
                verbs,
                "has no request behind an unsignaled one that needs no right of the peer");
        byte[] data = Patterns.bytes(1, 50_000);
        pair.a().put(0, data);
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 50_000));
        accepted(pair.qpB().recv(2, pair.b().buffer(), 50_000, 8));
        accepted(pair.qpA().send(3, pair.a().buffer(), 0, 50_000, SIGNALED));
        accepted(pair.qpA().send(4, pair.a().buffer(), 0, 8, flagsOfTheLast));
        disconnect(pair.link().a());

        pair.a().inbox().takeOk(3);
        if (flagsOfTheLast == SIGNALED) {
            pair.a().inbox().takeOk(4);
        }
        pair.b().inbox().takeOk(1);
        pair.b().inbox().takeOk(2);
        assertThat(pair.b().get(0, 50_000)).isEqualTo(data);
        pair.awaitDown();
        for (Endpoint side : List.of(pair.a(), pair.b())) {
            Optional<AsyncEvent> event = side.verbs().asyncEvent(Deadline.now());
            while (event.isPresent()) {
                assertThat(event.get().type())
                        .isNotIn(AsyncEvent.Type.QP_REQUEST_ERROR, AsyncEvent.Type.QP_ACCESS_ERROR);
                event = side.verbs().asyncEvent(Deadline.now());
            }
        }
    }

    @Test
    void disconnectThatNobodyWaitsForDeliversWhatWasPosted() {
        ConnectedPair pair = pair();
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 50_000));
        accepted(pair.qpA().send(2, pair.a().buffer(), 0, 50_000, SIGNALED));
        CompletableFuture<Void> end = pair.link().a().beginDisconnect(Waits.deadline());
        poller().await("the disconnect", end::isDone);
        assertThat(end).isCompletedWithValue(null);
        assertThat(pair.link().a().isConnected()).isFalse();
        pair.a().inbox().takeOk(2);
        pair.b().inbox().takeOk(1);
        pair.awaitDown();
    }

    @Test
    void disconnectInTheBackgroundFailsWithTheExceptionItself() {
        ConnectedPair pair = pair();
        pair.link().a().close();
        CompletableFuture<Throwable> failure =
                pair.link().a().beginDisconnect(Waits.deadline()).handle((done, failed) -> failed);
        poller().await("the disconnect", failure::isDone);
        Throwable thrown = catchThrowable(() -> pair.link().a().disconnect(Waits.deadline()));
        assertThat(Optional.ofNullable(failure.join()).map(Object::getClass))
                .isEqualTo(Optional.ofNullable(thrown).map(Object::getClass));
    }

    @Test
    @Requirement({"DDP-3-9-01", "DDP-6.2.2-01"})
    void peerSeesTheDisconnect() {
        ConnectedPair pair = pair();
        assertThat(pair.link().a().isConnected()).isTrue();
        assertThat(pair.link().b().isConnected()).isTrue();
        assertThat(pair.link().b().awaitDisconnect(Deadline.now())).isFalse();
        disconnect(pair.link().a());
        assertThat(whilePolling("awaitDisconnect", () -> pair.link().b().awaitDisconnect(Waits.deadline())))
                .isTrue();
        assertThat(pair.link().b().isConnected()).isFalse();
        assertThat(pair.link().a().isConnected()).isFalse();
        assertThat(pair.qpB().state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void acceptingSideCanDisconnectToo() {
        ConnectedPair pair = pair();
        disconnect(pair.link().b());
        pair.awaitDown();
        assertThat(pair.link().a().isConnected()).isFalse();
    }

    @Test
    void bothSidesCanDisconnectAtOnce() {
        ConnectedPair pair = pair();
        var other = org.panamaverbs.testkit.Background.start("disconnect B", () -> {
            pair.link().b().disconnect(Waits.deadline());
            return true;
        });
        disconnect(pair.link().a());
        poller().await("the other side's disconnect", other::isDone);
        assertThat(other.await(Waits.deadline())).isTrue();
        disconnect(pair.link().a());
        pair.awaitDown();
    }

    @Test
    @Requirement({"RDMAP-6.2.1-02", "DDP-6.2.2-02"})
    void receivesAreFlushedInPostingOrder() {
        ConnectedPair pair = pair();
        for (int i = 0; i < 20; i++) {
            accepted(pair.qpA().recv(i, pair.a().buffer(), 0, 8));
            accepted(pair.qpB().recv(i, pair.b().buffer(), 0, 8));
        }
        disconnect(pair.link().a());
        pair.awaitDown();
        expectFlushed(pair.a().inbox().take(20), 0);
        expectFlushed(pair.b().inbox().take(20), 0);
        pair.a().inbox().expectNothing();
        pair.b().inbox().expectNothing();
    }

    @Test
    @Requirement({"DDP-6.2.1-02", "RDMAP-5.4-07"})
    void requestsPostedAfterTheEndAreAcceptedAndFlushed() {
        ConnectedPair pair = pair();
        guaranteed(pair, Guarantee.FLUSH_AFTER_FAILURE);
        disconnect(pair.link().a());
        pair.awaitDown();
        for (int i = 0; i < 10; i++) {
            accepted(pair.qpA().send(i, pair.a().buffer(), 0, 8, NONE));
        }
        expectFlushed(pair.a().inbox().take(10), 0);
        for (int i = 0; i < 10; i++) {
            accepted(pair.qpA().recv(i, pair.a().buffer(), 0, 8));
        }
        expectFlushed(pair.a().inbox().take(10), 0);
        pair.a().inbox().expectNothing();
    }

    @Test
    @Requirement({"RDMAP-6.2.1-02", "DDP-6.2.2-02"})
    void abortInMidFlightCompletesEachRequestOnceInOrder() {
        ConnectedPair pair = pair(PairConfig.defaults()
                .withBuffers(2_000_000)
                .withConnections(config -> config.withDepths(2, 2), config -> config.withDepths(2, 2)));
        postMixed(pair, 60);
        pair.qpA().modify(QueuePairAttributes.to(QueuePairState.ERROR));
        expectInOrderOnce(pair, 60);
        assertThat(pair.qpA().state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    @Requirement({"RDMAP-6.2.1-02", "DDP-6.2.2-01", "DDP-6.2.2-02"})
    void peersAbruptEndInMidFlightCompletesEachRequestOnceInOrder() {
        ConnectedPair pair = pair(PairConfig.defaults()
                .withBuffers(2_000_000)
                .withConnections(config -> config.withDepths(2, 2), config -> config.withDepths(2, 2)));
        postMixed(pair, 60);
        poller().poll();
        pair.link().b().close();
        pair.qpB().close();
        expectInOrderOnce(pair, 60);
        poller().await("A's end is down", () -> !pair.link().a().isConnected());
    }

    @Test
    @Requirement("RDMAP-6.2.1-02")
    void failedQueuePairFlushesReceivesAndPeerSeesTheEnd() {
        ConnectedPair pair = pair();
        for (int i = 0; i < 5; i++) {
            accepted(pair.qpB().recv(i, pair.b().buffer(), 0, 8));
        }
        pair.qpB().modify(QueuePairAttributes.to(QueuePairState.ERROR));
        expectFlushed(pair.b().inbox().take(5), 0);
        if (pair.a().keeps(Guarantee.FAILURE_ENDS_PEER)) {
            poller().await(
                            "A's end is down",
                            () -> ConnectedPair.isDown(pair.link().a()));
        }
    }

    @Test
    void closedConnectionIsDownAtThePeer() {
        ConnectedPair pair = pair();
        pair.link().a().close();
        assertThat(whilePolling("awaitDisconnect", () -> pair.link().b().awaitDisconnect(Waits.deadline())))
                .isTrue();
        assertThat(pair.link().a().isConnected()).isFalse();
    }

    /** Posts Writes, Reads and unsignaled Writes with ids from 0; all fail or succeed, none is lost. */
    private static void postMixed(ConnectedPair pair, int count) {
        for (int i = 0; i < count; i++) {
            accepted(
                    i % 2 == 0
                            ? pair.qpA()
                                    .read(
                                            i,
                                            pair.a().buffer(),
                                            0,
                                            100_000,
                                            pair.b().remote(),
                                            0,
                                            SIGNALED)
                            : pair.qpA()
                                    .write(
                                            i,
                                            pair.a().buffer(),
                                            0,
                                            100_000,
                                            pair.b().remote(),
                                            500_000,
                                            SIGNALED));
        }
    }

    private static void expectInOrderOnce(ConnectedPair pair, int count) {
        if (!pair.a().keeps(Guarantee.COMPLETION_ORDER)) {
            expectOnce(pair, count);
            return;
        }
        List<Completion> all = pair.a().inbox().take(count);
        boolean failed = false;
        for (int i = 0; i < count; i++) {
            Completion completion = all.get(i);
            assertThat(completion.wrId()).isEqualTo(i);
            assertThat(failed && completion.ok())
                    .as("success after failure: %s", completion)
                    .isFalse();
            if (failed) {
                assertThat(completion.status()).as("%s", completion).isEqualTo(WcStatus.WR_FLUSH_ERROR);
            }
            failed |= !completion.ok();
        }
        pair.a().inbox().expectNothing();
    }

    private static void expectOnce(ConnectedPair pair, int count) {
        boolean[] seen = new boolean[count];
        boolean mayRepeat = !pair.a().keeps(Guarantee.ONE_COMPLETION);
        for (int left = count; left > 0; ) {
            Completion completion = pair.a().inbox().take();
            int id = (int) completion.wrId();
            if (seen[id]) {
                assertThat(mayRepeat && !completion.ok())
                        .as("completes twice: %s", completion)
                        .isTrue();
                mayRepeat = false;
            } else {
                seen[id] = true;
                left--;
            }
        }
        pair.a().inbox().expectNothing();
    }

    private static void expectFlushed(List<Completion> completions, long firstId) {
        long wrId = firstId;
        for (Completion completion : completions) {
            assertThat(completion.wrId()).isEqualTo(wrId++);
            assertThat(completion.status()).as("%s", completion).isEqualTo(WcStatus.WR_FLUSH_ERROR);
        }
    }
}

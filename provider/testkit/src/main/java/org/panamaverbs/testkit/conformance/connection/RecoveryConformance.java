package org.panamaverbs.testkit.conformance.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.util.Fate;
import org.panamaverbs.api.util.OutstandingSends;
import org.panamaverbs.api.util.OutstandingSends.Request;
import org.panamaverbs.api.util.Ways;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.Waits;

/** What is known of requests when their path has failed, and the way to the peer after that. */
public abstract class RecoveryConformance extends Conformance {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final WorkCompletions completions = WorkCompletions.ofCapacity(4);

    /** For subclasses. */
    protected RecoveryConformance() {}

    @AfterEach
    void forgetTheInterrupt() {
        Thread.interrupted();
    }

    private void write(ConnectedPair pair, OutstandingSends ledger, long wrId, int flags) {
        accepted(pair.qpA().write(wrId, pair.a().buffer(), 0, 8, pair.b().remote(), 0, flags));
        ledger.posted(wrId, flags);
    }

    private void take(ConnectedPair pair, OutstandingSends ledger) {
        poller().await("a completion", () -> {
            int count = pair.a().queue().poll(completions);
            for (int i = 0; i < count; i++) {
                assertThat(ledger.completed(completions.get(i))).isTrue();
            }
            return count > 0;
        });
    }

    @Test
    @ApiCase
    void whatIsDoneIsForgottenAndASuccessCountsForWhatIsBeforeIt() {
        ConnectedPair pair = pair();
        poller().ignore(pair.a().inbox());
        OutstandingSends ledger = OutstandingSends.of(pair.qpA());
        assertThat(ledger.isSettled()).isTrue();
        for (int round = 0; round < 100; round++) {
            write(pair, ledger, 1, NONE);
            write(pair, ledger, 2, NONE);
            write(pair, ledger, 3, SIGNALED);
            assertThat(ledger.isSettled()).isFalse();
            assertThat(ledger.requests())
                    .containsExactly(
                            new Request(1, Fate.UNKNOWN, null),
                            new Request(2, Fate.UNKNOWN, null),
                            new Request(3, Fate.UNKNOWN, null));
            take(pair, ledger);
            assertThat(ledger.requests()).isEmpty();
        }
    }

    @Test
    @ApiCase
    void aSuccessIsOfTheSignaledRequestAlsoWhereAllHaveOneId() {
        ConnectedPair pair = pair();
        poller().ignore(pair.a().inbox());
        OutstandingSends ledger = OutstandingSends.of(pair.qpA());
        for (int round = 0; round < 100; round++) {
            for (int i = 0; i < 15; i++) {
                write(pair, ledger, 0, NONE);
            }
            write(pair, ledger, 0, SIGNALED);
            take(pair, ledger);
            assertThat(ledger.requests()).isEmpty();
        }
    }

    @Test
    @ApiCase
    void completionsOfOthersKeepNobodyFromTheDeadlineOrAnInterrupt() {
        ConnectedPair pair = pair();
        guaranteed(pair, Guarantee.FLUSH_AFTER_FAILURE);
        poller().ignore(pair.a().inbox());
        OutstandingSends ledger = OutstandingSends.of(pair.qpA());
        ledger.posted(1, SIGNALED); // in the ledger alone, so that it is never settled
        Deadline late = Waits.deadline();
        Consumer<WorkCompletion> another = other -> {
            assertThat(late.passed()).isFalse();
            accepted(pair.qpA().recv(77, pair.a().buffer(), 0, 8)); // flushed at once
        };
        accepted(pair.qpA().recv(77, pair.a().buffer(), 0, 8));
        assertThat(ledger.settle(pair.a().queue(), completions, another, Waits.brief()))
                .isFalse();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> ledger.settle(pair.a().queue(), completions, another, Waits.deadline()))
                .isInstanceOf(WaitInterruptedException.class);
    }

    @Test
    @ApiCase
    void theLedgerHasNotedAPollBeforeOthersGetAnyOfIt() {
        ConnectedPair pair = pair();
        guaranteed(pair, Guarantee.FLUSH_AFTER_FAILURE);
        poller().ignore(pair.a().inbox());
        OutstandingSends ledger = OutstandingSends.of(pair.qpA());
        pair.qpA().modify(QueuePairAttributes.to(QueuePairState.ERROR));
        accepted(pair.qpA().recv(77, pair.a().buffer(), 0, 8));
        write(pair, ledger, 1, SIGNALED);
        assertThatThrownBy(() -> ledger.settle(
                        pair.a().queue(),
                        completions,
                        other -> {
                            throw new IllegalStateException("taken by nobody");
                        },
                        Waits.deadline()))
                .hasMessage("taken by nobody");
        Request flushed = new Request(1, Fate.FLUSHED, WcStatus.WR_FLUSH_ERROR);
        assertThat(ledger.settle(pair.a().queue(), completions, other -> {}, Waits.deadline()))
                .isTrue();
        assertThat(ledger.requests()).containsExactly(flushed);
    }

    @Test
    @ApiCase
    void whatAFailureLeavesIsFlushedAndOthersAreHandedOut() {
        ConnectedPair pair = pair();
        guaranteed(pair, Guarantee.FLUSH_AFTER_FAILURE);
        poller().ignore(pair.a().inbox());
        OutstandingSends ledger = OutstandingSends.of(pair.qpA());
        accepted(pair.qpA().recv(77, pair.a().buffer(), 0, 8));
        write(pair, ledger, 1, SIGNALED);
        take(pair, ledger);
        pair.qpA().modify(QueuePairAttributes.to(QueuePairState.ERROR));
        write(pair, ledger, 2, NONE);
        write(pair, ledger, 3, SIGNALED);

        assertThat(ledger.settle(
                        pair.a().queue(),
                        completions,
                        other -> assertThat(other.wrId()).isEqualTo(77),
                        Waits.deadline()))
                .isTrue();
        assertThat(ledger.requests())
                .containsExactly(
                        new Request(2, Fate.FLUSHED, WcStatus.WR_FLUSH_ERROR),
                        new Request(3, Fate.FLUSHED, WcStatus.WR_FLUSH_ERROR));
        ledger.clear();
        assertThat(ledger.isSettled()).isTrue();
    }

    @Test
    void whatIsUnderWayWhenThePathIsGivenUpIsDoneOrFlushed() {
        ConnectedPair pair = pair();
        guaranteed(pair, Guarantee.FLUSH_AFTER_FAILURE);
        poller().ignore(pair.a().inbox());
        OutstandingSends ledger = OutstandingSends.of(pair.qpA());
        for (int i = 0; i < 16; i++) {
            write(pair, ledger, i, SIGNALED);
        }
        assertThat(ledger.settle(pair.a().queue(), completions, other -> {}, Waits.deadline()))
                .isTrue();
        List<Request> left = ledger.requests();
        for (int i = 0; i < left.size(); i++) {
            long expected = 16L - left.size() + i;
            assertThat(left.get(i)).isEqualTo(new Request(expected, Fate.FLUSHED, WcStatus.WR_FLUSH_ERROR));
        }
    }

    @Test
    @ApiCase
    void ledgerThatHearsOfNoCompletionsSaysSo() {
        ConnectedPair pair = pair();
        OutstandingSends ledger = OutstandingSends.of(pair.qpA());
        for (int i = 0; i < 2 * pair.qpA().config().maxSendWr(); i++) {
            ledger.posted(i, NONE);
        }
        assertThatThrownBy(() -> ledger.posted(0, NONE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("pass each polled completion");
    }

    @Test
    void waysThatDoNotLeadToThePeerArePassedOver() {
        ConnectedPair pair = pair();
        Listener gone = pair.b().verbs().listen(provider().listenAddress());
        InetSocketAddress nobody = provider().connectAddress(gone.localAddress());
        gone.close();
        Listener listener = resources().add(pair.b().verbs().listen(provider().listenAddress()));
        InetSocketAddress there = provider().connectAddress(listener.localAddress());
        pair.link().a().close();

        QueuePair accepting = pair.b().newQueuePair(config -> config);
        Background<Connection> peer = Background.start("accept", () -> {
            try (ConnectionRequest request = listener.accept(Waits.deadline())) {
                return resources().add(request.accept(accepting, pair.b().connectionConfig(), Waits.deadline()));
            }
        });
        Connection connection = resources()
                .add(whilePolling(
                        "the ways",
                        () -> Ways.first(
                                List.of(at -> connect(pair, nobody, at), at -> connect(pair, there, at)),
                                PATIENCE,
                                Waits.deadline())));
        peer.await(Waits.deadline());
        accepted(accepting.recv(1, pair.b().buffer(), 0, 8));
        accepted(connection.queuePair().send(2, pair.a().buffer(), 0, 8, SIGNALED));
        pair.a().inbox().takeOk(2);
        pair.b().inbox().takeOk(1);
    }

    private static Connection connect(ConnectedPair pair, InetSocketAddress address, Deadline deadline) {
        return pair.a()
                .verbs()
                .connect(address, pair.a().queuePairConfig(), pair.a().connectionConfig(), deadline);
    }

    @Test
    void thatNoWayLeadsThereIsSaidWithTheReasonOfEach() {
        ConnectedPair pair = pair();
        Listener gone = pair.b().verbs().listen(provider().listenAddress());
        InetSocketAddress nobody = provider().connectAddress(gone.localAddress());
        gone.close();
        assertThatThrownBy(() -> Ways.first(
                        List.of(at -> connect(pair, nobody, at), at -> connect(pair, nobody, at)),
                        PATIENCE,
                        Waits.brief()))
                .isInstanceOfSatisfying(
                        DeadlineExceededException.class,
                        late -> assertThat(late.getSuppressed())
                                .hasSizeBetween(1, 2)
                                .allMatch(why -> why instanceof ConnectionException
                                        || why instanceof DeadlineExceededException));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> Ways.first(List.of(at -> connect(pair, nobody, at)), PATIENCE, Waits.deadline()))
                .isInstanceOf(WaitInterruptedException.class);
    }
}

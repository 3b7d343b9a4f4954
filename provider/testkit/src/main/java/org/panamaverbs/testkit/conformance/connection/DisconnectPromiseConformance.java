package org.panamaverbs.testkit.conformance.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Completion;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.Inbox;
import org.panamaverbs.testkit.PairConfig;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.random.Patterns;

/**
 * What the end of a connection says of what was posted: it has arrived where {@code disconnect} returned, and may not
 * have where it threw; never neither.
 */
public abstract class DisconnectPromiseConformance extends Conformance {
    private static final int MESSAGES = 40;
    private static final int BYTES = 20_000;

    /** For subclasses. */
    protected DisconnectPromiseConformance() {}

    @Test
    void slowReaderGetsWhatWasPosted() {
        ConnectedPair pair = loaded();
        guaranteed(pair.a().verbs(), Guarantee.DISCONNECT_AWAITS_ARRIVAL);
        poller().ignore(pair.b().inbox());
        Background<Optional<VerbsException>> disconnecting =
                disconnecting(pair.link().a(), Waits.deadline());
        poller().pollAWhile(); // while the reader does something else
        Inbox reader = pair.b().watch(pair.b().queue());
        assertThat(told(disconnecting)).isEmpty();
        assertThat(arrived(reader, pair.b())).isEqualTo(MESSAGES);
    }

    @Test
    void deadlineHoldsWhereThePeerMakesNoProgress() {
        ConnectedPair pair = loaded();
        requires(!provider().servesWithoutPolling(), pair.b().verbs(), "serves its peer although nobody polls");
        poller().ignore(pair.b().inbox());
        Optional<VerbsException> told = told(disconnecting(pair.link().a(), Waits.brief()));
        assertThat(told).containsInstanceOf(DeadlineExceededException.class);
        assertThat(pair.link().a().isConnected()).isFalse();
    }

    @Test
    void messageThatFindsNoReceiveIsTold() {
        ConnectedPair pair = pair();
        guaranteed(pair.a().verbs(), Guarantee.DISCONNECT_AWAITS_ARRIVAL);
        accepted(pair.qpA().send(1, pair.a().buffer(), 0, 100, SIGNALED));
        // Where a success has arrived, a connection that is down has been told of by the request's own completion.
        boolean isDown = ConnectedPair.isDown(pair.link().a());
        Optional<VerbsException> told = told(disconnecting(pair.link().a(), Waits.brief()));
        assertThat(told.isPresent() || (isDown && !pair.a().inbox().take().ok()))
                .isTrue();
        assertThat(pair.link().a().isConnected()).isFalse();
    }

    @Test
    void peerThatAbortsMeanwhileHasItAllOrTheCallerIsTold() {
        ConnectedPair pair = loaded();
        guaranteed(pair.a().verbs(), Guarantee.DISCONNECT_AWAITS_ARRIVAL);
        Background<Optional<VerbsException>> disconnecting =
                disconnecting(pair.link().a(), Waits.deadline());
        pair.link().b().close();
        boolean returned = told(disconnecting).isEmpty();
        int arrived = arrived(pair.b().inbox(), pair.b());
        assertThat(!returned || arrived == MESSAGES)
                .as("disconnect returned, %d messages have arrived", arrived)
                .isTrue();
    }

    @Test
    void bothDisconnectAtOnceWithMessagesUnderWay() {
        ConnectedPair pair = loaded();
        receive(pair.qpA(), pair.a());
        send(pair.qpB(), pair.b());
        Background<Optional<VerbsException>> a = disconnecting(pair.link().a(), Waits.deadline());
        Background<Optional<VerbsException>> b = disconnecting(pair.link().b(), Waits.deadline());
        expectArrivedOrTold(pair.a(), told(a), pair.b());
        expectArrivedOrTold(pair.b(), told(b), pair.a());
    }

    @Test
    void connectionThatHasFailedBeforeIsToldEachTime() {
        ConnectedPair pair = loaded();
        pair.qpA().modify(QueuePairAttributes.to(QueuePairState.ERROR));
        Optional<VerbsException> told = told(disconnecting(pair.link().a(), Waits.deadline()));
        Optional<VerbsException> again = told(disconnecting(pair.link().a(), Waits.deadline()));
        assertThat(again.isPresent()).isEqualTo(told.isPresent());
        poller().await("B's end is down", () -> ConnectedPair.isDown(pair.link().b()));
        told(disconnecting(pair.link().b(), Waits.deadline()));
        if (pair.a().keeps(Guarantee.DISCONNECT_AWAITS_ARRIVAL)) {
            int arrived = arrived(pair.b().inbox(), pair.b());
            List<Completion> sent = pair.a().inbox().take(MESSAGES);
            long succeeded = sent.stream().filter(Completion::ok).count();
            assertThat(told.isPresent() || arrived >= succeeded)
                    .as("disconnect returned, %d messages have arrived of %d that succeeded", arrived, succeeded)
                    .isTrue();
        }
    }

    @Test
    void awaitDisconnectHearsOfEitherSide() {
        ConnectedPair pair = pair();
        assertThat(pair.link().a().awaitDisconnect(Deadline.now())).isFalse();
        assertThat(pair.link().b().awaitDisconnect(Waits.brief())).isFalse();
        assertThat(told(disconnecting(pair.link().b(), Waits.deadline()))).isEmpty();
        assertThat(pair.link().b().awaitDisconnect(Deadline.now())).isTrue();
        assertThat(whilePolling("awaitDisconnect", () -> pair.link().a().awaitDisconnect(Waits.deadline())))
                .isTrue();
        assertThat(pair.link().a().awaitDisconnect(Deadline.now())).isTrue();
    }

    @Test
    void closeAwaitsNothingAndLeavesNoMessageHalfRead() {
        ConnectedPair pair = loaded();
        pair.link().a().close();
        assertThat(whilePolling("awaitDisconnect", () -> pair.link().b().awaitDisconnect(Waits.deadline())))
                .isTrue();
        assertThat(arrived(pair.b().inbox(), pair.b())).isLessThanOrEqualTo(MESSAGES);
    }

    /** Returns a pair whose side A has posted messages for which side B has receives. */
    private ConnectedPair loaded() {
        ConnectedPair pair = pair(PairConfig.defaults().withBuffers(2L * MESSAGES * BYTES));
        receive(pair.qpB(), pair.b());
        send(pair.qpA(), pair.a());
        return pair;
    }

    private static void send(QueuePair over, Endpoint from) {
        for (int i = 0; i < MESSAGES; i++) {
            from.put((long) i * BYTES, Patterns.bytes(i, BYTES));
            accepted(over.send(MESSAGES + i, from.buffer(), (long) i * BYTES, BYTES, SIGNALED));
        }
    }

    /** Posts receives with the ids from 0, into the second half of the buffer. */
    private static void receive(QueuePair over, Endpoint at) {
        for (int i = 0; i < MESSAGES; i++) {
            accepted(over.recv(i, at.buffer(), place(i), BYTES));
        }
    }

    private static long place(int message) {
        return (long) (MESSAGES + message) * BYTES;
    }

    private static Background<Optional<VerbsException>> disconnecting(Connection end, Deadline deadline) {
        return Background.start("disconnect", () -> {
            try {
                end.disconnect(deadline);
                return Optional.empty();
            } catch (DeadlineExceededException e) {
                return Optional.of(e);
            } catch (ConnectionException e) {
                assertThat(e.reason()).isIn(Reason.RESET, Reason.CLOSED);
                return Optional.of(e);
            }
        });
    }

    /** Polls until the disconnect is done, and returns what it threw. */
    private Optional<VerbsException> told(Background<Optional<VerbsException>> disconnecting) {
        poller().await("disconnect", disconnecting::isDone);
        return disconnecting.await(Waits.deadline());
    }

    private static void expectArrivedOrTold(Endpoint from, Optional<VerbsException> told, Endpoint at) {
        int arrived = arrived(at.inbox(), at);
        if (from.keeps(Guarantee.DISCONNECT_AWAITS_ARRIVAL) && told.isEmpty()) {
            assertThat(arrived).isEqualTo(MESSAGES);
        }
    }

    /** Takes the completions of all receives, checks those that succeeded, the first ones, and returns how many. */
    private static int arrived(Inbox inbox, Endpoint at) {
        int arrived = 0;
        int receives = 0;
        while (receives < MESSAGES) {
            Completion completion = inbox.take();
            if (completion.wrId() >= MESSAGES) {
                continue; // of a Send
            }
            receives++;
            if (completion.ok()) {
                assertThat(completion.wrId()).as("%s", completion).isEqualTo(arrived);
                assertThat(at.get(place(arrived), BYTES)).isEqualTo(Patterns.bytes(arrived, BYTES));
                arrived++;
            }
        }
        return arrived;
    }
}

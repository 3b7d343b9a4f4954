package org.panamaverbs.ibverbs.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.ibverbs.queuepair.DrainCases;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.PairConfig;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.Waits;

/** Drains on the adapters of the zoo that speak RoCE. */
class DrainOverZooTest {
    @Nested
    @RunsOn(Zoo.Roce.class)
    class Roce extends DrainCases {}

    @Nested
    @RunsOn(Zoo.Mlx5.class)
    class Mlx5 extends DrainCases {}

    @Nested
    @RunsOn(Zoo.Irdma.class)
    class Irdma extends DrainCases {}

    @Nested
    @RunsOn(Zoo.BnxtRe.class)
    class BnxtRe extends WithoutWindows {}

    @Nested
    @RunsOn(Zoo.Hns.class)
    class Hns extends WithoutWindows {}

    /** An adapter that has no local request: a peer that grants no Writes refuses the marker, and has all before it. */
    abstract static class WithoutWindows extends Conformance {
        @Test
        void refusedMarkerSaysThatAllBeforeItWasTaken() {
            ConnectedPair pair = pair(PairConfig.defaults().withQueuePairs(config -> config.withAccess()));
            accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 8));
            accepted(pair.qpA().send(2, pair.a().buffer(), 0, 8, SendFlag.NONE));
            disconnect(pair.link().a());
            pair.b().inbox().takeOk(1);
            pair.a().inbox().expectNothing();
            assertThat(pair.b().verbs().asyncEvent(Waits.deadline()))
                    .map(AsyncEvent::type)
                    .contains(AsyncEvent.Type.QP_REQUEST_ERROR);
        }

        /** The peer fails at once, with what it has outstanding. */
        @Test
        void peerThatRefusesTheMarkerIsResetWhileItDisconnects() {
            ConnectedPair pair = pair(PairConfig.defaults().withQueuePairs(config -> config.withAccess()));
            accepted(pair.qpB().send(3, pair.b().buffer(), 0, 8, SendFlag.SIGNALED)); // no receive takes it
            Thread.currentThread().interrupt(); // so that it is known to have begun to wait
            assertThatThrownBy(() -> pair.link().b().disconnect(Waits.deadline()))
                    .isInstanceOf(WaitInterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
            accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 8));
            accepted(pair.qpA().send(2, pair.a().buffer(), 0, 8, SendFlag.NONE));
            disconnect(pair.link().a());
            assertThatThrownBy(() -> pair.link().b().disconnect(Waits.deadline()))
                    .isInstanceOfSatisfying(
                            ConnectionException.class,
                            e -> assertThat(e.reason()).isEqualTo(Reason.RESET));
            pair.b().inbox().takeOk(1);
            assertThat(pair.b().inbox().take().status()).isEqualTo(WcStatus.WR_FLUSH_ERROR);
        }

        @Test
        void nobodyIsRefusedWhereTheLastRequestIsSignaled() {
            ConnectedPair pair = pair(PairConfig.defaults().withQueuePairs(config -> config.withAccess()));
            accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 8));
            accepted(pair.qpA().send(2, pair.a().buffer(), 0, 8, SendFlag.SIGNALED));
            disconnect(pair.link().a());
            pair.a().inbox().takeOk(2);
            pair.b().inbox().takeOk(1);
            assertThat(pair.b().verbs().asyncEvent(Waits.brief()))
                    .map(AsyncEvent::type)
                    .isNotEqualTo(Optional.of(AsyncEvent.Type.QP_REQUEST_ERROR));
        }
    }
}

package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.ibverbs.completion.Drained;
import org.panamaverbs.memory.Access;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.PairConfig;
import org.panamaverbs.testkit.Waits;

/** What a disconnect waits for is known without the peer: it need not grant anything, and both sides could go on. */
public abstract class DrainCases extends Conformance {
    private static final int BYTES = 30_000;

    /** For subclasses. */
    protected DrainCases() {}

    @ParameterizedTest
    @ValueSource(ints = {SendFlag.SIGNALED, SendFlag.NONE})
    void drainedQueuePairsGoOn(int lastFlags) {
        ConnectedPair pair = pair(PairConfig.defaults().withQueuePairs(config -> config.withAccess()));
        requires(pair.a().verbs(), Feature.MEMORY_WINDOW_TYPE_1);
        for (int round = 0; round < 3; round++) {
            goesOn(pair, pair.link(), lastFlags);
        }
    }

    /** Of what was flushed at the end of one connection nothing is left in the next. */
    @ParameterizedTest
    @ValueSource(ints = {SendFlag.SIGNALED, SendFlag.NONE})
    void drainsAgainAfterReset(int lastFlags) {
        ConnectedPair pair = pair(PairConfig.defaults().withQueuePairs(config -> config.withAccess()));
        requires(pair.a().verbs(), Feature.MEMORY_WINDOW_TYPE_1);
        goesOn(pair, pair.link(), lastFlags);
        accepted(pair.qpA().send(7, pair.a().buffer(), 0, BYTES, lastFlags));
        assertThat(((IbvQueuePair) pair.qpA()).drain(Waits.brief())).isEqualTo(Drained.LATE);
        pair.qpA().modify(QueuePairAttributes.to(QueuePairState.ERROR));
        assertThat(drain(pair.qpA())).isEqualTo(Drained.FAILED);
        assertThat(pair.a().inbox().take().status()).isEqualTo(WcStatus.WR_FLUSH_ERROR);
        pair.link().a().close();
        pair.link().b().close();
        int port = pair.a().verbs().device().ports().getFirst().number();
        pair.qpA().modify(QueuePairAttributes.to(QueuePairState.RESET));
        pair.qpA()
                .modify(QueuePairAttributes.to(QueuePairState.INIT)
                        .set(Field.PKEY_INDEX, 0)
                        .set(Field.PORT, port)
                        .set(Field.ACCESS, Access.LOCAL_WRITE.bit()));
        Link next = pair.connect(pair.qpA(), pair.b().newQueuePair(config -> config.withAccess()));
        goesOn(pair, next, lastFlags);
    }

    /** A drain that waits for a request without a receive is late, and another one finds it done. */
    @Test
    void drainWaitsForWhatHasNotArrived() {
        ConnectedPair pair = pair(PairConfig.defaults().withQueuePairs(config -> config.withAccess()));
        accepted(pair.qpA().send(1, pair.a().buffer(), 0, BYTES, SendFlag.NONE));
        assertThat(((IbvQueuePair) pair.qpA()).drain(Waits.brief())).isEqualTo(Drained.LATE);
        accepted(pair.qpA().send(2, pair.a().buffer(), 0, BYTES, SendFlag.SIGNALED));
        assertThat(((IbvQueuePair) pair.qpA()).drain(Waits.brief())).isEqualTo(Drained.LATE);
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, BYTES));
        accepted(pair.qpB().recv(2, pair.b().buffer(), 0, BYTES));
        assertThat(drain(pair.qpA())).isEqualTo(Drained.DONE);
        pair.a().inbox().takeOk(2);
        pair.b().inbox().takeOk(1);
        pair.b().inbox().takeOk(2);
    }

    private void goesOn(ConnectedPair pair, Link link, int lastFlags) {
        accepted(link.qpB().recv(1, pair.b().buffer(), 0, BYTES));
        accepted(link.qpB().recv(2, pair.b().buffer(), 0, BYTES));
        accepted(link.qpA().send(3, pair.a().buffer(), 0, BYTES, SendFlag.SIGNALED));
        accepted(link.qpA().send(4, pair.a().buffer(), 0, BYTES, lastFlags));
        assertThat(drain(link.qpA())).isEqualTo(Drained.DONE);
        pair.a().inbox().takeOk(3);
        if (lastFlags == SendFlag.SIGNALED) {
            pair.a().inbox().takeOk(4);
        }
        pair.b().inbox().takeOk(1);
        pair.b().inbox().takeOk(2);
        reaches(pair.a(), link.qpA(), pair.b(), link.qpB());
        reaches(pair.b(), link.qpB(), pair.a(), link.qpA());
    }

    private Drained drain(QueuePair queuePair) {
        return whilePolling("drain", () -> ((IbvQueuePair) queuePair).drain(Waits.deadline()));
    }

    private static void reaches(Endpoint from, QueuePair sender, Endpoint to, QueuePair receiver) {
        accepted(receiver.recv(5, to.buffer(), 0, 8));
        accepted(sender.send(6, from.buffer(), 0, 8, SendFlag.SIGNALED));
        from.inbox().takeOk(6);
        to.inbox().takeOk(5);
    }
}

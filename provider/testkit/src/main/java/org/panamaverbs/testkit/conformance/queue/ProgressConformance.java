package org.panamaverbs.testkit.conformance.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.PairConfig;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.random.Patterns;

/** One-sided traffic is served while the target's application does nothing. */
public abstract class ProgressConformance extends Conformance {
    /** For subclasses. */
    protected ProgressConformance() {}

    @BeforeEach
    void serves() {
        Assumptions.assumeTrue(
                provider().servesWithoutPolling(), () -> provider().title() + " serves peers only while it is polled");
    }

    @Test
    @Requirement("RDMAP-5.2.1-03")
    void writesAndReadsAreServed() {
        ConnectedPair pair = idleTarget();
        for (int round = 0; round < 50; round++) {
            byte[] data = Patterns.bytes(round, 10_000);
            pair.a().put(0, data);
            accepted(pair.qpA().write(1, pair.a().buffer(), 0, 10_000, pair.b().remote(), 5, NONE));
            accepted(pair.qpA()
                    .read(2, pair.a().buffer(), 30_000, 10_000, pair.b().remote(), 5, SIGNALED));
            pair.a().inbox().takeOk(2);
            assertThat(pair.a().get(30_000, 10_000)).isEqualTo(data);
        }
    }

    @Test
    @Requirement("EXT-5.2.1-3-01")
    void atomicsAreServed() {
        ConnectedPair pair = idleTarget(Feature.ATOMICS);
        for (int i = 0; i < 100; i++) {
            accepted(pair.qpA().fetchAdd(i, pair.a().buffer(), 0, pair.b().remote(), 64, 1, SIGNALED));
            pair.a().inbox().takeOk(i);
            assertThat(pair.a().getLong(0)).isEqualTo(i);
        }
    }

    @Test
    void messagesLongerThanAnySocketBufferAreServed() {
        int most = 24 * 1024 * 1024;
        ConnectedPair pair = pair(PairConfig.defaults().withBuffers(most));
        int size = (int) Math.min(
                most,
                Math.min(
                        pair.a().capabilities().maxMessageBytes(),
                        pair.b().capabilities().maxMessageBytes()));
        poller().ignore(pair.b().inbox());
        byte[] data = Patterns.bytes(1, size);
        pair.a().put(0, data);
        accepted(pair.qpA().write(1, pair.a().buffer(), 0, size, pair.b().remote(), 0, NONE));
        accepted(pair.qpA().read(2, pair.a().buffer(), 0, size, pair.b().remote(), 0, SIGNALED));
        pair.a().inbox().takeOk(2);
        assertThat(pair.b().get(0, size)).isEqualTo(data);
        assertThat(pair.a().get(0, size)).isEqualTo(data);
    }

    @Test
    void postedWorkIsDoneWithoutPollingTheRequester() {
        ConnectedPair pair = pair();
        poller().ignore(pair.a().inbox());
        poller().ignore(pair.b().inbox());
        pair.b().putLong(0, 0);
        pair.a().putLong(0, 42);
        accepted(pair.qpA().write(1, pair.a().buffer(), 0, 8, pair.b().remote(), 0, SIGNALED));
        var cell = pair.b().buffer().atomicTarget(0);
        poller().await("the write", () -> cell.getVolatile() == 42);
    }

    @Test
    void peersDisconnectIsSeen() {
        ConnectedPair pair = idleTarget();
        Background<Boolean> waiting =
                Background.start("awaitDisconnect", () -> pair.link().b().awaitDisconnect(Waits.deadline()));
        pair.link().a().disconnect(Waits.deadline());
        assertThat(waiting.await(Waits.deadline())).isTrue();
    }

    private ConnectedPair idleTarget(Feature... features) {
        ConnectedPair pair = pair(features);
        poller().ignore(pair.b().inbox());
        return pair;
    }
}

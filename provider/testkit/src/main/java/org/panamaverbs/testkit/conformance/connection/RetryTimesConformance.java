package org.panamaverbs.testkit.conformance.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.RetryTimes;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.PairConfig;

/** How long a connection waits before it sends again: by default, as asked for, or not at all. */
public abstract class RetryTimesConformance extends Conformance {
    private static final Duration SHORT = Duration.ofMillis(10);

    /** For subclasses. */
    protected RetryTimesConformance() {}

    @Test
    @Needs(Feature.RETRY_TIMES)
    void peersWaitShortlyForAReceiveByDefault() {
        ConnectedPair pair = pair();

        for (QueuePair each : List.of(pair.qpA(), pair.qpB())) {
            int code = each.query().minRnrTimer().orElseThrow();
            assertThat(RetryTimes.rnrWait(code)).isLessThanOrEqualTo(SHORT);
        }
        pair.barrier();
    }

    @Test
    @Needs(Feature.RETRY_TIMES)
    void bothSidesHaveTheTimesTheyAskFor() {
        RetryTimes a = RetryTimes.ofCodes(15, 14);
        RetryTimes b = RetryTimes.ofCodes(17, 20);
        ConnectedPair pair = pair(PairConfig.defaults()
                .withConnections(config -> config.withRetryTimes(a), config -> config.withRetryTimes(b)));

        expect(pair.qpA().query(), a);
        expect(pair.qpB().query(), b);
        pair.barrier();
    }

    @Test
    @ApiCase
    void refusesTimesThatCannotAct() {
        ConnectedPair pair = pair();
        requires(!pair.a().capabilities().has(Feature.RETRY_TIMES), pair.a().verbs(), "has RETRY_TIMES");
        ConnectionConfig config = pair.a().connectionConfig().withRetryTimes(RetryTimes.ofCodes(RetryTimes.UNSET, 12));

        assertThatThrownBy(() -> pair.connect(
                        pair.a().newQueuePair(made -> made),
                        pair.b().newQueuePair(made -> made),
                        config,
                        pair.b().connectionConfig()))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("RETRY_TIMES")
                .hasMessageContaining(pair.a().verbs().device().name());
        pair.barrier();
    }

    private static void expect(QueuePairAttributes found, RetryTimes asked) {
        assertThat(found.minRnrTimer()).hasValue(asked.minRnrTimer());
        assertThat(found.timeout()).hasValue(asked.ackTimeout());
    }
}

package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.CompletionQueueFlag;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WcField;

class ExtendedQueueTest {
    private static final CompletionQueueConfig QUEUE = CompletionQueueConfig.of(16);

    @Test
    void takesTheHintOfASingleThreadAndWantedFields() {
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"));
                var hinted = verbs.completionQueue(QUEUE.withFlags(CompletionQueueFlag.SINGLE_THREADED));
                var some = verbs.completionQueue(QUEUE.withFields(WcField.BYTE_COUNT))) {
            assertThat(hinted.capacity()).isEqualTo(some.capacity());
        }
    }

    @Test
    void hasNoClockAndNoQueueThatOverwrites() {
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"))) {
            assertThatThrownBy(() -> verbs.completionQueue(QUEUE.withFields(WcField.TIMESTAMP, WcField.WALLCLOCK)
                            .withFlags(CompletionQueueFlag.IGNORE_OVERRUN)))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining(
                            "device iwarp0 lacks [COMPLETION_TIMESTAMP, COMPLETION_WALLCLOCK, CQ_IGNORE_OVERRUN]");
        }
    }
}

package org.panamaverbs.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;

class CompletionQueueConfigTest {
    private static final CompletionQueueConfig ORDINARY = CompletionQueueConfig.of(16);

    @Test
    void ordinaryQueueNeedsNothing() {
        assertThat(ORDINARY.isExtended()).isFalse();
        assertThatCode(() -> ORDINARY.require(can(), "siw0")).doesNotThrowAnyException();
    }

    @Test
    void namesAllThatTheDeviceLacks() {
        CompletionQueueConfig config =
                ORDINARY.withFields(WcField.TIMESTAMP, WcField.WALLCLOCK).withFlags(CompletionQueueFlag.IGNORE_OVERRUN);
        assertThatThrownBy(() -> config.require(can(Feature.EXTENDED_CQ, Feature.COMPLETION_TIMESTAMP), "rxe0"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("device rxe0 lacks [COMPLETION_WALLCLOCK, CQ_IGNORE_OVERRUN];")
                .hasMessageContaining("CompletionQueueConfig.of(16)");
    }

    @Test
    void flagOrFieldMakesAnExtendedQueue() {
        for (CompletionQueueConfig config : new CompletionQueueConfig[] {
            ORDINARY.withFlags(CompletionQueueFlag.SINGLE_THREADED), ORDINARY.withFields(WcField.BYTE_COUNT)
        }) {
            assertThat(config.isExtended()).isTrue();
            assertThatCode(() -> config.require(can(Feature.EXTENDED_CQ), "rxe0"))
                    .doesNotThrowAnyException();
            assertThatThrownBy(() -> config.require(can(), "siw0")).hasMessageContaining("lacks [EXTENDED_CQ]");
        }
    }

    private static Capabilities can(Feature... features) {
        return Capabilities.builder()
                .maxQp(1)
                .maxQpWr(1)
                .maxSge(1)
                .maxSgeRead(1)
                .maxCq(1)
                .maxCqe(16)
                .maxMr(1)
                .maxMrBytes(1)
                .maxPd(1)
                .maxInitiatorDepth(1)
                .maxResponderResources(1)
                .maxMessageBytes(1)
                .queuePairTypes(Set.of(QueuePairType.RC))
                .features(Set.of(features))
                .build();
    }
}

package org.panamaverbs.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.CompletionQueueFlag;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WcField;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.RunsOn;

/** Extended completion queues on a device whose user-space driver has none. */
@RunsOn(Devices.Siw.class)
class ExtendedCqRefusedTest extends Conformance {
    @Test
    void saysThatTheDeviceHasNone() {
        Verbs verbs = openA();
        assertThat(verbs.capabilities().has(Feature.EXTENDED_CQ)).isFalse();
        CompletionQueueConfig config = CompletionQueueConfig.of(16);
        assertThatThrownBy(() -> verbs.completionQueue(config.withFlags(CompletionQueueFlag.SINGLE_THREADED)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("device siw0 lacks [EXTENDED_CQ]")
                .hasMessageContaining("flags [SINGLE_THREADED]")
                .hasMessageContaining("CompletionQueueConfig.of(16) makes an ordinary one");
        assertThatThrownBy(() -> verbs.completionQueue(config.withFields(WcField.TIMESTAMP)))
                .hasMessageContaining("lacks [EXTENDED_CQ, COMPLETION_TIMESTAMP]");
    }
}

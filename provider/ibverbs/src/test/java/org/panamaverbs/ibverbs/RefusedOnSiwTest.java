package org.panamaverbs.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.CompletionQueueFlag;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WcField;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.MulticastConfig;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.Waits;

/** What an iWARP device has not is refused by name, before anything is tried. */
@RunsOn(Devices.Siw.class)
class RefusedOnSiwTest extends Conformance {
    @Test
    void extendedCompletionQueues() {
        Verbs verbs = openA();
        assertThat(verbs.capabilities().has(Feature.EXTENDED_CQ)).isFalse();
        CompletionQueueConfig config = CompletionQueueConfig.of(16);
        assertThatThrownBy(() -> verbs.completionQueue(config.withFlags(CompletionQueueFlag.SINGLE_THREADED)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("device siw0 lacks [EXTENDED_CQ]")
                .hasMessageContaining("flags [SINGLE_THREADED]")
                .hasMessageContaining("remedy: leave them out (CompletionQueueConfig.of(16))");
        assertThatThrownBy(() -> verbs.completionQueue(config.withFields(WcField.TIMESTAMP)))
                .hasMessageContaining("lacks [EXTENDED_CQ, COMPLETION_TIMESTAMP]");
    }

    @Test
    void datagramsAndMulticast() {
        Endpoint a = sideA();
        QueuePair qp = a.newQueuePair(config -> config);
        assertThatThrownBy(() -> a.newQueuePair(config -> config.withType(QueuePairType.UD)))
                .hasMessageContaining("device siw0 has only queue pairs of type [RC]");
        String message = "device siw0 has only queue pairs of type [RC]; datagrams and multicast need UD";
        assertThatThrownBy(() -> a.verbs()
                        .connectDatagrams(
                                provider().listenAddress(), qp, ConnectionConfig.defaults(), Waits.deadline()))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(message);
        assertThatThrownBy(() -> a.verbs().listenDatagrams(provider().listenAddress(), ListenerConfig.defaults()))
                .hasMessageContaining(message);
        assertThatThrownBy(() -> a.verbs()
                        .joinMulticast(
                                InetAddress.ofLiteral("239.1.2.3"), qp, MulticastConfig.defaults(), Waits.deadline()))
                .hasMessageContaining(message);
    }
}

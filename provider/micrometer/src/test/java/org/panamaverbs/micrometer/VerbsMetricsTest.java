package org.panamaverbs.micrometer;

import static java.util.concurrent.CompletableFuture.supplyAsync;
import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.device.Counter;
import org.panamaverbs.memory.Access;

@Timeout(60)
class VerbsMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private static Verbs open() {
        return Verbs.open(OpenConfig.provider("iwarp"));
    }

    private double counter(String name) {
        return registry.get(name).functionCounter().count();
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    @Test
    void metersFollowWhatTheDeviceCounts() {
        Deadline deadline = Deadline.in(Duration.ofSeconds(30));
        try (Verbs verbs = open()) {
            new VerbsMetrics(verbs, Tags.of("app", "test")).bindTo(registry);
            assertThat(gauge("verbs.connections")).isZero();

            try (var domain = verbs.protectionDomain();
                    var buffer = domain.allocate(4096, Access.LOCAL_WRITE);
                    var queue = verbs.completionQueue(16);
                    var listener = verbs.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
                QueuePairConfig config = QueuePairConfig.of(domain, queue);
                var accepting = supplyAsync(
                        () -> listener.accept(deadline).accept(config, ConnectionConfig.defaults(), deadline));
                try (Connection made = verbs.connect(listener.localAddress(), config, deadline);
                        Connection accepted = accepting.join()) {
                    PostStatus.check(accepted.queuePair().recv(1, buffer, 0, 64));
                    PostStatus.check(made.queuePair().send(2, buffer, 64, 64, SIGNALED));
                    WorkCompletions completions = WorkCompletions.ofCapacity(2);
                    int done = 0;
                    while (done < 2 && !deadline.passed()) {
                        done += queue.poll(completions, deadline);
                    }

                    assertThat(gauge("verbs.connections")).isEqualTo(2);
                    assertThat(gauge("verbs.registered")).isEqualTo(4096);
                    assertThat(counter("verbs.setups")).isEqualTo(2);
                    assertThat(counter("verbs.sends.completed")).isEqualTo(1);
                    assertThat(counter("verbs.receives.completed")).isEqualTo(1);
                    assertThat(counter("verbs.sent")).isGreaterThanOrEqualTo(64);
                }
            }

            assertThat(gauge("verbs.queuepairs")).isZero();
            assertThat(counter("verbs.sends.posted")).isEqualTo(1);
            assertThat(registry.get("verbs.setups")
                            .tags("app", "test", "provider", "iwarp", "device", "iwarp0")
                            .meters())
                    .hasSize(1);
        }
    }

    @Test
    void eachCounterWithAMeterIsBound() {
        try (Verbs verbs = open()) {
            new VerbsMetrics(verbs).bindTo(registry);
        }

        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getName())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Counter.values())
                        .map(Counter::meter)
                        .filter(meter -> !meter.isEmpty())
                        .toList());
    }
}

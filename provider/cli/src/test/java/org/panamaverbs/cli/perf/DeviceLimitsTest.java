package org.panamaverbs.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.perf.measure.PerfOptions;
import org.panamaverbs.cli.perf.measure.PerfTest;
import org.panamaverbs.cli.perf.measure.Session;
import org.panamaverbs.cli.perf.measure.WarmUp;

/** Limits that differ by the type of the queue pair, on a device that takes fewer inline bytes in a datagram. */
class DeviceLimitsTest {
    private static final int RELIABLE = 220;
    private static final int DATAGRAM = 32;

    @Test
    void latencyOfDatagramsSendsInlineWhatADatagramTakes() {
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"))) {
            DeviceLimits limits = new DeviceLimits(withShortDatagrams(verbs), options(-1));

            assertThat(limits.inlineBytes(QueuePairType.UD)).isEqualTo(DATAGRAM);
            assertThat(limits.inlineBytes(QueuePairType.RC)).isEqualTo(RELIABLE);
        }
    }

    @Test
    void moreInlineBytesThanADatagramTakesAreRefused() {
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"))) {
            PerfOptions options = options(DATAGRAM + 1);
            DeviceLimits limits = new DeviceLimits(withShortDatagrams(verbs), options);

            limits.check(PerfTest.SEND_LAT, sizes(options, QueuePairType.RC));
            assertThatThrownBy(() -> limits.check(PerfTest.SEND_LAT, sizes(options, QueuePairType.UD)))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessage("device iwarp0 has at most 32 inline bytes on queue pairs of type UD, and 33 are"
                            + " requested; remedy: lower -I");
        }
    }

    private static Session.Sizes sizes(PerfOptions options, QueuePairType type) {
        return Session.Sizes.of(options, DATAGRAM + 1, false, type);
    }

    private static PerfOptions options(int inlineBytes) {
        return new PerfOptions(
                PerfTest.SEND_LAT,
                List.of(2),
                new PerfOptions.Span(1, 0, new WarmUp.Messages(0)),
                new PerfOptions.Queues(1, 1, 2, 1, 1, inlineBytes, 0),
                new PerfOptions.Mode(false, false, false, Duration.ZERO),
                0,
                Duration.ofSeconds(1));
    }

    private static Verbs withShortDatagrams(Verbs verbs) {
        Capabilities capabilities = verbs.capabilities().toBuilder()
                .maxInlineBytes(RELIABLE)
                .inlineBytesByType(Map.of(QueuePairType.UD, DATAGRAM))
                .build();
        return (Verbs) Proxy.newProxyInstance(
                Verbs.class.getClassLoader(), new Class<?>[] {Verbs.class}, (proxy, method, arguments) -> {
                    try {
                        return method.getName().equals("capabilities") ? capabilities : method.invoke(verbs, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}

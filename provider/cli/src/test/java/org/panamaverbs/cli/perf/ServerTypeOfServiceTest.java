package org.panamaverbs.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.perf.measure.PerfOptions;
import org.panamaverbs.cli.perf.measure.PerfTest;
import org.panamaverbs.cli.perf.measure.WarmUp;

/** {@code -T} of a server whose device cannot set the type of service of what it accepts. */
class ServerTypeOfServiceTest {
    private static final Duration SHORT = Duration.ofMillis(100);

    @ParameterizedTest
    @CsvSource({
        "ibverbs, INFINIBAND, false",
        "ibverbs, IWARP, false",
        "ibverbs, ROCE, true",
        "iwarp, IWARP, true",
    })
    void devicesThatCanSetIt(String provider, DeviceInfo.Transport transport, boolean can) {
        DeviceInfo device = new DeviceInfo("d0", transport, "", "", 0, List.of());

        assertThat(DeviceLimits.acceptsTypeOfService(provider, device)).isEqualTo(can);
    }

    @Test
    void serverSaysThatTheClientAloneChooses() {
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"))) {
            assertThatThrownBy(() -> serve(likeKernelIwarp(verbs), 8))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageStartingWith("-T 8: device iwarp0 cannot set the type of service")
                    .hasMessageContaining("give -T to the client only");
        }
    }

    @Test
    void serverWaitsForAClientWhereItIsNotGivenOrCanBeSet() {
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"))) {
            assertThatThrownBy(() -> serve(likeKernelIwarp(verbs), 0))
                    .hasMessageContaining("no client, or not all of" + " its connections");
            assertThatThrownBy(() -> serve(verbs, 8)).hasMessageContaining("no client, or not all of its connections");
        }
    }

    private static void serve(Verbs verbs, int typeOfService) {
        PerfOptions options = new PerfOptions(
                PerfTest.WRITE_BW,
                List.of(64),
                new PerfOptions.Span(1, 0, new WarmUp.Messages(0)),
                new PerfOptions.Queues(1, 1, 2, 1, 1, 0, 0),
                new PerfOptions.Mode(false, false, false, Duration.ZERO),
                typeOfService,
                SHORT);
        try (Listener listener = verbs.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            new PerfServer(verbs, listener, options, hello -> Optional.empty()).serve(Deadline.in(SHORT));
        }
    }

    /** Returns {@code real}, which passes itself off as a device of the kernel's. */
    private static Verbs likeKernelIwarp(Verbs real) {
        return (Verbs) Proxy.newProxyInstance(
                Verbs.class.getClassLoader(), new Class<?>[] {Verbs.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("provider")) {
                        return "ibverbs";
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}

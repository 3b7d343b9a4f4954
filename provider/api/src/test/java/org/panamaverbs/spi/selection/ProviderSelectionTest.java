package org.panamaverbs.spi.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.ProviderUnavailableException;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Availability;
import org.panamaverbs.api.device.Availability.Available;
import org.panamaverbs.api.device.Availability.Unavailable;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.spi.VerbsProvider;

/** Which provider is asked to open which device, and what is said where none can. */
class ProviderSelectionTest {
    private static final Unavailable NO_DEVICE = new Unavailable("no RDMA device", "load the driver");
    private static final Unavailable PORT_DOWN = new Unavailable("device mlx5_1 has no active port", "plug the cable");

    private static final VerbsProvider SOFTWARE = new SampleProvider("iwarp", new Available(List.of(device("iwarp0"))));
    private static final VerbsProvider NO_HARDWARE = new SampleProvider("ibverbs", NO_DEVICE);
    private static final VerbsProvider HARDWARE = new SampleProvider(
            "ibverbs", new Available(List.of(device("mlx5_0")), "port 1 of mlx5_0", Map.of("mlx5_1", PORT_DOWN)));

    @Test
    void deviceOfAnyProviderIsFoundByItsName() {
        assertThat(opened(List.of(HARDWARE, SOFTWARE), auto("iwarp0")).provider).isEqualTo("iwarp");
        assertThat(opened(List.of(HARDWARE, SOFTWARE), auto("mlx5_0")).provider).isEqualTo("ibverbs");
    }

    @Test
    void deviceThatNobodyHasIsAnsweredByWhatEachProviderSays() {
        assertThatThrownBy(() -> ProviderSelection.open(List.of(NO_HARDWARE, SOFTWARE), () -> "", auto("mlx5_0")))
                .isInstanceOf(ProviderUnavailableException.class)
                .hasMessageContainingAll("mlx5_0", "ibverbs", "no RDMA device", "load the driver", "iwarp0")
                .hasMessageContainingAll("-Dverbs.device", "VERBS_DEVICE");
    }

    @Test
    void deviceWithoutActivePortIsRefusedWithItsOwnReason() {
        for (OpenConfig config :
                List.of(auto("mlx5_1"), OpenConfig.provider("ibverbs").withDevice("mlx5_1"))) {
            assertThatThrownBy(() -> ProviderSelection.open(List.of(HARDWARE, SOFTWARE), () -> "", config))
                    .isInstanceOf(ProviderUnavailableException.class)
                    .hasMessageContainingAll("device mlx5_1 has no active port", "plug the cable")
                    .hasMessageNotContaining("port 1 of mlx5_0");
        }
    }

    @Test
    void otherDeviceOfANamedProviderIsTheProvidersToRefuse() {
        OpenConfig config = OpenConfig.provider("iwarp").withDevice("nosuch");
        assertThat(opened(List.of(HARDWARE, SOFTWARE), config).provider).isEqualTo("iwarp");
    }

    @Test
    void selectionSaysFirstWhoCannotBeUsedAndThenWhy() {
        assertThat(opened(List.of(NO_HARDWARE, SOFTWARE), auto("")).selection)
                .isEqualTo("ibverbs cannot be used: no RDMA device (load the driver)");
        assertThat(opened(List.of(HARDWARE, SOFTWARE), auto("")).selection)
                .isEqualTo("first provider with a usable device");
        assertThat(opened(List.of(NO_HARDWARE, SOFTWARE), auto("iwarp0")).selection)
                .startsWith("requested by name");
    }

    @Test
    void withoutAnyProviderItIsSaidWhereOneBelongs() {
        assertThatThrownBy(() -> ProviderSelection.open(List.of(), () -> "", auto("")))
                .isInstanceOf(ProviderUnavailableException.class)
                .hasMessageContainingAll(
                        "panama-verbs-iwarp",
                        "module or class path",
                        "a jlink image with --add-modules" + " org.panamaverbs.iwarp");
    }

    private static OpenConfig auto(String device) {
        return OpenConfig.provider(OpenConfig.AUTO).withDevice(device);
    }

    /** Its device was there when it was asked. */
    @Test
    void providerThatCannotOpenItsDeviceIsPassedOver() {
        ResourceException refusal = new ResourceException("ibv_open_device", "device mlx5_0: EPERM", 1);
        VerbsProvider refusing = new RefusingProvider(refusal);
        Opened opened = opened(List.of(refusing, SOFTWARE), auto(""));
        assertThat(opened.provider).isEqualTo("iwarp");
        assertThat(opened.selection).contains("ibverbs cannot be opened", "mlx5_0: EPERM");
        assertThatThrownBy(() -> ProviderSelection.open(List.of(refusing), () -> "", auto("")))
                .isInstanceOf(ProviderUnavailableException.class)
                .hasMessageContaining("mlx5_0: EPERM")
                .satisfies(e -> assertThat(e.getSuppressed()).containsExactly(refusal));
    }

    /** An option may be another provider's, and a device may go between the question and the open. */
    @Test
    void providerThatRefusesTheConfigIsPassedOver() {
        IllegalArgumentException refusal = new IllegalArgumentException("ibverbs has no option sockets");
        VerbsProvider refusing = new RefusingProvider(refusal);
        Opened opened = opened(List.of(refusing, SOFTWARE), auto(""));
        assertThat(opened.provider).isEqualTo("iwarp");
        assertThat(opened.selection).contains("ibverbs cannot be opened", "no option sockets");
    }

    /** It is the caller's mistake then, and not for want of a device. */
    @Test
    void refusalOfTheConfigIsThrownWhereNoOtherProviderOpens() {
        IllegalArgumentException refusal = new IllegalArgumentException("ibverbs has no option sokcets");
        VerbsProvider refusing = new RefusingProvider(refusal);
        VerbsProvider absent = new SampleProvider("iwarp", NO_DEVICE);
        assertThatThrownBy(() -> ProviderSelection.open(List.of(refusing, absent), () -> "", auto("")))
                .isSameAs(refusal)
                .satisfies(e -> assertThat(e.getSuppressed())
                        .singleElement()
                        .isInstanceOf(ProviderUnavailableException.class)
                        .extracting(Throwable::getMessage)
                        .asString()
                        .contains("load the driver"));
    }

    private record RefusingProvider(RuntimeException refusal) implements VerbsProvider {
        @Override
        public String name() {
            return "ibverbs";
        }

        @Override
        public int priority() {
            return 0;
        }

        @Override
        public Availability availability() {
            return new Available(List.of(device("mlx5_0")));
        }

        @Override
        public Verbs open(OpenConfig config, String selection) {
            throw refusal;
        }
    }

    private static DeviceInfo device(String name) {
        return new DeviceInfo(name, DeviceInfo.Transport.OTHER, "", "", 0, List.of());
    }

    private static Opened opened(List<VerbsProvider> providers, OpenConfig config) {
        return catchThrowableOfType(Opened.class, () -> ProviderSelection.open(providers, () -> "", config));
    }

    /** A provider that answers as it is told and whose devices end in {@link Opened}. */
    private record SampleProvider(String name, Availability availability) implements VerbsProvider {
        @Override
        public int priority() {
            return 0;
        }

        @Override
        public Verbs open(OpenConfig config, String selection) {
            throw new Opened(name, selection);
        }
    }

    private static final class Opened extends RuntimeException {
        private static final long serialVersionUID = 1L;

        final String provider;
        final String selection;

        Opened(String provider, String selection) {
            super(provider + ": " + selection);
            this.provider = provider;
            this.selection = selection;
        }
    }
}

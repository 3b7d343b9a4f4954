package org.panamaverbs.ibverbs.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.device.Availability;
import org.panamaverbs.api.device.Availability.Available;
import org.panamaverbs.api.device.Availability.Unavailable;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.bindings.NativeLibrary;
import org.panamaverbs.ibverbs.facts.Sysfs;
import org.panamaverbs.spi.VerbsProvider;

/** What this machine answers, whatever it has. */
class DeviceAvailabilityTest {
    @Test
    void answersWithDevicesOrWithReasonAndRemedy() {
        switch (DeviceAvailability.now()) {
            case Available available -> {
                assertThat(available.devices())
                        .allMatch(device -> device.ports().stream().anyMatch(port -> port.active()));
                assertThat(available.why())
                        .contains("device " + available.devices().getFirst().name(), "active");
            }
            case Unavailable unavailable -> {
                assertThat(unavailable.reason()).isNotBlank().doesNotContain("cannot be examined");
                assertThat(unavailable.remedy()).isNotBlank();
            }
        }
    }

    @Test
    void machineWithoutRdmaSaysSo() {
        assumeTrue(NativeLibrary.IBVERBS.isPresent() && NativeLibrary.RDMACM.isPresent(), "libibverbs is not here");
        assumeTrue(Sysfs.system().devices().isEmpty(), "there are RDMA devices here");
        assertThat(DeviceAvailability.now()).isInstanceOfSatisfying(Unavailable.class, answer -> {
            assertThat(answer.reason()).isEqualTo("no RDMA device: the kernel has none in /sys/class/infiniband");
            assertThat(answer.remedy()).contains("rdma link add");
        });
    }

    @Test
    void deviceWithoutActivePortIsNamedBesideTheUsableOnes() {
        List<DeviceInfo> usable = new ArrayList<>();
        Map<String, Unavailable> unusable = new LinkedHashMap<>();
        DeviceAvailability.judge(info("rxe0", true), usable, unusable);
        DeviceAvailability.judge(info("rxe1", false), usable, unusable);

        assertThat(DeviceAvailability.answer(usable, unusable)).isInstanceOfSatisfying(Available.class, answer -> {
            assertThat(answer.devices()).extracting(DeviceInfo::name).containsExactly("rxe0");
            assertThat(answer.why()).isEqualTo("device rxe0 (ROCE) with port 1 active");
            assertThat(answer.unusable()).containsOnlyKeys("rxe1");
            assertThat(answer.unusable().get("rxe1"))
                    .extracting(Unavailable::reason)
                    .isEqualTo("device rxe1 has no active port");
        });
        assertThat(DeviceAvailability.answer(List.of(), unusable)).isEqualTo(unusable.get("rxe1"));
    }

    private static DeviceInfo info(String name, boolean active) {
        DeviceInfo.Port port = new DeviceInfo.Port(1, active, 1024, List.of());
        return new DeviceInfo(name, DeviceInfo.Transport.ROCE, "", "", 0, List.of(port));
    }

    @Test
    void providerIsFoundAndRefusesUnknownOptions() {
        VerbsProvider provider = ServiceLoader.load(VerbsProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found -> found.name().equals("ibverbs"))
                .findFirst()
                .orElseThrow();
        assertThat(provider.priority()).isEqualTo(100);
        Availability first = provider.availability();
        assertThat(provider.availability()).isEqualTo(first);
        OpenConfig unknown = OpenConfig.provider("ibverbs").with("nope", "1");
        assertThatThrownBy(() -> provider.open(unknown, "test"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nope")
                .hasMessageContaining("critical");
        OpenConfig wrong = OpenConfig.provider("ibverbs").with("critical", "perhaps");
        assertThatThrownBy(() -> provider.open(wrong, "test"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("auto, on or off");
    }
}

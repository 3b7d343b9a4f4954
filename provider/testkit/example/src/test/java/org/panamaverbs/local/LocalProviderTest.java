package org.panamaverbs.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.module.ModuleDescriptor.Requires;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Availability;

/** How the provider is found, opened and kept to what is exported. */
class LocalProviderTest {
    @Test
    void needsNothingButWhatTheApiAndTheMemoryModuleExport() {
        Module module = LocalProvider.class.getModule();
        assertThat(module.isNamed()).as("compiled and run as a module").isTrue();
        assertThat(module.getDescriptor().requires())
                .extracting(Requires::name)
                .containsExactlyInAnyOrder(
                        "java.base", "org.jspecify", "org.panamaverbs.api", "org.panamaverbs.memory");
    }

    @Test
    void isFoundAsAServiceAndOnce() {
        assertThat(Verbs.providers())
                .filteredOn(report -> report.name().equals("local"))
                .singleElement()
                .satisfies(report -> assertThat(report.availability()).isInstanceOf(Availability.Available.class));
    }

    @Test
    void refusesAnotherDeviceThanItHas() {
        OpenConfig config = OpenConfig.provider("local").withDevice("local7");
        assertThatThrownBy(() -> Verbs.open(config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("local0")
                .hasMessageContaining("local7");
    }

    @Test
    void refusesOptions() {
        OpenConfig config = OpenConfig.provider("local").with("speed", "high");
        assertThatThrownBy(() -> Verbs.open(config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("speed");
    }
}

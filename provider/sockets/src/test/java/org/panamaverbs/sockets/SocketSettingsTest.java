package org.panamaverbs.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.sockets.rules.RdmaUse;
import org.panamaverbs.sockets.rules.SocketRules;

class SocketSettingsTest {
    private static final String UNKNOWN = "verbs.sockets.spins";

    @AfterEach
    void forget() {
        System.clearProperty(RdmaSelectorProvider.PATIENCE_PROPERTY);
        System.clearProperty(RdmaSelectorProvider.SPIN_PROPERTY);
        System.clearProperty(UNKNOWN);
    }

    private static void set(String patience, String spin) {
        System.setProperty(RdmaSelectorProvider.PATIENCE_PROPERTY, patience);
        System.setProperty(RdmaSelectorProvider.SPIN_PROPERTY, spin);
    }

    @Test
    void withoutPropertiesTheyAreThoseOfTheGuide() {
        assertThat(SocketSettings.configured()).isEqualTo(new SocketSettings(200_000_000, 10_000));
    }

    @ParameterizedTest
    @CsvSource({"1, 1000000, 0, 0", "120000, 120000000000, 1000000, 1000000000"})
    void propertiesCountToTheirLimits(String patience, long patienceNanos, String spin, long spinNanos) {
        set(patience, spin);
        assertThat(SocketSettings.configured()).isEqualTo(new SocketSettings(patienceNanos, spinNanos));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "120001", "-1", "soon", "", "10000000000"})
    void aPatienceThatIsNoneIsRefused(String patience) {
        set(patience, "10");
        assertThatThrownBy(SocketSettings::configured)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("verbs.sockets.patience=" + patience + ": expected a number of milliseconds from 1 to"
                        + " 120000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1000001", "-1", "10us", "", " 10"})
    void aSpinThatIsNoneIsRefused(String spin) {
        set("5", spin);
        assertThatThrownBy(SocketSettings::configured)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("verbs.sockets.spin=" + spin + ": expected a number of microseconds from 0 to 1000000");
    }

    @Test
    void aNameThatNoneHasIsRefused() {
        System.setProperty(UNKNOWN, "10");
        assertThatThrownBy(SocketSettings::configured)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown setting verbs.sockets.spins; the settings of sockets are"
                        + " verbs.sockets.net, verbs.sockets.patience, verbs.sockets.rules, verbs.sockets.spin");
    }

    @Test
    void aProviderOverADeviceRefusesThem() {
        set("0", "10");
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"))) {
            assertThatThrownBy(() -> new RdmaSelectorProvider(verbs, SocketRules.always(RdmaUse.AUTO)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("verbs.sockets.patience=0");
            assertThatThrownBy(() -> new RdmaSelectorProvider(verbs))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("verbs.sockets.patience=0");
        }
    }
}

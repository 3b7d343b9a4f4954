package org.panamaverbs.ibverbs.entries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.device.StaticRate;
import org.panamaverbs.bindings.NativeLibrary;
import org.panamaverbs.bindings.ibverbs.Ibverbs;

/** The rates are the library's. */
class StaticRatesTest {
    // Which libibverbs 44 has a code for, and converts to nothing.
    private static final int CONVERTED_SINCE_45 = 23;

    @BeforeAll
    static void library() {
        assumeTrue(NativeLibrary.IBVERBS.isPresent(), "no libibverbs");
    }

    @ParameterizedTest
    @EnumSource
    void eachIsWhatTheLibrarySays(StaticRate rate) {
        int megabits = Ibverbs.ibv_rate_to_mbps(rate.code());
        assumeTrue(megabits >= 0 || rate.code() < CONVERTED_SINCE_45, "older than the rate");
        assertThat(rate.megabits().orElse(-1)).isEqualTo(megabits);
        assertThat(rate.multiple().orElse(-1)).isEqualTo(Ibverbs.ibv_rate_to_mult(rate.code()));
        assertThat(StaticRate.of(rate.code())).isEqualTo(rate);
        if (rate.megabits().isPresent()) {
            assertThat(StaticRate.ofMegabits(megabits)).isEqualTo(rate);
            assertThat(Ibverbs.mbps_to_ibv_rate(megabits)).isEqualTo(rate.code());
        }
        if (rate.multiple().isPresent()) {
            assertThat(StaticRate.ofMultiple(rate.multiple().getAsInt())).isEqualTo(rate);
        }
        assertThat(StaticRate.ofMultiple(-1)).isEqualTo(StaticRate.MAX);
        assertThat(StaticRate.ofMegabits(1)).isEqualTo(StaticRate.MAX);
    }
}

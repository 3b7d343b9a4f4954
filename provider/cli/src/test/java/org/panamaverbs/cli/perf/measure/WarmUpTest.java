package org.panamaverbs.cli.perf.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WarmUpTest {
    @Test
    void isMessagesOrSeconds() {
        assertThat(WarmUp.parse("20000")).isEqualTo(new WarmUp(20_000, 0));
        assertThat(WarmUp.parse("3s")).isEqualTo(new WarmUp(0, 3));
        assertThat(WarmUp.parse("0s")).isEqualTo(WarmUp.parse("0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "-1", "3m", "1.5s", "9999999999"})
    void refusesOtherText(String text) {
        assertThatThrownBy(() -> WarmUp.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("messages, or seconds as in 3s, not '" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, Integer.MAX_VALUE, -1, -Integer.MAX_VALUE})
    void comesOutAsItWentIn(int code) {
        assertThat(WarmUp.ofCode(code).code()).isEqualTo(code);
    }

    @Test
    void hasFewerMessagesOfLongOnes() {
        WarmUp warmUp = new WarmUp(20_000, 0);

        assertThat(warmUp.count(64)).isEqualTo(20_000);
        assertThat(warmUp.count(1 << 20)).isEqualTo(256);
        assertThat(warmUp.count(1 << 23)).isEqualTo(50);
    }

    @Test
    void endsWithItsSeconds() {
        Pace pace = new WarmUp(0, 2).pace(64);

        assertThat(pace.goesOn(0)).isTrue();
        assertThat(pace.goesOn(1_999_999_999L)).isTrue();
        assertThat(pace.goesOn(2_000_000_000L)).isFalse();
    }
}

package org.panamaverbs.cli.perf.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WarmUpTest {
    @Test
    void isMessagesOrSecondsOrUntilCompiled() {
        assertThat(WarmUp.parse("20000")).isEqualTo(new WarmUp.Messages(20_000));
        assertThat(WarmUp.parse("3s")).isEqualTo(new WarmUp.Seconds(3));
        assertThat(WarmUp.parse("0s")).isEqualTo(WarmUp.parse("0"));
        assertThat(WarmUp.parse("compiled")).isEqualTo(new WarmUp.Compiled());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "20000", "3s", "999999999s", "compiled"})
    void isPrintedAsItIsGiven(String text) {
        assertThat(WarmUp.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "-1", "3m", "1.5s", "9999999999", "Compiled", "compiled 3s"})
    void refusesOtherText(String text) {
        assertThatThrownBy(() -> WarmUp.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected messages, seconds as in 3s, or compiled, got '" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, Integer.MAX_VALUE, -1, -Integer.MAX_VALUE, Integer.MIN_VALUE})
    void comesOutAsItWentIn(int code) {
        assertThat(WarmUp.ofCode(code).code()).isEqualTo(code);
    }

    @Test
    void codeOfCompiledIsThatOfNoSeconds() {
        assertThat(new WarmUp.Compiled().code()).isLessThan(new WarmUp.Seconds(Integer.MAX_VALUE).code());
        assertThat(WarmUp.ofCode(Integer.MIN_VALUE)).isEqualTo(new WarmUp.Compiled());
    }

    @Test
    void countsNoMessagesWhereTimeTells() {
        assertThat(new WarmUp.Seconds(3).count(64)).isZero();
        assertThat(new WarmUp.Compiled().count(64)).isZero();
    }

    @Test
    void hasFewerMessagesOfLongOnes() {
        WarmUp warmUp = new WarmUp.Messages(20_000);

        assertThat(warmUp.count(64)).isEqualTo(20_000);
        assertThat(warmUp.count(1 << 20)).isEqualTo(256);
        assertThat(warmUp.count(1 << 23)).isEqualTo(50);
        assertThat(warmUp.count(1 << 25)).isEqualTo(12);
        assertThat(warmUp.count(Integer.MAX_VALUE)).isEqualTo(1);
        assertThat(new WarmUp.Messages(0).count(Integer.MAX_VALUE)).isZero();
    }

    @Test
    void endsWithItsSeconds() {
        Pace pace = new WarmUp.Seconds(2).pace(64);

        assertThat(pace.goesOn(0)).isTrue();
        assertThat(pace.goesOn(1_999_999_999L)).isTrue();
        assertThat(pace.goesOn(2_000_000_000L)).isFalse();
    }

    @Test
    void goesOnInSlicesUntilCompiled() {
        Pace pace = new WarmUp.Compiled().pace(64);

        assertThat(pace.goesOn(0)).isTrue();
        assertThat(pace.goesOn(249_999_999L)).isTrue();
        assertThat(pace.goesOn(250_000_000L)).isFalse();
    }
}

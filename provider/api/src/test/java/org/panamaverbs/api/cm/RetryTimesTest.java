package org.panamaverbs.api.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryTimesTest {
    @ParameterizedTest
    @CsvSource({"1, 1", "10, 1", "11, 2", "640, 12", "641, 13", "1000, 14", "491520, 31", "491521, 0", "655360, 0"})
    void waitForAReceiveIsTheShortestThatIsLongEnough(long micros, int code) {
        Duration wanted = Duration.ofNanos(1_000 * micros);

        RetryTimes times = RetryTimes.defaults().withMinRnrTimer(wanted);

        assertThat(times).isEqualTo(RetryTimes.ofCodes(RetryTimes.UNSET, code));
        assertThat(RetryTimes.rnrWait(code)).isGreaterThanOrEqualTo(wanted);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "8192, 1", "8193, 2", "67108864, 14", "8796093022208, 31"})
    void ackTimeoutIsTheShortestThatIsLongEnough(long nanos, int code) {
        assertThat(RetryTimes.defaults().withAckTimeout(Duration.ofNanos(nanos)))
                .isEqualTo(RetryTimes.ofCodes(code, RetryTimes.UNSET));
    }

    @ParameterizedTest
    @ValueSource(ints = {-2, 32})
    void refusesWhatIsNoCode(int code) {
        assertThatThrownBy(() -> RetryTimes.ofCodes(code, 0))
                .hasMessageContaining("ackTimeout")
                .hasMessageContaining("" + code);
        assertThatThrownBy(() -> RetryTimes.ofCodes(0, code)).hasMessageContaining("minRnrTimer");
        assertThatThrownBy(() -> RetryTimes.rnrWait(code)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesTimesThatNoCodeHas() {
        RetryTimes times = RetryTimes.defaults();
        assertThatThrownBy(() -> times.withMinRnrTimer(Duration.ofMillis(656))).hasMessageContaining("655.36 ms");
        assertThatThrownBy(() -> times.withMinRnrTimer(Duration.ZERO)).hasMessageContaining("positive");
        assertThatThrownBy(() -> times.withAckTimeout(Duration.ofHours(3))).hasMessageContaining("8796 s");
        assertThatThrownBy(() -> times.withAckTimeout(Duration.ofNanos(-1))).hasMessageContaining("positive");
    }
}

package org.panamaverbs.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadlineTest {
    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void zeroAndNegativeAmountsHavePassed(long amount) {
        assertThat(Deadline.in(amount, TimeUnit.SECONDS).passed()).isTrue();
        assertThat(Deadline.in(amount, TimeUnit.SECONDS).remainingNanos()).isZero();
        assertThat(Deadline.in(Duration.ofSeconds(amount)).passed()).isTrue();
    }

    @Test
    void amountsBeyondTheClockNeverPass() {
        assertThat(Deadline.in(Long.MAX_VALUE, TimeUnit.DAYS).unlimited()).isTrue();
        assertThat(Deadline.in(Duration.ofSeconds(Long.MAX_VALUE)).unlimited()).isTrue();
        assertThat(Deadline.never().passed()).isFalse();
        assertThat(Deadline.never().remainingNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void countsDownToTheAmount() {
        Deadline deadline = Deadline.in(1, TimeUnit.HOURS);
        assertThat(deadline.passed()).isFalse();
        assertThat(deadline.remainingNanos()).isBetween(1L, TimeUnit.HOURS.toNanos(1));
    }
}

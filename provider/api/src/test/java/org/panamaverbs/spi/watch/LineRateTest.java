package org.panamaverbs.spi.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LineRateTest {
    // Close to where System.nanoTime() may wrap.
    private static final long BEGIN = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(30);

    private final LineRate rate = new LineRate();

    private int take(long seconds) {
        return rate.take(BEGIN + TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void aMinuteHasTenLines() {
        for (int i = 0; i < LineRate.MOST; i++) {
            assertThat(take(i)).isZero();
        }
        assertThat(take(20)).isEqualTo(LineRate.NONE);
        assertThat(take(59)).isEqualTo(LineRate.NONE);
    }

    @Test
    void theNextLineSaysHowManyWereWithheld() {
        for (int i = 0; i < LineRate.MOST; i++) {
            take(0);
        }
        take(1);
        take(2);
        take(3);

        assertThat(take(60)).isEqualTo(3);
        assertThat(take(60)).isZero();
    }

    @Test
    void anyMinuteHasAtMostTenWheneverItBegins() {
        int written = 0;
        for (int second = 0; second < 600; second++) {
            written += take(second) == LineRate.NONE ? 0 : 1;
        }
        assertThat(written).isEqualTo(10 * LineRate.MOST);
    }
}

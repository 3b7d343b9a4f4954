package org.panamaverbs.bench.loopback.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private static Turns around(double ratio, double spread) {
        return Turns.of(IntStream.range(-20, 21)
                .mapToDouble(i -> ratio + spread * i / 20)
                .toArray());
    }

    @Test
    void aRangeBelowTheLimitMeetsIt() {
        assertThat(around(1.01, 0.02).verdict(2)).isEqualTo("met");
    }

    @Test
    void aRangeAboveTheLimitMissesIt() {
        assertThat(around(1.05, 0.04).verdict(2)).isEqualTo("MISSED");
    }

    @Test
    void aRangeThatCrossesTheLimitDecidesNothing() {
        assertThat(around(1.02, 0.04).verdict(2)).isEqualTo("not decided");
    }

    @Test
    void oneTurnThatWasDisturbedChangesNothing() {
        assertThat(Turns.of(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9).verdict(2)).isEqualTo("met");
    }

    @Test
    void fewTurnsHaveTheirWholeRange() {
        Turns few = Turns.of(1.3, 0.9, 1.0);
        assertThat(few.least()).isEqualTo(0.9);
        assertThat(few.most()).isEqualTo(1.3);
        assertThat(few.text()).isEqualTo("+0.00 % (-10.00 to +30.00)");
    }
}

package org.panamaverbs.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Figures of several rounds, and when they decide something. */
class SpreadTest {
    private static final Spread SPREAD = Spread.of(List.of(1.3, 1.1, 1.2));

    @Test
    void isTheRangeAndTheMedian() {
        assertThat(SPREAD).isEqualTo(new Spread(1.1, 1.2, 1.3));
        assertThat(Spread.of(List.of(4.0, 1.0, 2.0, 8.0)).median()).isEqualTo(3.0);
        assertThat(SPREAD.ratioText()).isEqualTo("1.20 (1.10 to 1.30)");
        assertThat(Spread.of(List.of(1.2)).ratioText()).isEqualTo("1.20");
        assertThat(Spread.of(List.of()).ratioText()).isEmpty();
    }

    @Test
    void decidesIfAllRoundsAreOnOneSide() {
        assertThat(SPREAD.atMost(1.3)).isEqualTo(Verdict.Outcome.MET);
        assertThat(SPREAD.atMost(1.25)).isEqualTo(Verdict.Outcome.UNDECIDED);
        assertThat(SPREAD.atMost(1.05)).isEqualTo(Verdict.Outcome.MISSED);
        assertThat(SPREAD.atLeast(1.1)).isEqualTo(Verdict.Outcome.MET);
        assertThat(SPREAD.atLeast(1.15)).isEqualTo(Verdict.Outcome.UNDECIDED);
        assertThat(SPREAD.atLeast(1.4)).isEqualTo(Verdict.Outcome.MISSED);
    }

    private static Spread medianAround(double ratio, double spread) {
        return Spread.ofMedian(IntStream.range(-20, 21)
                .mapToDouble(i -> ratio + spread * i / 20)
                .toArray());
    }

    @Test
    void aMedianIsDecidedByItsOwnRange() {
        assertThat(medianAround(1.01, 0.02).atMost(1.02)).isEqualTo(Verdict.Outcome.MET);
        assertThat(medianAround(1.05, 0.04).atMost(1.02)).isEqualTo(Verdict.Outcome.MISSED);
        assertThat(medianAround(1.02, 0.04).atMost(1.02)).isEqualTo(Verdict.Outcome.UNDECIDED);
    }

    @Test
    void oneFigureThatWasDisturbedDoesNotChangeTheMedian() {
        assertThat(Spread.ofMedian(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9).atMost(1.02))
                .isEqualTo(Verdict.Outcome.MET);
    }

    @Test
    void theMedianOfFewFiguresHasTheirWholeRange() {
        Spread few = Spread.ofMedian(1.3, 0.9, 1.0);
        assertThat(few).isEqualTo(new Spread(0.9, 1.0, 1.3));
        assertThat(few.percentText()).isEqualTo("+0.00 % (-10.00 to +30.00)");
    }

    @Test
    void isBelowAnotherIfNoRoundIsBeyond() {
        assertThat(SPREAD.below(new Spread(1.35, 1.4, 1.5))).isEqualTo(Verdict.Outcome.MET);
        assertThat(SPREAD.below(new Spread(1.25, 1.4, 1.5))).isEqualTo(Verdict.Outcome.UNDECIDED);
        assertThat(SPREAD.below(new Spread(0.9, 1.0, 1.1))).isEqualTo(Verdict.Outcome.MISSED);
    }

    @Test
    void missesIfOneConditionIsMissed() {
        assertThat(Verdict.Outcome.all(List.of(Verdict.Outcome.MET, Verdict.Outcome.MET)))
                .isEqualTo(Verdict.Outcome.MET);
        assertThat(Verdict.Outcome.all(List.of(Verdict.Outcome.MET, Verdict.Outcome.UNDECIDED)))
                .isEqualTo(Verdict.Outcome.UNDECIDED);
        assertThat(Verdict.Outcome.all(List.of(Verdict.Outcome.MISSED, Verdict.Outcome.UNDECIDED)))
                .isEqualTo(Verdict.Outcome.MISSED);
    }
}

package org.panamaverbs.cli.perf.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Windows by a clock of the test's. */
class PeakRateTest {
    private static final long MILLIS = 1_000_000;
    // The monotonic clock may be negative.
    private static final long BEGUN = -50 * MILLIS;

    @Test
    void windowLastsFromItsFirstPostUntilItsLastArrival() {
        PeakRate peak = new PeakRate(0, 0, BEGUN);

        peak.close(1000, BEGUN + 100 * MILLIS);
        assertThat(peak.awaitsArrival()).isTrue();
        peak.arrived(BEGUN + 200 * MILLIS);

        assertThat(peak.awaitsArrival()).isFalse();
        assertThat(peak.best(0)).isEqualTo(5000);
    }

    @Test
    void messagesThatOnlyBuffersTookAreNoPeak() {
        PeakRate peak = new PeakRate(0, 0, BEGUN);

        // 10,000 go away in the first 100 ms, and take 1 s to arrive; 500 follow meanwhile.
        peak.close(10_000, BEGUN + 100 * MILLIS);
        assertThat(peak.due(10_500, BEGUN + 900 * MILLIS)).isFalse();
        peak.arrived(BEGUN + 1000 * MILLIS);

        assertThat(peak.best(9000)).isEqualTo(10_000);
    }

    @Test
    void nextWindowBeginsWithTheNextMessage() {
        PeakRate peak = new PeakRate(0, 0, BEGUN);
        peak.close(1000, BEGUN + 100 * MILLIS);
        peak.arrived(BEGUN + 150 * MILLIS);

        assertThat(peak.due(2000, BEGUN + 199 * MILLIS)).isFalse();
        assertThat(peak.due(2000, BEGUN + 200 * MILLIS)).isTrue();
        peak.close(2500, BEGUN + 200 * MILLIS);
        peak.arrived(BEGUN + 250 * MILLIS);

        assertThat(peak.best(0)).isEqualTo(1500 / 0.150);
    }

    @Test
    void windowHasATwentiethOfTheMessages() {
        PeakRate peak = new PeakRate(1001, 0, BEGUN);

        assertThat(peak.due(50, BEGUN + 5000 * MILLIS)).isFalse();
        assertThat(peak.due(51, BEGUN + 5000 * MILLIS)).isTrue();
    }

    @Test
    void windowHasATwentiethOfTheTime() {
        PeakRate peak = new PeakRate(0, 10_000 * MILLIS, BEGUN);

        assertThat(peak.due(1, BEGUN + 499 * MILLIS)).isFalse();
        assertThat(peak.due(1, BEGUN + 500 * MILLIS)).isTrue();
    }

    @Test
    void windowOfNoMessagesDoesNotEnd() {
        assertThat(new PeakRate(0, 0, BEGUN).due(0, BEGUN + 5000 * MILLIS)).isFalse();
    }

    @Test
    void averageIsThePeakWhereNoWindowWasBetter() {
        PeakRate peak = new PeakRate(0, 0, BEGUN);
        assertThat(peak.best(7)).isEqualTo(7);

        peak.close(10, BEGUN + 100 * MILLIS);
        peak.arrived(BEGUN + 1000 * MILLIS);

        assertThat(peak.best(11)).isEqualTo(11);
    }
}

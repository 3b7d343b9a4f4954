package org.panamaverbs.cli.perf.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IdleSecondTest {
    private static final long MILLI = 1_000_000;
    // The clock of the virtual machine may begin anywhere, and pass its largest number.
    private static final long BEGUN = Long.MAX_VALUE - 700 * MILLI;

    private final IdleSecond idleSecond = new IdleSecond();

    private boolean ends(long atMillis, long busyMillis) {
        return idleSecond.ends(BEGUN + atMillis * MILLI, busyMillis * MILLI);
    }

    @Test
    void takesASecondAtLeast() {
        assertThat(ends(0, 5000)).isFalse();
        assertThat(ends(500, 5000)).isFalse();
        assertThat(ends(999, 5000)).isFalse();
        assertThat(ends(1000, 5000)).isTrue();
    }

    @Test
    void lessThanATwentiethIsIdle() {
        assertThat(ends(0, 0)).isFalse();
        assertThat(ends(1000, 49)).isTrue();
    }

    @Test
    void aTwentiethIsNot() {
        assertThat(ends(0, 0)).isFalse();
        assertThat(ends(1000, 50)).isFalse();
    }

    @Test
    void forgetsWhatIsOlderThanASecond() {
        assertThat(ends(0, 0)).isFalse();
        assertThat(ends(250, 200)).isFalse();
        assertThat(ends(500, 300)).isFalse();
        assertThat(ends(1250, 310)).isFalse();
        assertThat(ends(1500, 310)).isTrue();
    }

    @Test
    void measuresFromTheLatestSampleThatIsASecondOld() {
        assertThat(ends(0, 0)).isFalse();
        assertThat(ends(3000, 100)).isTrue();
        assertThat(ends(3900, 160)).isTrue();
        assertThat(ends(4000, 160)).isFalse();
    }

    @Test
    void isNoLongerIdleWhenMoreIsCompiled() {
        assertThat(ends(0, 0)).isFalse();
        assertThat(ends(1000, 0)).isTrue();
        assertThat(ends(1250, 70)).isFalse();
        assertThat(ends(2250, 70)).isTrue();
    }
}

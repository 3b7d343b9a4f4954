package org.panamaverbs.examples.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SequenceTest {
    private final Sequence sequence = new Sequence();

    @Test
    void whatComesInOrderHasNoGap() {
        for (long number = 0; number < 3; number++) {
            assertThat(sequence.missingBefore(number)).isZero();
            assertThat(sequence.take(number)).isTrue();
        }

        assertThat(sequence.next()).isEqualTo(3);
        assertThat(sequence.gaps()).isZero();
    }

    @Test
    void aGapIsAsLongAsWhatIsMissing() {
        sequence.take(0);

        assertThat(sequence.missingBefore(5)).isEqualTo(4);
        assertThat(sequence.gaps()).isEqualTo(1);
        assertThat(sequence.missed()).isEqualTo(4);
    }

    @Test
    void nothingIsTakenBeforeItsTurn() {
        assertThatThrownBy(() -> sequence.take(1)).hasMessage("update 1 came before 0");
        assertThat(sequence.next()).isZero();
    }

    @Test
    void whatWasRepeatedIsNotTakenOnceMoreWhenItComes() {
        sequence.take(0);
        sequence.take(1);

        assertThat(sequence.missingBefore(0)).isZero();
        assertThat(sequence.take(0)).isFalse();
        assertThat(sequence.next()).isEqualTo(2);
        assertThat(sequence.gaps()).isZero();
    }

    /** A heartbeat has the number of the update that is not there yet. */
    @Test
    void aHeartbeatShowsThatTheLastOneIsMissing() {
        sequence.take(0);

        assertThat(sequence.missingBefore(1)).isZero();
        assertThat(sequence.missingBefore(2)).isEqualTo(1);
    }
}

package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.iwarp.core.TimerTable.Timer;
import org.panamaverbs.iwarp.wire.Allocation;

/** The timers of a stream. */
class TimerTableTest {
    private final TimerTable table = new TimerTable();

    @Test
    void isEmptyAtFirst() {
        assertThat(table.isAnySet()).isFalse();
        for (Timer timer : Timer.values()) {
            assertThat(table.isSet(timer)).isFalse();
            assertThat(table.isDue(timer, Long.MAX_VALUE)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(Timer.class)
    void earliestIsThatOfTheOnlyTimer(Timer timer) {
        table.set(timer, 100);

        assertThat(table.isAnySet()).isTrue();
        assertThat(table.earliest()).isEqualTo(100);
        assertThat(table.isDue(timer, 99)).isFalse();
        assertThat(table.isDue(timer, 100)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Timer.class)
    void earliestIsTheLeastWhicheverTimerHasIt(Timer least) {
        long deadline = 1_000;
        for (Timer timer : Timer.values()) {
            table.set(timer, deadline++);
        }
        table.set(least, 7);

        assertThat(table.earliest()).isEqualTo(7);
        table.stop(least);
        assertThat(table.earliest()).isGreaterThanOrEqualTo(1_000);
        assertThat(table.isSet(least)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MAX_VALUE - 5, Long.MIN_VALUE + 5})
    void distancesCountWhereTheClockWrapsAround(long now) {
        table.set(Timer.LINGER, now + 20);
        table.set(Timer.LOOK, now + 10);

        assertThat(table.earliest()).isEqualTo(now + 10);
        assertThat(table.isDue(Timer.LOOK, now + 9)).isFalse();
        assertThat(table.isDue(Timer.LOOK, now + 11)).isTrue();
        assertThat(table.isDue(Timer.LINGER, now + 11)).isFalse();
    }

    @Test
    void setsATimerAnew() {
        table.set(Timer.RETRY, 5);
        table.set(Timer.RETRY, 50);

        assertThat(table.earliest()).isEqualTo(50);
    }

    @Test
    void isTakenOnceAndOnlyWhenDue() {
        table.set(Timer.PROBE, 5);

        assertThat(table.take(Timer.PROBE, 4)).isFalse();
        assertThat(table.isSet(Timer.PROBE)).isTrue();
        assertThat(table.take(Timer.PROBE, 6)).isTrue();
        assertThat(table.take(Timer.PROBE, 6)).isFalse();
        assertThat(table.isAnySet()).isFalse();
    }

    @Test
    void allocatesNothing() {
        long bytes = Allocation.bytesPerThousand(() -> {
            table.set(Timer.RETRY, 20);
            table.set(Timer.LINGER, 30);
            if (table.earliest() != 20 || !table.take(Timer.RETRY, 25)) {
                throw new AssertionError("the table has another deadline");
            }
            table.stop(Timer.LINGER);
        });

        assertThat(bytes).isNotPositive();
    }
}

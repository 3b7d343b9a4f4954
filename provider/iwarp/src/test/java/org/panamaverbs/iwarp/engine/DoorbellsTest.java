package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a doorbell waits for more, by the clock of the test. */
class DoorbellsTest {
    private static final long CALL = 5_000;
    private static final long BETWEEN = 1_000;
    private static final long MESSAGE = 88;

    private final Doorbells doorbells = new Doorbells(at -> {});
    // Far from 0, and passing the end of the clock: System.nanoTime() promises neither sign nor origin.
    private long now = Long.MAX_VALUE - 10_000;
    private long weight;

    /** Posts {@code octets} and rings {@code later} ns after what was before; true if that led to a call. */
    private boolean ring(long later, long octets) {
        now += later;
        weight += octets;
        if (doorbells.holdsBack(now, weight)) {
            return false;
        }
        call();
        return true;
    }

    private void call() {
        doorbells.sent(now, now + CALL, weight);
        now += CALL;
    }

    private void pass() {
        doorbells.passes(now);
        now += CALL;
        doorbells.sentByPass(now, weight);
    }

    private void makeBusy() {
        doorbells.passes(now);
        ring(CALL, MESSAGE);
        for (int i = 0; i < Doorbells.STREAK; i++) {
            assertThat(ring(BETWEEN, MESSAGE)).as("doorbell %d", i).isTrue();
        }
    }

    @Test
    void doorbellsThatComeAsLongAfterACallAsItTookAreNeverWithheld() {
        for (int i = 0; i < 100; i++) {
            assertThat(ring(CALL, MESSAGE)).isTrue();
        }
    }

    @Test
    void aFewInARowAreNotWithheld() {
        for (int i = 0; i < 100; i++) {
            for (int k = 0; k < Doorbells.STREAK; k++) {
                assertThat(ring(k == 0 ? CALL : BETWEEN, MESSAGE)).isTrue();
            }
        }
    }

    @Test
    void oneThatTookLongMakesNobodyBusyWhoTakesHisTime() {
        doorbells.sent(now, now + 1_000_000, 0);
        now += 1_000_000;

        for (int i = 0; i < 2 * Doorbells.STREAK; i++) {
            assertThat(ring(Doorbells.HOLD_NANOS, MESSAGE)).isTrue();
        }
    }

    @Test
    void theNextDoorbellsOfABusyQueueAreWithheldUntilTheyAreMany() {
        makeBusy();

        int held = 0;
        while (!ring(10, 1024)) {
            held++;
        }

        assertThat(held).isEqualTo(Doorbells.MOST_WEIGHT / 1024 - 1);
        assertThat(doorbells.areHeld()).isFalse();
    }

    @Test
    void theNextDoorbellsOfABusyQueueAreWithheldForAWhile() {
        makeBusy();
        long end = now;

        while (!ring(500, MESSAGE)) {
            assertThat(now - end).isLessThan(Doorbells.HOLD_NANOS);
        }

        assertThat(now - CALL - end).isEqualTo(Doorbells.HOLD_NANOS);
    }

    @Test
    void whatIsLargeOrAwaitsAnAnswerIsNotWithheld() {
        makeBusy();
        assertThat(ring(BETWEEN, Doorbells.MOST_WEIGHT)).isTrue();

        assertThat(ring(BETWEEN, MESSAGE)).isFalse();
        assertThat(ring(BETWEEN, 1 << 20)).isTrue();
    }

    @Test
    void theFirstPollBehindADoorbellWaitsForMoreAndTheSecondDoesNot() {
        makeBusy();
        pass();
        ring(BETWEEN, MESSAGE);

        assertThat(doorbells.holdsBackPoll(now + 10)).isTrue();
        assertThat(doorbells.holdsBackPoll(now + 20)).isFalse();

        ring(BETWEEN, MESSAGE);
        assertThat(doorbells.holdsBackPoll(now + 10)).isTrue();
    }

    @Test
    void aPollDoesNotWaitLongerThanADoorbellWould() {
        makeBusy();
        ring(BETWEEN, MESSAGE);

        assertThat(doorbells.holdsBackPoll(now + Doorbells.HOLD_NANOS)).isFalse();
    }

    @Test
    void callsForDoorbellsDoNotPutOffThePollThatReceives() {
        makeBusy();
        pass();
        long received = now - CALL;

        for (int i = 0; i < 1000; i++) {
            ring(10, Doorbells.MOST_WEIGHT / 2);
            ring(10, Doorbells.MOST_WEIGHT / 2);
            if (!doorbells.holdsBackPoll(now)) {
                received = now;
                pass();
            }
            assertThat(now - received).isLessThan(Doorbells.HOLD_NANOS + 2 * CALL);
        }
    }

    @Test
    void pollsWithNothingWithheldDoNotWait() {
        assertThat(doorbells.holdsBackPoll(now)).isFalse();
        makeBusy();
        assertThat(doorbells.holdsBackPoll(now)).isFalse();
    }
}

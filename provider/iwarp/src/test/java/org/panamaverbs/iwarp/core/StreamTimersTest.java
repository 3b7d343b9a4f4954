package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Times that are set anew, wherever the clock stands: it may pass from the greatest number to the least. */
class StreamTimersTest {
    private static final long LINGER_NANOS = 100;
    private static final long MOST_NANOS = 10 * LINGER_NANOS;

    private final StreamTimers timers = new StreamTimers(StreamConfig.builder()
            .qpNumber(1)
            .domainId(1)
            .maxSendWr(1)
            .lingerNanos(LINGER_NANOS)
            .build());

    @ParameterizedTest
    @ValueSource(longs = {0, -500, Long.MAX_VALUE - 250, Long.MAX_VALUE - 950})
    void whoDripsHasItsTimeAnewUntilAllOfItIsOver(long start) {
        timers.linger(start);
        for (long passed = 50; passed < MOST_NANOS; passed += 50) {
            timers.renewLinger(false, start + passed);
            assertThat(timers.earliest() - start)
                    .as("after %d", passed)
                    .isEqualTo(Math.min(passed + LINGER_NANOS, MOST_NANOS));
        }
        assertThat(timers.lingerIsOver(start + MOST_NANOS - 1)).isFalse();
        assertThat(timers.lingerIsOver(start + MOST_NANOS)).isTrue();
    }
}

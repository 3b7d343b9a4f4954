package org.panamaverbs.cli.decode.iwarp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.panamaverbs.cli.decode.tcp.Budget;

class StreamBufferTest {
    private static final int SPANS = 200_000;
    private static final Duration PLENTY = Duration.ofSeconds(10);

    private static StreamBuffer buffer(int spans, long firstNanos, long stepNanos) {
        StreamBuffer buffer = new StreamBuffer(new Budget(1L << 30));
        byte[] octet = {1};
        for (int i = 0; i < spans; i++) {
            assertThat(buffer.append(octet, 0, 1, i + 1, firstNanos + i * stepNanos))
                    .isTrue();
        }
        return buffer;
    }

    @Test
    void timeIsThatOfTheLastFrameOfTheOctets() {
        StreamBuffer buffer = buffer(5, 100, 10);

        assertThat(buffer.timeNanos(1)).isEqualTo(100);
        assertThat(buffer.timeNanos(3)).isEqualTo(120);
        buffer.drop(2);
        assertThat(buffer.timeNanos(1)).isEqualTo(120);
        assertThat(buffer(3, -10, 2).timeNanos(2)).as("before 1970").isEqualTo(-8);
    }

    /** Captures whose timestamps were taken away have 0 in all of them. */
    @Test
    void timesThatAreAllZeroCostNoMoreThanOthers() {
        StreamBuffer buffer = buffer(SPANS, 0, 0);

        assertTimeoutPreemptively(PLENTY, () -> {
            for (int i = 0; i < SPANS; i++) {
                assertThat(buffer.timeNanos(1)).isZero();
            }
        });
    }
}

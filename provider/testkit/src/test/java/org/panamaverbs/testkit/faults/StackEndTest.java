package org.panamaverbs.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StackEndTest {
    private int calls;
    private int whole;

    @Test
    void someCallsOverflowAndSomeDoNot() throws InterruptedException {
        int overflows = StackEnd.overflows(() -> {
            calls++;
            deeper(20);
            whole++;
        });

        assertThat(overflows).isPositive();
        assertThat(whole).isPositive();
        assertThat(calls).isEqualTo(overflows + whole);
    }

    private static int deeper(int frames) {
        return frames == 0 ? 0 : deeper(frames - 1) + 1;
    }
}

package org.panamaverbs.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StackEndTest {
    /** 0, and the powers of two to 1024. */
    private static final int DEPTHS = 12;

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
        // A call may fail before its first statement, or by what could not be linked where the stack ended.
        assertThat(calls).isBetween(whole, DEPTHS);
        assertThat(overflows + whole).isLessThanOrEqualTo(DEPTHS);
    }

    private static int deeper(int frames) {
        return frames == 0 ? 0 : deeper(frames - 1) + 1;
    }
}

package org.panamaverbs.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StackEndTest {
    private static final int FAILING = 100;

    private int calls;

    @Test
    void tellsOfACallThatFailsAtOneDepthAndTriesTheRest() {
        AssertionError failure = new AssertionError("one depth");

        assertThatThrownBy(() -> StackEnd.each(() -> {
                    calls++;
                    if (calls == FAILING) {
                        throw failure;
                    }
                }))
                .isInstanceOf(AssertionError.class)
                .hasCause(failure);
        assertThat(calls).isGreaterThan(FAILING);
    }
}

package org.panamaverbs.api.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TerminateGuideTest {
    /** It has them by name, so that the compiler sees neither a reason too few nor one that is gone. */
    @Test
    void speaksOfEachReasonAndOfNothingElse() {
        assertThat(TerminateGuide.reasons())
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(TerminateReason.values()).map(Enum::name).toList());
    }

    @Test
    void saysSomethingOfEach() {
        assertThat(TerminateReason.values()).allSatisfy(reason -> {
            assertThat(reason.usualCause()).isNotBlank();
            assertThat(reason.remedy()).isNotBlank();
        });
    }
}

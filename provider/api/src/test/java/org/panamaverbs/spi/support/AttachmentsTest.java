package org.panamaverbs.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AttachmentsTest {
    private final Attachments attachments = new Attachments();

    @Test
    void findsWhatWasPutAndNothingElse() {
        assertThat(attachments.isEmpty()).isTrue();
        assertThat(attachments.of(0)).isNull();
        Attachments.Entry entry = attachments.put(0, "zero");
        assertThat(attachments.isEmpty()).isFalse();
        assertThat(attachments.of(0)).isEqualTo("zero");
        assertThat(attachments.of(16)).isNull();
        assertThat(attachments.remove(entry)).isTrue();
        assertThat(attachments.of(0)).isNull();
        assertThat(attachments.isEmpty()).isTrue();
    }

    @Test
    void whoHadANumberBeforeDoesNotRemoveWhoHasItNow() {
        Object same = new Object();
        Attachments.Entry before = attachments.put(7, same);
        Attachments.Entry now = attachments.put(7, same);
        assertThat(attachments.has(before)).isFalse();
        assertThat(attachments.remove(before)).isFalse();
        assertThat(attachments.of(7)).isSameAs(same);
        assertThat(attachments.has(now)).isTrue();
        assertThat(attachments.removeNumber(7)).isTrue();
        assertThat(attachments.remove(now)).isFalse();
        assertThat(attachments.isEmpty()).isTrue();
    }

    @Test
    void isAMapOfNumbersHoweverMuchComesAndGoes() {
        Map<Integer, Object> expected = new HashMap<>();
        Map<Integer, Attachments.Entry> entries = new HashMap<>();
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 200_000; i++) {
            // Numbers as devices give them out, 24 bits, some with low bits of their own.
            int number = random.nextInt(3_000) << ((i & 1) * 8);
            if (random.nextInt(3) != 0) {
                expected.put(number, i);
                entries.put(number, attachments.put(number, i));
            } else if (expected.remove(number) != null) {
                assertThat(attachments.remove(Objects.requireNonNull(entries.get(number))))
                        .isTrue();
            }
            int asked = random.nextInt(3_000) << ((i & 1) * 8);
            assertThat(attachments.of(asked)).isEqualTo(expected.get(asked));
        }
        expected.forEach((number, its) -> assertThat(attachments.of(number)).isEqualTo(its));
    }
}

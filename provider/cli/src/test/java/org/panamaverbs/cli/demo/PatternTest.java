package org.panamaverbs.cli.demo;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatternTest {
    private static final int LENGTH = 67;
    private final MemorySegment segment = MemorySegment.ofArray(new byte[100]);

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 7, 64, 66})
    void findsEachOctetThatDiffers(long index) {
        Pattern.fill(segment, 3, LENGTH, 42);
        assertThat(Pattern.difference(segment, 3, LENGTH, 42)).isNull();

        segment.set(JAVA_BYTE, 3 + index, (byte) ~segment.get(JAVA_BYTE, 3 + index));

        assertThat(Pattern.difference(segment, 3, LENGTH, 42)).startsWith("byte " + index + " of 67 is 0x");
    }

    @Test
    void fillsNothingBeyondItsLength() {
        segment.fill(Pattern.BLANK);
        Pattern.fill(segment, 0, LENGTH, 7);
        assertThat(Pattern.notBlank(segment, LENGTH, 100 - LENGTH)).isNull();

        segment.set(JAVA_BYTE, LENGTH + 2, (byte) 1);

        assertThat(Pattern.notBlank(segment, LENGTH, 100 - LENGTH))
                .isEqualTo("the byte 2 after the end was overwritten with 0x01");
    }

    @Test
    void differsFromSeedToSeed() {
        Pattern.fill(segment, 0, LENGTH, 1);

        assertThat(Pattern.difference(segment, 0, LENGTH, 2)).isNotNull();
    }
}

package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.panamaverbs.iwarp.engine.device.RandomInts;
import org.panamaverbs.iwarp.wire.Statistics;
import org.panamaverbs.testkit.Requirement;

/** The numbers that STags are made of, from the system's own source: the bounds are never met by chance. */
class StagSourceTest {
    private static final int NUMBERS = 65_536;

    private static int[] draw() {
        RandomInts source = new RandomInts(new SecureRandom());
        int[] numbers = new int[NUMBERS];
        for (int i = 0; i < NUMBERS; i++) {
            numbers[i] = source.getAsInt();
        }
        return numbers;
    }

    @Test
    @Requirement("RDMAP-8.1.1-8-01")
    void isEvenAndTellsNothingOfTheNext() {
        int[] numbers = draw();
        for (int shift = 0; shift < 32; shift += 8) {
            long[] counts = new long[256];
            for (int number : numbers) {
                counts[number >>> shift & 0xFF]++;
            }
            assertThat(Statistics.chiSquare(counts)).isLessThan(Statistics.CHI_SQUARE_255);
        }
        assertThat(Math.abs(Statistics.serialCorrelation(numbers))).isLessThan(Statistics.correlationBound(NUMBERS));
    }

    @Test
    void twoContextsHaveNothingInCommon() {
        int[] first = draw();
        int[] second = draw();
        int same = 0;
        for (int i = 0; i < NUMBERS; i++) {
            same += first[i] == second[i] ? 1 : 0;
        }
        // Two and more of 65,536 pairs happen once in 10^9 runs or so.
        assertThat(same).isLessThan(2);
    }
}

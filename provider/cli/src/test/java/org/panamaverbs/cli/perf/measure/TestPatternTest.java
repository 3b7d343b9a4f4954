package org.panamaverbs.cli.perf.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestPatternTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 255, 65_535, 65_536, 65_537, 400_001})
    void eachOctetTellsWhereItBelongs(int length) {
        byte[] octets = new byte[length + 1];
        TestPattern.fill(MemorySegment.ofArray(octets), length);

        byte[] expected = new byte[length + 1];
        for (int i = 0; i < length; i++) {
            expected[i] = TestPattern.octet(i);
        }
        assertThat(Arrays.mismatch(octets, expected)).isEqualTo(-1);
    }
}

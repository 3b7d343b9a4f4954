package org.panamaverbs.cli.perf.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ControlTest {
    @ParameterizedTest
    @CsvSource({"1, 8", "8, 8", "9, 16", "8388608, 8388608", "2147483647, 2147483648"})
    void wordsBeginBehindTheMessage(int largest, long base) {
        assertThat(Control.baseBehind(largest)).isEqualTo(base);
    }
}

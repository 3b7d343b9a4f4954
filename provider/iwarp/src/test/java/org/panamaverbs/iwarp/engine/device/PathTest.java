package org.panamaverbs.iwarp.engine.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathTest {
    @ParameterizedTest
    @CsvSource({"1500, 1448", "9000, 8948", "65536, 65483", "0, 1448", "-1, 1448", "68, 524"})
    void takesHeadersOffTheMtu(int mtu, int segment) {
        assertThat(Path.segmentBytes(mtu, Path.IPV4_HEADERS)).isEqualTo(segment);
    }
}

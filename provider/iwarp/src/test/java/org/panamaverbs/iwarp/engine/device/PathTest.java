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

    // 22016, 32741 and 32768 are half of windows that TCP announces on the loopback interface.
    @ParameterizedTest
    @CsvSource({
        "0, 1448, 1448",
        "524, 1448, 524",
        "1348, 1448, 1348",
        "1460, 1448, 1460",
        "16383, 65483, 16383",
        "22016, 65483, 65483",
        "32741, 65483, 65483",
        "32731, 65463, 65463",
        "32768, 65483, 65483",
        "65483, 65483, 65483"
    })
    void takesWhatTcpReportsUnlessThatIsHalfOfAWindow(int reported, int derived, int segment) {
        assertThat(Path.effective(reported, derived)).isEqualTo(segment);
    }
}

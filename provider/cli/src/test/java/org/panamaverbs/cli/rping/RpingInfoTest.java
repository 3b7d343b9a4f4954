package org.panamaverbs.cli.rping;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class RpingInfoTest {
    private static final RpingInfo SAMPLE = new RpingInfo(0xFFFF_7F01_2345_6780L, 0xCAFE_0102, 65_536);
    private static final String SAMPLE_OCTETS = "ffff7f0123456780" + "cafe0102" + "00010000";

    @Test
    void encodesBigEndianWithoutPadding() {
        MemorySegment segment = MemorySegment.ofArray(new byte[RpingInfo.BYTES]);

        SAMPLE.encode(segment);

        assertThat(HexFormat.of().formatHex(segment.toArray(JAVA_BYTE))).isEqualTo(SAMPLE_OCTETS);
    }

    @Test
    void decodesWhatThePeerSent() {
        MemorySegment segment = MemorySegment.ofArray(HexFormat.of().parseHex(SAMPLE_OCTETS));

        assertThat(RpingInfo.decode(segment)).isEqualTo(SAMPLE);
    }
}

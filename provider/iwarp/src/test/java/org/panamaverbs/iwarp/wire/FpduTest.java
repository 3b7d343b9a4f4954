package org.panamaverbs.iwarp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.testkit.Requirement;

class FpduTest {
    @ParameterizedTest
    @CsvSource({
        "536, 530, 522",
        "1220, 1214, 1202",
        "1440, 1434, 1422",
        "1448, 1442, 1430",
        "1460, 1454, 1442",
        "1461, 1454, 1442",
        "1462, 1454, 1442",
        "1463, 1454, 1442",
        "8948, 8942, 8870",
        "8960, 8954, 8882",
        "65483, 64768, 64768",
        "65495, 64768, 64768",
        "0, 128, 128",
        "100, 128, 128",
        "134, 128, 128",
        "140, 134, 130",
        "64776, 64768, 64262",
    })
    @Requirement({"MPA-4.5-01", "MPA-4.5-02", "MPA-4.5-05"})
    void derivesMulpduFromEmss(int emss, int plain, int withMarkers) {
        assertThat(Fpdu.mulpdu(emss, false)).isEqualTo(plain);
        assertThat(Fpdu.mulpdu(emss, true)).isEqualTo(withMarkers);
    }

    @Test
    void fitsOneSegmentAtTheMulpdu() {
        for (int emss = 160; emss < 20_000; emss++) {
            assertThat(Fpdu.size(Fpdu.mulpdu(emss, false))).isLessThanOrEqualTo(emss);
            int withMarkers = Fpdu.size(Fpdu.mulpdu(emss, true));
            // The worst position is a marker right in front; the turn of an FPDU always begins on a multiple of four.
            assertThat(Markers.sizeWithMarkers(0, withMarkers)).isLessThanOrEqualTo(emss);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "14, 0, 20",
        "18, 0, 24",
        "22, 0, 28",
        "26, 0, 32",
        "30, 0, 36",
        "46, 0, 52",
        "38, 0, 44",
        "42, 0, 48",
        "70, 0, 76",
        "23, 3, 32",
        "21, 1, 28",
        "0, 2, 8",
        "1, 1, 8",
        "2, 0, 8",
        "65535, 3, 65544",
    })
    @Requirement({"MPA-4.1-01", "MPA-4.1-05"})
    void sizesControlMessagesAndPads(int ulpduLength, int pad, int size) {
        assertThat(Fpdu.pad(ulpduLength)).isEqualTo(pad);
        assertThat(Fpdu.size(ulpduLength)).isEqualTo(size);
        assertThat(Fpdu.crcOffset(ulpduLength)).isEqualTo(size - Fpdu.CRC_BYTES);
    }

    @Test
    @Requirement("MPA-4.1-05")
    void boundsFpduSizes() {
        assertThat(Fpdu.size(DdpHeader.TAGGED_BYTES)).isEqualTo(Fpdu.MIN_BYTES);
        assertThat(Fpdu.size(Fpdu.MAX_ULPDU)).isEqualTo(Fpdu.MAX_BYTES);
        for (int length = 0; length <= Fpdu.MAX_ULPDU; length++) {
            assertThat(Fpdu.size(length) & 3).isZero();
            assertThat(Fpdu.pad(length)).isBetween(0, Fpdu.MAX_PAD);
        }
    }

    @Test
    @Requirement("MPA-4.1-03")
    void writesLengthAndPadAtAnyOffset() {
        byte[] bytes = new byte[16];
        java.util.Arrays.fill(bytes, (byte) 0xEE);
        MemorySegment segment = MemorySegment.ofArray(bytes);
        Fpdu.emitLength(segment, 3, 0xFEDC);
        assertThat(bytes).startsWith(0xEE, 0xEE, 0xEE, 0xFE, 0xDC, 0xEE);
        assertThat(Fpdu.ulpduLength(segment, 3)).isEqualTo(0xFEDC);
        assertThat(Fpdu.emitPad(segment, 9, 3)).isEqualTo(3);
        assertThat(bytes).endsWith(0xEE, 0x00, 0x00, 0x00, 0xEE, 0xEE, 0xEE, 0xEE);
        assertThat(Fpdu.emitPad(segment, 12, 2)).isZero();
        assertThat(bytes[12]).isEqualTo((byte) 0xEE);
    }
}

package org.panamaverbs.iwarp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.testkit.Requirement;

class MarkersTest {
    @ParameterizedTest
    @CsvSource({
        "0, 48, 1", // on a marker: the leading one
        "0, 508, 1", // ends right in front of the next, which is left to the FPDU after
        "0, 512, 2",
        "4, 508, 0",
        "4, 512, 1", // the marker stands between pad and CRC
        "0x1ec, 48, 1",
        "508, 4, 0",
        "508, 8, 1",
        "512, 20, 1",
        "0xfffffffffffffe00, 20, 1",
        "0, 1524, 3",
        "0, 1528, 4",
    })
    @Requirement({"MPA-4.3-02", "MPA-4.3-04"})
    void countsMarkersOfAnFpdu(String position, int fpduBytes, int count) {
        long at = parse(position);
        assertThat(Markers.count(at, fpduBytes)).isEqualTo(count);
        assertThat(Markers.sizeWithMarkers(at, fpduBytes)).isEqualTo(fpduBytes + 4 * count);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 511",
        "4, 508",
        "511, 1",
        "512, 0",
        "0x80000000, 0",
        "0xfffffffc, 4",
        "0x100000000, 0",
        "0x100000004, 508",
        "0x1234567890, 368",
        "0xfffffffffffffffc, 4"
    })
    @Requirement({"MPA-4.3-02", "MPA-4.3-04"})
    void findsTheNextMarker(String position, int bytes) {
        assertThat(Markers.bytesToNext(parse(position))).isEqualTo(bytes);
        assertThat(Markers.isDue(parse(position))).isEqualTo(bytes == 0);
    }

    @Test
    @Requirement("MPA-4.3-03")
    void pointsBackAtUlpduLength() {
        assertThat(Markers.fpduPointer(0, 0)).isZero();
        assertThat(Markers.fpduPointer(0, 1)).isEqualTo(508);
        assertThat(Markers.fpduPointer(0, 2)).isEqualTo(1020);
        assertThat(Markers.fpduPointer(0x1EC, 0)).isEqualTo(0x14);
        assertThat(Markers.fpduPointer(0x1EC, 1)).isEqualTo(0x214);
    }

    @Test
    @Requirement({"MPA-4.2-01", "MPA-4.2-02"})
    void ignoresTheReservedHalf() {
        MemorySegment marker = MemorySegment.ofArray(new byte[] {0x12, 0x34, (byte) 0xFE, (byte) 0xDC});
        assertThat(Markers.fpduPointer(marker, 0)).isEqualTo(0xFEDC);
        Markers.emit(marker, 0, 0xABCD);
        assertThat(Octets.copyOf(marker, 0, 4)).hasToString("0000abcd");
    }

    @Test
    @Requirement("MPA-4.3-02")
    void putsMarkersWhereTheByteByByteRuleDoes() {
        Random random = new Random(5044);
        long position = 0;
        for (int round = 0; round < 2_000; round++) {
            byte[] ulpdu = new byte[random.nextInt(4) == 0 ? random.nextInt(5_000) : random.nextInt(600)];
            random.nextBytes(ulpdu);
            byte[] wire = Framing.fpduWithMarkers(position, ulpdu);
            assertThat(wire).hasSize(bytesByRule(position, Fpdu.size(ulpdu.length)));
            assertThat(Octets.of(Framing.open(wire, true, position))).isEqualTo(Octets.of(ulpdu));
            assertThat(Octets.of(Framing.fpduWithMarkers(position % 512, ulpdu)))
                    .isEqualTo(Octets.of(wire));
            position += wire.length;
        }
    }

    private static int bytesByRule(long position, int fpduBytes) {
        long at = position;
        for (int sent = 0; sent < fpduBytes; sent++) {
            if (at % 512 == 0) {
                at += 4;
            }
            at++;
        }
        return (int) (at - position);
    }

    private static long parse(String number) {
        return number.startsWith("0x") ? Long.parseUnsignedLong(number.substring(2), 16) : Long.parseLong(number);
    }
}

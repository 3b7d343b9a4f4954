package org.panamaverbs.sockets.rsocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Private data as rdma-core 44.0 has sent it over siw, and what no peer may send. */
class ConnectDataTest {
    private static final String OF_C = "01020180" + "00000000" + "000055d616f85000" + "549efd00" + "00000002"
            + "000055d616f87000" + "8658bb00" + "00010000";

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    @Test
    void readsWhatRdmaCoreSends() {
        assertThat(ConnectData.fault(hex(OF_C))).isNull();
        assertThat(ConnectData.decode(hex(OF_C)))
                .isEqualTo(new ConnectData(
                        false, 384, 0, 0x55d616f85000L, 0x549efd00, 2, 0x55d616f87000L, 0x8658bb00, 65536));
    }

    @Test
    void writesWhatRdmaCoreSends() {
        var own = new OwnBuffers(0x55d616f85000L, 0x549efd00, 0x55d616f87000L, 0x8658bb00, 65536, 384, 0);
        assertThat(own.connectData(false).encode()).isEqualTo(hex(OF_C));
        assertThat(own.connectData(true).encode()[1]).isEqualTo((byte) 3);
    }

    @Test
    void tellsThatAReplyMayComeInPieces() {
        byte[] request = ConnectData.takingPieces(hex(OF_C));
        assertThat(HexFormat.of().formatHex(request)).startsWith(ConnectData.TAKES_PIECES);
        assertThat(OF_C).doesNotStartWith(ConnectData.TAKES_PIECES);
        assertThat(ConnectData.fault(request)).isNull();
        assertThat(ConnectData.decode(request)).isEqualTo(ConnectData.decode(hex(OF_C)));
    }

    @Test
    void ignoresThePaddingOfInfiniBand() {
        byte[] padded = java.util.Arrays.copyOf(hex(OF_C), 196);
        assertThat(ConnectData.fault(padded)).isNull();
        assertThat(ConnectData.decode(padded)).isEqualTo(ConnectData.decode(hex(OF_C)));
    }

    @Test
    void scalesTheEntriesOfTheIomap() {
        byte[] data = hex(OF_C);
        data[7] = (byte) 128;
        assertThat(ConnectData.decode(data).iomapEntries()).isEqualTo(128);
        data[7] = (byte) 0x82;
        assertThat(ConnectData.decode(data).iomapEntries()).isEqualTo(512);
        assertThat(ConnectData.decode(data).encode()).isEqualTo(data);
        data[1] = 0;
        assertThat(ConnectData.decode(data).iomapEntries()).isZero();
    }

    @Test
    void tellsOfNoMoreIomapsThanItsOctetCan() {
        assertThat(ConnectData.countedIomaps(0)).isZero();
        assertThat(ConnectData.countedIomaps(128)).isEqualTo(128);
        assertThat(ConnectData.countedIomaps(255)).isEqualTo(128);
        assertThat(ConnectData.countedIomaps(600)).isEqualTo(512);
        assertThat(ConnectData.countedIomaps(ConnectData.MOST_IOMAPS)).isEqualTo(ConnectData.MOST_IOMAPS);
        for (int entries : new int[] {1, 128, 512, ConnectData.MOST_IOMAPS}) {
            OwnBuffers own = new OwnBuffers(0x1000, 1, 0x2000, 1, 65536, 384, entries);
            assertThat(ConnectData.decode(own.connectData(false).encode()).iomapEntries())
                    .isEqualTo(entries);
        }
    }

    @Test
    void refusesIomapsBeyondTheAddresses() {
        byte[] data = hex(OF_C);
        System.arraycopy(hex("ffffffffffffffe0"), 0, data, 8, 8);
        assertThat(ConnectData.fault(data)).isNull();
        data[7] = 1;
        assertThat(ConnectData.fault(data)).contains("table at address 0xffffffffffffffe0");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 00, version 0", // of another program, or padding
        "0, 02, version 2",
        "2, 0000, no credits",
        "20, 00000000, table of 0 entries",
        "20, 00000001, table of 1 entries",
        "20, ffffffff, table of 4294967295 entries",
        "8, 0000000000000000, table at address 0x0",
        "8, ffffffffffffffe1, table at address 0xffffffffffffffe1",
        "24, 0000000000000000, buffer at address 0x0",
        "24, ffffffffffff0001, buffer at address 0xffffffffffff0001",
        "36, 00000000, buffer of 0 bytes",
        "36, 80000000, buffer of 2147483648 bytes",
    })
    void refusesWhatNoPeerMaySay(int offset, String octets, String reason) {
        byte[] data = hex(OF_C);
        byte[] wrong = hex(octets);
        System.arraycopy(wrong, 0, data, offset, wrong.length);
        assertThat(ConnectData.fault(data)).contains(reason);
    }

    @Test
    void takesBuffersThatEndWithTheAddresses() {
        byte[] data = hex(OF_C);
        System.arraycopy(hex("ffffffffffff0000"), 0, data, 24, 8);
        assertThat(ConnectData.fault(data)).isNull();
    }

    @Test
    void refusesFewerOctets() {
        assertThat(ConnectData.fault(new byte[0])).contains("0 bytes");
        assertThat(ConnectData.fault(java.util.Arrays.copyOf(hex(OF_C), 39))).contains("39 bytes");
    }
}

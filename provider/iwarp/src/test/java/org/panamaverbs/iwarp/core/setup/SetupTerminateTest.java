package org.panamaverbs.iwarp.core.setup;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.iwarp.wire.Framing;

/** The Terminate of a connection that gets no stream. */
class SetupTerminateTest {
    // Layer 2, type 0, code 5, the only segment of queue 2.
    private static final byte[] ULPDU =
            HexFormat.of().parseHex("4147" + "00000000" + "00000002" + "00000001" + "00000000" + "20050000");

    @ParameterizedTest
    @CsvSource({"true, false", "true, true", "false, false", "false, true"})
    void initiatorHasOneFpdu(boolean crc, boolean markers) {
        ByteBuffer octets = SetupTerminate.octets(agreed(true, crc, markers));

        byte[] expected = markers ? Framing.fpduWithMarkers(0, ULPDU) : Framing.fpdu(ULPDU);
        int end = crc ? expected.length : expected.length - Integer.BYTES;
        assertThat(octets.remaining()).isEqualTo(expected.length);
        assertThat(octets.limit(end)).isEqualTo(ByteBuffer.wrap(expected, 0, end));
    }

    @Test
    void responderHasNothingToSay() {
        assertThat(SetupTerminate.octets(agreed(false, true, true)).hasRemaining())
                .isFalse();
    }

    private static Negotiated agreed(boolean initiator, boolean crc, boolean markersOut) {
        return Negotiated.builder(initiator)
                .crc(crc)
                .markersOut(markersOut)
                .depths(1)
                .emss(1460)
                .build();
    }
}

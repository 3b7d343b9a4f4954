package org.panamaverbs.api.cm.outofband;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;

/** The form in which endpoints are exchanged, byte by byte, and what is refused of it. */
class QueuePairEndpointTest {
    private static final RemoteBuffer BUFFER =
            RemoteBuffer.of(0x01020304, 0x1122334455667788L, 4096, Access.REMOTE_WRITE);
    private static final QueuePairEndpoint ENDPOINT = new QueuePairEndpoint(
            QueuePairType.RC,
            0xABCDEF,
            0x123456,
            0,
            0xBEEF,
            Gid.of(InetAddress.ofLiteral("192.0.2.1")),
            1024,
            16,
            4,
            List.of(BUFFER));
    private static final String HEADER = "5056515001020300" + "00abcdef" + "00123456" + "00000000" + "beef1004"
            + "00000000000000000000ffffc0000201" + "00010000";

    @Test
    void formIsTheDocumentedOne() {
        String rights = HexFormat.of().toHexDigits(Access.mask(Access.REMOTE_WRITE));
        assertThat(HexFormat.of().formatHex(ENDPOINT.encode()))
                .isEqualTo(HEADER + "01020304" + rights + "1122334455667788" + "0000000000001000");
    }

    @Test
    void comesBackAsItWas() throws IOException {
        QueuePairEndpoint datagrams =
                new QueuePairEndpoint(QueuePairType.UD, 1, 0, 0x80010000, 0, new Gid(-1, -2), 4096, 0, 0, List.of());
        for (QueuePairEndpoint each : List.of(ENDPOINT, datagrams)) {
            assertThat(QueuePairEndpoint.read(new ByteArrayInputStream(each.encode())))
                    .isEqualTo(each);
            assertThat(QueuePairEndpoint.decode(ByteBuffer.wrap(each.encode()))).isEqualTo(each);
        }
    }

    @Test
    void readsNoOctetMore() throws IOException {
        byte[] form = ENDPOINT.encode();
        byte[] longer = Arrays.copyOf(form, form.length + 3);
        ByteArrayInputStream stream = new ByteArrayInputStream(longer);
        QueuePairEndpoint.read(stream);
        assertThat(stream.available()).isEqualTo(3);
        ByteBuffer octets = ByteBuffer.wrap(longer);
        QueuePairEndpoint.decode(octets);
        assertThat(octets.remaining()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 51, it begins with 0x51565150",
        "4, 02, 'version 2, expected 1'",
        "5, 05, queue pair type is 5",
        "5, 09, queue pair type is 9",
        "6, 00, pathMtuBytes must be",
        "6, 06, pathMtuBytes must be",
        "7, 01, after the MTU is not 0",
        "8, 01, 'qpNumber must be 0 to 16777215'",
        "12, ff, 'psn must be 0 to 16777215'",
        "40, 01, announces 257 buffers",
        "41, 21, announces 33 buffers",
        "43, 01, after the number of buffers are not 0",
        "48, 80, unknown rights",
        "60, 80, expected at most 2^63 - 1"
    })
    void refusesWhatIsNoEndpoint(int offset, String octet, String message) {
        byte[] form = ENDPOINT.encode();
        form[offset] = (byte) HexFormat.fromHexDigits(octet);
        assertThatThrownBy(() -> QueuePairEndpoint.read(new ByteArrayInputStream(form)))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining(message)
                .extracting(thrown -> ((ConnectionException) thrown).reason())
                .isEqualTo(Reason.PROTOCOL);
        ByteBuffer octets = ByteBuffer.wrap(form);
        assertThatThrownBy(() -> QueuePairEndpoint.decode(octets)).hasMessageContaining(message);
        assertThat(octets.position()).isZero();
    }

    @Test
    void refusesWhatIsCutOff() {
        byte[] form = ENDPOINT.encode();
        for (int length = 0; length < form.length; length++) {
            byte[] cut = Arrays.copyOf(form, length);
            assertThatThrownBy(() -> QueuePairEndpoint.read(new ByteArrayInputStream(cut)))
                    .isInstanceOf(ConnectionException.class)
                    .extracting(thrown -> ((ConnectionException) thrown).reason())
                    .isEqualTo(Reason.RESET);
            assertThatThrownBy(() -> QueuePairEndpoint.decode(ByteBuffer.wrap(cut)))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("it has " + length + " bytes");
        }
    }

    @Test
    void longestFormIsShorterThanAnyStreamsBuffer() {
        QueuePairEndpoint longest = with(Collections.nCopies(QueuePairEndpoint.MAX_BUFFERS, BUFFER));
        assertThat(longest.encode()).hasSize(812);
        assertThatThrownBy(() -> with(Collections.nCopies(QueuePairEndpoint.MAX_BUFFERS + 1, BUFFER)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be 0 to 32, got 33");
    }

    private static QueuePairEndpoint with(List<RemoteBuffer> buffers) {
        return new QueuePairEndpoint(QueuePairType.RC, 1, 1, 0, 1, new Gid(0, 0), 256, 1, 1, buffers);
    }
}

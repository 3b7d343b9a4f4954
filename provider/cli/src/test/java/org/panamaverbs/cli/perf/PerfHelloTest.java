package org.panamaverbs.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.perf.measure.PerfOptions;
import org.panamaverbs.cli.perf.measure.PerfTest;
import org.panamaverbs.cli.perf.measure.WarmUp;
import org.panamaverbs.memory.RemoteBuffer;

class PerfHelloTest {
    // InfiniBand's private data of a connection request, less the connection manager's header
    private static final int ROOM = 56;

    private static final PerfHello HELLO = new PerfHello(
            PerfTest.SEND_BW,
            new PerfOptions.Mode(true, true, true, Duration.ZERO),
            new PerfHello.Origin(-5, 2, 16_384),
            true,
            1 << 23,
            new PerfOptions.Span(Integer.MAX_VALUE, 0, new WarmUp.Messages(20_000)),
            new PerfHello.Target(16_384, RemoteBuffer.decode(new byte[RemoteBuffer.BYTES])));

    @Test
    void comesOutAsItWentIn() {
        byte[] octets = HELLO.encode();

        assertThat(PerfHello.decode(octets)).isEqualTo(HELLO);
        assertThat(octets.length).isLessThanOrEqualTo(ROOM);
        // InfiniBand fills up with zeros.
        assertThat(PerfHello.decode(Arrays.copyOf(octets, ROOM))).isEqualTo(HELLO);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "0, 2147483647", "1, 0", "2147483647, 0", "0, 0"})
    void countOrSecondsComeOutAsTheyWentIn(int iterations, int seconds) {
        PerfHello hello = new PerfHello(
                PerfTest.SEND_BW,
                new PerfOptions.Mode(false, false, false, Duration.ZERO),
                new PerfHello.Origin(7, 0, 1),
                false,
                64,
                new PerfOptions.Span(iterations, seconds, new WarmUp.Messages(0)),
                new PerfHello.Target(2, RemoteBuffer.decode(new byte[RemoteBuffer.BYTES])));

        assertThat(PerfHello.decode(hello.encode())).isEqualTo(hello);
    }

    @ParameterizedTest
    @CsvSource({"20000, 100, true", "3s, 0, true", "3s, 0, false", "compiled, 0, false"})
    void warmUpComesOutAsItWentIn(String warmUp, int iterations, boolean bidirectional) {
        PerfHello hello = hello(warmUp, iterations, bidirectional);

        assertThat(PerfHello.decode(hello.encode())).isEqualTo(hello);
    }

    /** Every power of two up to more than what -a has would be no end of sizes. */
    @ParameterizedTest
    @CsvSource({
        "2147483647, false, true",
        "8388609, false, true",
        "8388608, true, true",
        "8388609, true, false",
        "2147483647, true, false"
    })
    void sizesComeOutAsTheyWentIn(int size, boolean all, boolean sane) {
        PerfHello hello = new PerfHello(
                PerfTest.SEND_BW,
                new PerfOptions.Mode(false, false, false, Duration.ZERO),
                new PerfHello.Origin(7, 0, 1),
                all,
                size,
                new PerfOptions.Span(1, 0, new WarmUp.Messages(0)),
                new PerfHello.Target(2, RemoteBuffer.decode(new byte[RemoteBuffer.BYTES])));
        byte[] octets = hello.encode();

        if (sane) {
            assertThat(PerfHello.decode(octets)).isEqualTo(hello);
        } else {
            assertThatThrownBy(() -> PerfHello.decode(octets)).hasMessageContaining("has invalid values");
        }
    }

    /** A server of a ping-pong cannot count it, and one that sends as well does not hear of its end. */
    @ParameterizedTest
    @CsvSource({"3s, 100, false", "compiled, 100, false", "compiled, 0, true"})
    void refusesAWarmUpThatTheServerCannotFollow(String warmUp, int iterations, boolean bidirectional) {
        byte[] octets = hello(warmUp, iterations, bidirectional).encode();

        assertThatThrownBy(() -> PerfHello.decode(octets)).hasMessageContaining("has invalid values");
    }

    private static PerfHello hello(String warmUp, int iterations, boolean bidirectional) {
        return new PerfHello(
                PerfTest.SEND_BW,
                new PerfOptions.Mode(false, bidirectional, false, Duration.ZERO),
                new PerfHello.Origin(7, 0, 1),
                false,
                64,
                new PerfOptions.Span(iterations, iterations == 0 ? 1 : 0, WarmUp.parse(warmUp)),
                new PerfHello.Target(2, RemoteBuffer.decode(new byte[RemoteBuffer.BYTES])));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, does not begin like one",
        "4, 2, 'it has version 2, expected 3'",
        "5, 99, has invalid values",
        "11, 127, has invalid values",
        "13, -1, has invalid values",
        "15, -1, has invalid values",
        "23, -2, has invalid values",
    })
    void refusesWhatIsNone(int at, byte value, String reason) {
        byte[] octets = ByteBuffer.wrap(HELLO.encode()).put(at, value).array();

        assertThatThrownBy(() -> PerfHello.decode(octets))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("not a `verbs perf` client of this version")
                .hasMessageContaining(reason);
    }

    @Test
    void refusesWhatIsTooShort() {
        byte[] octets = Arrays.copyOf(HELLO.encode(), 20);

        assertThatThrownBy(() -> PerfHello.decode(octets)).hasMessageContaining("its request has 20 bytes");
    }
}

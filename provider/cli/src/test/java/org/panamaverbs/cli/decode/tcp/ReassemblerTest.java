package org.panamaverbs.cli.decode.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReassemblerTest {
    private static final int FIN = 1;
    private static final int SYN = 2;
    private static final int RST = 4;
    private static final int ACK = 16;
    private static final Endpoint ONE = new Endpoint(false, 0, 1, 1);
    private static final Endpoint OTHER = new Endpoint(false, 0, 2, 2);

    private final StringBuilder got = new StringBuilder();
    private final Budget budget = new Budget(10 << 20);
    private final Reassembler reassembler = new Reassembler(
            new StreamSink() {
                @Override
                public void begins(boolean fromStart) {
                    got.append(fromStart ? "^" : "~");
                }

                @Override
                public void octets(byte[] octets, int offset, int length, long frame, long timeNanos) {
                    got.append(new String(octets, offset, length, StandardCharsets.US_ASCII));
                }

                @Override
                public void missing(long count, long frame, long timeNanos, Gap gap) {
                    got.append('<').append(count).append('>');
                }

                @Override
                public void lags(boolean now) {
                    lags = now;
                }

                @Override
                public void closed(long frame, long timeNanos) {
                    got.append("$").append(frame);
                }

                @Override
                public void reset(long frame, long timeNanos) {
                    got.append("!").append(frame);
                }
            },
            budget);
    private boolean lags;
    private int frame;

    private void segment(int sequence, int flags, String octets) {
        segment(sequence, flags, octets, octets.length());
    }

    private void segment(int sequence, int flags, String octets, int wireLength) {
        byte[] bytes = octets.getBytes(StandardCharsets.US_ASCII);
        frame++;
        reassembler.segment(segment(frame, sequence, flags, bytes, wireLength));
    }

    private static TcpSegment segment(int frame, int sequence, int flags, byte[] octets, int wireLength) {
        return new TcpSegment(
                new TcpSegment.Arrival(frame, frame, Link.NONE),
                ONE,
                OTHER,
                sequence,
                0,
                flags,
                new TcpSegment.Payload(octets, 0, octets.length, wireLength));
    }

    private void acknowledge(int acknowledgment) {
        frame++;
        reassembler.acknowledged(new TcpSegment(
                new TcpSegment.Arrival(frame, frame, Link.NONE),
                OTHER,
                ONE,
                0,
                acknowledgment,
                ACK,
                new TcpSegment.Payload(new byte[0], 0, 0, 0)));
    }

    private String result() {
        reassembler.finish();
        assertThat(budget.heldBytes()).isZero();
        return got.toString();
    }

    @Test
    void putsSegmentsInOrder() {
        segment(9, SYN, "");
        segment(13, ACK, "def");
        segment(10, ACK, "abc");
        segment(16, ACK, "ghi");
        segment(19, ACK | FIN, "");

        assertThat(reassembler.complete()).isTrue();
        assertThat(result()).isEqualTo("^abcdefghi$5");
    }

    @Test
    void saysThatOctetsWereAcknowledgedThatDidNotComeYet() {
        segment(9, SYN, "");
        segment(10, ACK, "abc");
        acknowledge(13);
        assertThat(lags).isFalse();
        acknowledge(16);
        assertThat(lags).isTrue();
        segment(14, ACK, "ef");
        assertThat(lags).isTrue();
        segment(13, ACK, "d");
        assertThat(lags).isFalse();

        assertThat(result()).isEqualTo("^abcdef");
    }

    @Test
    void saysWhenADirectionIsClosed() {
        segment(9, SYN, "");
        segment(13, ACK | FIN, "d"); // its octets come first
        segment(13, ACK | FIN, "d");
        segment(10, ACK, "abc");
        segment(14, ACK | FIN, "");

        assertThat(got).hasToString("^abcd$2");
    }

    @Test
    void saysOnceThatAConnectionIsReset() {
        segment(14, RST, "");
        segment(14, RST | ACK, "");

        assertThat(got).hasToString("!1");
    }

    @Test
    void beginsInTheMiddle() {
        segment(500, ACK, "abc");
        segment(503, ACK, "def");

        assertThat(result()).isEqualTo("~abcdef");
    }

    @Test
    void takesOctetsOnce() {
        segment(9, SYN, "");
        segment(10, ACK, "abcd");
        segment(10, ACK, "ABCD");
        segment(12, ACK, "CDef");
        segment(9, ACK, "XABC"); // as a keepalive does
        segment(18, ACK, "ijkl");
        segment(18, ACK, "IJ");
        segment(18, ACK, "IJKLmn");
        segment(16, ACK, "ghIJ");

        assertThat(result()).isEqualTo("^abcdefghIJKLmn");
    }

    @Test
    void wraps() {
        segment(-4, SYN, "");
        segment(2, ACK, "fgh");
        segment(-3, ACK, "abc");
        segment(0, ACK, "de");

        assertThat(result()).isEqualTo("^abcdefgh");
    }

    @Test
    void waitsAWhileForWhatWasAcknowledged() {
        segment(9, SYN, "");
        segment(14, ACK, "efg");
        acknowledge(17);
        for (int i = 0; i < Reassembler.PATIENCE_SEGMENTS / 2; i++) {
            acknowledge(17);
        }
        assertThat(got).asString().isEqualTo("^");
        segment(10, ACK, "abcd");

        assertThat(result()).isEqualTo("^abcdefg");
    }

    @Test
    void givesUpWhatWasAcknowledgedAndDoesNotCome() {
        segment(9, SYN, "");
        segment(14, ACK, "efg");
        for (int i = 0; i <= Reassembler.PATIENCE_SEGMENTS; i++) {
            acknowledge(17);
        }

        assertThat(got).asString().isEqualTo("^<4>efg");
    }

    @Test
    void neverGivesUpEarlyWhatWasNotAcknowledged() {
        segment(9, SYN, "");
        segment(14, ACK, "efg");
        for (int i = 0; i < 1000; i++) {
            acknowledge(10);
        }
        assertThat(got).asString().isEqualTo("^");
        segment(10, ACK, "abcd");

        assertThat(result()).isEqualTo("^abcdefg");
    }

    @Test
    void knowsWhatIsMissingAtTheEnd() {
        segment(9, SYN, "");
        segment(10, ACK, "abc");
        segment(20, ACK | FIN, "xyz");
        acknowledge(24);

        assertThat(reassembler.complete()).isFalse();
        assertThat(result()).isEqualTo("^abc<7>xyz$3");
        assertThat(reassembler.complete()).isTrue();
    }

    @Test
    void knowsByTheAcknowledgmentThatMoreWasSent() {
        segment(9, SYN, "");
        segment(10, ACK, "abc");
        acknowledge(33);

        assertThat(result()).isEqualTo("^abc<20>");
    }

    @Test
    void knowsWhatWasCutOff() {
        segment(9, SYN, "");
        segment(16, ACK, "gh", 4);
        segment(10, ACK, "abc", 6);
        segment(20, ACK, "kl");

        assertThat(result()).isEqualTo("^abc<3>gh<2>kl");
    }

    @Test
    void doesNotBelieveSequenceNumbersFarAway() {
        segment(9, SYN, "");
        segment(10 + (1 << 30) + 1, ACK, "z");
        segment(10, ACK, "abc");

        assertThat(result()).isEqualTo("^abc");
    }

    @Test
    void tellsAnotherConnectionFromARepeatedSyn() {
        segment(9, SYN, "");
        segment(10, ACK, "abc");

        assertThat(reassembler.isOther(9)).isFalse();
        assertThat(reassembler.isOther(1009)).isTrue();
    }

    @Test
    void holdsALimitedAmount() {
        String piece = "x".repeat(1000);
        segment(9, SYN, "");
        for (int i = 0; i < 20_000; i++) {
            segment(10 + 1000 + 2000 * i, ACK, piece);
        }

        assertThat(budget.heldBytes()).isLessThanOrEqualTo(4 << 20);
        assertThat(got.length()).isGreaterThan(15_000_000);
        reassembler.abandon();
        assertThat(budget.heldBytes()).isZero();
    }

    @Test
    void goesOnWithoutWaitingWhenThereIsNoMemory() {
        Budget none = new Budget(0);
        StringBuilder seen = new StringBuilder();
        Reassembler poor = new Reassembler(
                new StreamSink() {
                    @Override
                    public void begins(boolean fromStart) {}

                    @Override
                    public void octets(byte[] octets, int offset, int length, long frameNumber, long timeNanos) {
                        seen.append(new String(octets, offset, length, StandardCharsets.US_ASCII));
                    }

                    @Override
                    public void missing(long count, long frameNumber, long timeNanos, Gap gap) {
                        seen.append('<').append(count).append('>').append(gap);
                    }

                    @Override
                    public void lags(boolean now) {}

                    @Override
                    public void closed(long frame, long timeNanos) {}

                    @Override
                    public void reset(long frame, long timeNanos) {}
                },
                none);
        byte[] octets = {'a', 'b'};
        poor.segment(segment(1, 1, ACK, octets, 2));
        poor.segment(segment(2, 10, ACK, octets, 2));

        assertThat(seen).asString().isEqualTo("ab<7>NO_MEMORYab");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void anyOrderAndAnyOverlapGivesTheSame(long seed) {
        Random random = new Random(seed);
        StringBuilder stream = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            stream.append((char) ('a' + random.nextInt(26)));
        }
        int first = random.nextInt();
        List<int[]> pieces = new ArrayList<>();
        for (int at = 0; at < stream.length(); ) {
            int length = 1 + random.nextInt(60);
            int end = Math.min(stream.length(), at + length);
            pieces.add(
                    new int[] {Math.max(0, at - random.nextInt(20)), Math.min(stream.length(), end + random.nextInt(20))
                    });
            at = end;
        }
        Collections.shuffle(pieces, random);
        segment(first, SYN, "");
        for (int[] piece : pieces) {
            segment(first + 1 + piece[0], ACK, stream.substring(piece[0], piece[1]));
        }

        assertThat(result()).isEqualTo("^" + stream);
    }
}

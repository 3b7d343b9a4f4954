package org.panamaverbs.cli.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.cli.decode.iwarp.Assumption;
import org.panamaverbs.cli.decode.iwarp.Event;
import org.panamaverbs.cli.decode.iwarp.Flow;

/** Connections however TCP and the capture treated them. */
class StreamTest {
    private static final byte[] REQUEST = Fpdus.mpa(false, true, false);
    private static final byte[] REPLY = Fpdus.mpa(true, true, false);

    private static CaptureBuilder connected() {
        return new CaptureBuilder().open().send(REQUEST).answer(REPLY);
    }

    private static byte[] joined(byte[]... parts) {
        byte[] all = new byte[0];
        for (byte[] part : parts) {
            int length = all.length;
            all = Arrays.copyOf(all, length + part.length);
            System.arraycopy(part, 0, all, length, part.length);
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7, 19, 24, 31, 100, 511, 512, 513, 1448, 100_000})
    void segmentationMakesNoDifference(int pieceBytes) {
        byte[] fpdus =
                new Fpdus().send(5, 1).send(0, 2).send(3000, 3).send(9, 4).octets();
        CaptureBuilder capture = new CaptureBuilder().open();
        capture.sendInPieces(REQUEST, pieceBytes).answer(REPLY);
        Decoded decoded =
                Decoded.of(capture.sendInPieces(fpdus, pieceBytes).close().pcap());

        assertThat(decoded.fpdus(true)).isEqualTo(Fpdus.sends(5, 0, 3000, 9));
        assertThat(decoded.problems()).isEmpty();
        assertThat(decoded.notes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 13, 512, 1448, 100_000})
    void markersMakeNoDifference(int pieceBytes) {
        CaptureBuilder capture = new CaptureBuilder().open();
        capture.send(Fpdus.mpa(false, true, false)).answer(Fpdus.mpa(true, true, true));
        byte[] fpdus = new Fpdus(true, true)
                .send(5, 1)
                .send(486, 2)
                .send(3000, 3)
                .send(0, 4)
                .send(60_000, 5)
                .octets();
        Decoded decoded = Decoded.of(capture.sendInPieces(fpdus, pieceBytes).pcap());

        assertThat(decoded.fpdus(true)).isEqualTo(Fpdus.sends(5, 486, 3000, 0, 60_000));
        assertThat(decoded.problems()).isEmpty();
    }

    @Test
    void sequenceNumbersMayWrap() {
        byte[] fpdus = new Fpdus().send(3000, 1).send(4000, 2).send(5, 3).octets();
        CaptureBuilder capture =
                new CaptureBuilder(40_000, -2000).open().send(REQUEST).answer(REPLY);

        assertThat(Decoded.of(capture.sendInPieces(fpdus, 900).pcap()).fpdus(true))
                .isEqualTo(Fpdus.sends(3000, 4000, 5));
    }

    @Test
    void segmentsMayBeRepeatedAndOutOfOrder() {
        byte[] fpdus = new Fpdus().send(3000, 1).send(4000, 2).send(5, 3).octets();
        CaptureBuilder capture = connected().sendInPieces(fpdus, 700);
        for (int i = 5; i + 3 < capture.size(); i += 2) {
            capture.move(i, i + 3);
        }
        capture.repeat(6).repeat(7).repeat(4);
        Decoded decoded = Decoded.of(capture.pcap());

        assertThat(decoded.fpdus(true)).isEqualTo(Fpdus.sends(3000, 4000, 5));
        assertThat(decoded.problems()).isEmpty();
        assertThat(decoded.notes()).isEmpty();
    }

    @Test
    void ofOctetsThatComeTwiceTheFirstCount() {
        byte[] fpdus = new Fpdus().send(100, 1).send(100, 2).octets();
        CaptureBuilder capture = connected();
        int sequence = capture.sequence();
        byte[] wrong = fpdus.clone();
        Arrays.fill(wrong, 0, 60, (byte) 0xEE);
        capture.segment(true, sequence, capture.peerSequence(), CaptureBuilder.ACK, Arrays.copyOf(fpdus, 60))
                .segment(true, sequence, capture.peerSequence(), CaptureBuilder.ACK, wrong)
                .segment(true, sequence + 30, capture.peerSequence(), CaptureBuilder.ACK, new byte[10]);
        Decoded decoded = Decoded.of(capture.pcap());

        assertThat(decoded.fpdus(true)).isEqualTo(Fpdus.sends(100, 100));
        assertThat(decoded.problems()).isEmpty();
    }

    @Test
    void findsItsWayBackAfterMissingSegments() {
        CaptureBuilder capture = connected();
        Fpdus fpdus = new Fpdus();
        for (int i = 0; i < 30; i++) {
            fpdus.send(900, i);
        }
        capture.sendInPieces(fpdus.octets(), 1448);
        capture.drop(10).acknowledge();
        Decoded decoded = Decoded.of(capture.close().pcap());

        assertThat(decoded.notes())
                .anyMatch(note -> note.startsWith("1448 octets are missing at offset 7260"))
                .anyMatch(note -> note.startsWith("FPDUs are found at offset "));
        assertThat(decoded.problems()).isEmpty();
        // What began before the gap is shown as far as it goes; only what began in it is lost.
        assertThat(decoded.fpdus(true)).hasSizeBetween(28, 29).last().isEqualTo("send MSN 30 MO 0, 900 octets, last");
        assertThat(decoded.fpdus(true)).anyMatch(fpdu -> fpdu.endsWith("not all of it captured"));
    }

    @Test
    void findsItsWayBackInAStreamWithMarkers() {
        CaptureBuilder capture = new CaptureBuilder().open().send(REQUEST).answer(Fpdus.mpa(true, true, true));
        Fpdus fpdus = new Fpdus(true, true);
        for (int i = 0; i < 30; i++) {
            fpdus.send(900, i);
        }
        capture.sendInPieces(fpdus.octets(), 1448);
        Decoded decoded = Decoded.of(capture.drop(10).drop(10).close().pcap());

        assertThat(decoded.problems()).isEmpty();
        assertThat(decoded.fpdus(true)).hasSizeGreaterThan(25).last().isEqualTo("send MSN 30 MO 0, 900 octets, last");
    }

    @Test
    void knowsTheHeadersOfSegmentsThatWereCutOff() {
        byte[] one = new Fpdus().send(1000, 1).octets();
        byte[] all = new Fpdus().send(1000, 1).send(1000, 2).send(2, 3).octets();
        CaptureBuilder capture = connected();
        capture.send(one).send(Arrays.copyOfRange(all, one.length, 2 * one.length));
        capture.send(Arrays.copyOfRange(all, 2 * one.length, all.length));
        Decoded decoded = Decoded.of(capture.pcap(96));

        assertThat(decoded.fpdus(true))
                .containsExactly(
                        "send MSN 1 MO 0, 1000 octets, last, not all of it captured",
                        "send MSN 2 MO 0, 1000 octets, last, not all of it captured",
                        "send MSN 3 MO 0, 2 octets, last");
        assertThat(decoded.problems()).isEmpty();
        assertThat(decoded.notes())
                .anyMatch(note -> note.contains("captured only in part; further ones are not noted"));
    }

    @Test
    void followsAConnectionOfWhichEverySegmentWasCutOff() {
        byte[] request = Fpdus.mpa(false, 2);
        CaptureBuilder capture = new CaptureBuilder().open().send(request).answer(Fpdus.mpa(true, 2));
        byte[] all =
                new Fpdus().send(100, 1).send(100, 2).send(100, 3).send(100, 4).octets();
        for (int at = 0; at < all.length; at += all.length / 4) {
            capture.send(Arrays.copyOfRange(all, at, at + all.length / 4));
        }
        Decoded decoded = Decoded.of(capture.pcap(40 + 22));

        assertThat(decoded.units())
                .extracting(Event.Unit::summary)
                .startsWith("rev 2, CRC, no markers, not all of it captured");
        assertThat(decoded.fpdus(true))
                .hasSize(4)
                .allMatch(fpdu -> fpdu.endsWith("100 octets, last, not all of it captured"));
        assertThat(decoded.problems()).isEmpty();
        // The same without its beginning: no CRC can tell, but the headers stand where they must.
        CaptureBuilder later = new CaptureBuilder();
        for (int at = 0; at < all.length; at += all.length / 4) {
            later.send(Arrays.copyOfRange(all, at, at + all.length / 4));
        }
        assertThat(Decoded.of(later.pcap(40 + 22)).units()).isEmpty();
        assertThat(Decoded.of(later.pcap(40 + 22), new Assumption(true, Set.of(), false))
                        .units())
                .hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 50})
    void findsFpdusOfAConnectionThatBeganBefore(int begin) {
        byte[] fpdus = new Fpdus().send(100, 1).send(4000, 2).send(7, 3).octets();
        CaptureBuilder capture =
                new CaptureBuilder().sendInPieces(Arrays.copyOfRange(fpdus, begin, fpdus.length), 1000);
        Decoded decoded = Decoded.of(capture.pcap());

        assertThat(decoded.fpdus(true))
                .endsWith("send MSN 2 MO 0, 4000 octets, last", "send MSN 3 MO 0, 7 octets, last");
        assertThat(decoded.notes()).anyMatch(note -> note.startsWith("its MPA frame is not in the capture"));
        assertThat(decoded.units()).allMatch(unit -> unit.place().flow().sender() == Flow.Sender.UNKNOWN);
    }

    @Test
    void withoutCrcsAConnectionThatBeganBeforeIsFoundOnlyIfItIsSaidToBeIwarp() {
        byte[] fpdus = new Fpdus(false, false)
                .send(100, 1)
                .send(4000, 2)
                .send(7, 3)
                .send(7, 4)
                .octets();
        byte[] capture = new CaptureBuilder()
                .sendInPieces(Arrays.copyOfRange(fpdus, 3, fpdus.length), 1000)
                .pcap();

        assertThat(Decoded.of(capture).events()).isEmpty();
        for (Assumption assumption :
                List.of(new Assumption(true, Set.of(), false), new Assumption(false, Set.of(7174), false))) {
            assertThat(Decoded.of(capture, assumption).fpdus(true))
                    .containsExactly(
                            "send MSN 2 MO 0, 4000 octets, last",
                            "send MSN 3 MO 0, 7 octets, last",
                            "send MSN 4 MO 0, 7 octets, last");
        }
        assertThat(Decoded.of(capture, new Assumption(false, Set.of(80), false)).events())
                .isEmpty();
    }

    @Test
    void aConnectionWithoutMpaFramesIsNotIwarp() {
        CaptureBuilder http = new CaptureBuilder().open().send(CaptureBuilder.text("GET / HTTP/1.1\r\n\r\n"));
        Decoded decoded = Decoded.of(http.answer(CaptureBuilder.text("HTTP/1.1 200 OK\r\n\r\n"))
                .close()
                .pcap());

        assertThat(decoded.events()).isEmpty();
        assertThat(decoded.summary().otherConnections).isEqualTo(1);
    }

    @Test
    void portsMayBeUsedAgain() {
        CaptureBuilder first = connected().send(new Fpdus().send(1, 1).octets()).close();
        CaptureBuilder second =
                new CaptureBuilder(40_000, 999_999).open().send(REQUEST).answer(REPLY);
        first.with(second.send(new Fpdus().send(2, 1).octets()).close());

        assertThat(Decoded.of(first.pcap()).units())
                .extracting(unit -> unit.place().flow().connection() + " " + unit.kind())
                .containsExactly("1 mpa-request", "1 mpa-reply", "1 send", "2 mpa-request", "2 mpa-reply", "2 send");
    }

    @Test
    void fpdusThatWereCapturedBeforeTheReplyWaitForIt() {
        CaptureBuilder capture =
                connected().send(new Fpdus().send(5, 1).octets()).move(4, 5);

        assertThat(Decoded.of(capture.pcap()).units())
                .extracting(Event.Unit::kind)
                .containsExactly("mpa-request", "mpa-reply", "send");
    }

    @Test
    void oneDirectionIsEnough() {
        CaptureBuilder capture = new CaptureBuilder()
                .open()
                .send(REQUEST)
                .send(new Fpdus().send(5, 1).octets());
        Decoded decoded = Decoded.of(capture.drop(1).pcap());

        assertThat(decoded.fpdus(true)).isEqualTo(Fpdus.sends(5));
        assertThat(decoded.problems()).isEmpty();
    }

    @Test
    void withoutTheReplyMarkersShowThemselves() {
        byte[] fpdus = new Fpdus(true, true).send(1000, 1).send(6, 2).octets();
        CaptureBuilder capture = new CaptureBuilder().open().send(REQUEST).send(fpdus);

        assertThat(Decoded.of(capture.drop(1).pcap()).fpdus(true)).isEqualTo(Fpdus.sends(1000, 6));
    }

    /** The other side's frame is known to be lost before anything shows whether there are markers. */
    @Test
    void markersShowThemselvesAlsoWhereTheReplyWasLostBefore() {
        byte[] fpdus = new Fpdus(true, true).send(1000, 1).send(6, 2).octets();
        CaptureBuilder capture = new CaptureBuilder().open().send(REQUEST).answer(REPLY);
        int reply = capture.size() - 1;
        capture.answer(new byte[20]).sendInPieces(fpdus, 1);
        Decoded decoded = Decoded.of(capture.drop(reply).drop(1).pcap());

        assertThat(decoded.fpdus(true)).isEqualTo(Fpdus.sends(1000, 6));
        assertThat(decoded.problems()).isEmpty();
    }

    @Test
    void knowsWhichFramesAnFpduCameIn() {
        byte[] fpdus = joined(
                new Fpdus().send(0, 1).octets(), new Fpdus().send(3000, 2).octets());
        Decoded decoded = Decoded.of(connected().sendInPieces(fpdus, 1000).pcap());

        assertThat(decoded.units())
                .extracting(unit -> unit.place().frames())
                .endsWith(List.of(6L), List.of(6L, 7L, 8L, 9L));
    }
}

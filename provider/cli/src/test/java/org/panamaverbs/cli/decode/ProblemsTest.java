package org.panamaverbs.cli.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.cli.decode.iwarp.Event;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.MpaFrame;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.Opcode;

/** Peers that do what the RFCs do not allow. */
class ProblemsTest {
    private static final byte[] REQUEST = Fpdus.mpa(false, true, false);
    private static final byte[] REPLY = Fpdus.mpa(true, true, false);

    private static CaptureBuilder connected() {
        return new CaptureBuilder().open().send(REQUEST).answer(REPLY);
    }

    @Test
    void dataOnARejectedConnectionIsAProblem() {
        CaptureBuilder capture = new CaptureBuilder().open().send(REQUEST).answer(Fpdus.reject());
        Decoded decoded =
                Decoded.of(capture.send(new Fpdus().send(5, 1).octets()).pcap());

        assertThat(decoded.problems())
                .singleElement()
                .asString()
                .startsWith("sends on a connection that the Reply rejected");
        assertThat(decoded.units()).extracting(Event.Unit::kind).containsExactly("mpa-request", "mpa-reply");
    }

    @Test
    void twoRequestsAreAProblem() {
        Decoded decoded = Decoded.of(
                new CaptureBuilder().open().send(REQUEST).answer(REQUEST).pcap());

        assertThat(decoded.problems()).singleElement().asString().contains("got an MPA Request, expected a Reply");
    }

    @Test
    void anAnswerThatIsNoReplyIsAProblem() {
        Decoded decoded = Decoded.of(new CaptureBuilder()
                .open()
                .send(REQUEST)
                .answer(CaptureBuilder.text("HTTP/1.1 400 Bad Request\r\n"))
                .pcap());

        assertThat(decoded.problems()).singleElement().asString().contains("not the key of an MPA frame");
    }

    @Test
    void anUnknownRevisionIsAProblem() {
        byte[] request = REQUEST.clone();
        request[17] = 9;

        assertThat(Decoded.of(new CaptureBuilder().open().send(request).pcap()).problems())
                .singleElement()
                .asString()
                .contains("MPA revision 9, expected 0..2");
    }

    @Test
    void streamsOfTheRdmaConsortiumHaveOtherVersions() {
        byte[] ulpdu = new byte[DdpHeader.UNTAGGED_BYTES + 3];
        DdpHeader.emitUntagged(MemorySegment.ofArray(ulpdu), 0, true, Opcode.SEND, 0, 1, 0);
        ulpdu[0] &= ~3;
        ulpdu[1] &= 0x3F;
        byte[] fpdus = new Fpdus(true, true).ulpdu(ulpdu).octets();
        byte[] request = new MpaFrame(false, true, true, false, 0, null, Octets.EMPTY).encode();
        byte[] reply = new MpaFrame(true, true, true, false, 0, null, Octets.EMPTY).encode();
        CaptureBuilder old = new CaptureBuilder().open().send(request).answer(reply);
        CaptureBuilder today = new CaptureBuilder().open().send(REQUEST).answer(Fpdus.mpa(true, true, true));

        assertThat(Decoded.of(old.send(fpdus).pcap()).problems()).isEmpty();
        assertThat(Decoded.of(today.send(fpdus).pcap()).problems())
                .singleElement()
                .asString()
                .contains("invalid DDP version (1/2/06, RFC 5041 section 7.2)");
    }

    /**
     * RFC 5044 appendix C: revision 0 asks for both, as its sender says by M and C; a frame without asks for neither.
     */
    @ParameterizedTest
    @CsvSource({
        // Request: revision, M, C; Reply: revision, M, C; markers and CRC in what the initiator and the responder send
        "0, false, true, 0, false, true, false, true, false, true",
        "0, true, true, 0, true, true, true, true, true, true",
        "0, true, true, 0, false, true, false, true, true, true",
        "1, false, true, 0, true, true, true, true, true, true", // appendix C.2.5: the initiator follows
        "1, false, true, 0, false, true, false, true, false, true",
        "0, false, false, 0, false, false, false, false, false, false",
        "0, false, false, 0, false, false, false, true, false, true", // whoever has them without asking
        "1, false, false, 0, false, true, false, true, false, true",
    })
    void revisionZeroHasTheMarkersAndCrcsThatItsFramesAskFor(ArgumentsAccessor row) {
        byte[] request = frame(false, row, 0);
        byte[] reply = frame(true, row, 3);
        Fpdus forward = new Fpdus(row.getBoolean(7), row.getBoolean(6)).send(1000, 1);
        Fpdus back = new Fpdus(row.getBoolean(9), row.getBoolean(8)).send(700, 2);
        Decoded decoded = Decoded.of(new CaptureBuilder()
                .open()
                .send(request)
                .answer(reply)
                .send(forward.octets())
                .answer(back.octets())
                .pcap());

        assertThat(decoded.problems()).isEmpty();
        assertThat(decoded.notes()).isEmpty();
        assertThat(decoded.fpdus(true)).isEqualTo(Fpdus.sends(1000));
        assertThat(decoded.fpdus(false)).isEqualTo(Fpdus.sends(700));
    }

    private static byte[] frame(boolean reply, ArgumentsAccessor row, int from) {
        return new MpaFrame(
                        reply,
                        row.getBoolean(from + 1),
                        row.getBoolean(from + 2),
                        false,
                        row.getInteger(from),
                        null,
                        Octets.EMPTY)
                .encode();
    }

    @ParameterizedTest
    @CsvSource({
        // octet of the ULPDU, value, what is wrong
        "0, 0x42, invalid DDP version (1/2/06",
        "0, 0x45, the reserved bits of the DDP control octet are not zero",
        "1, 0x83, invalid RDMAP version (0/2/05",
        "1, 0x53, the reserved bits of the RDMAP control octet are not zero",
        "1, 0x4C, unexpected opcode (0/2/06",
        "1, 0x40, unexpected opcode (0/2/06",
        "5, 0x01, the field reserved for the ULP is 0x00000001",
        "9, 0x07, invalid QN (1/2/01",
        "1, 0x48, expected 8",
    })
    void saysWhatIsWrongWithAHeader(int octet, String value, String problem) {
        byte[] ulpdu = new byte[DdpHeader.UNTAGGED_BYTES + 3];
        DdpHeader.emitUntagged(MemorySegment.ofArray(ulpdu), 0, true, Opcode.SEND, 0, 1, 0);
        ulpdu[octet] = (byte) (int) Integer.decode(value);
        byte[] fpdus = new Fpdus().ulpdu(ulpdu).send(4, 1).octets();
        Decoded decoded = Decoded.of(connected().send(fpdus).pcap());

        assertThat(decoded.problems()).anyMatch(text -> text.contains(problem));
        assertThat(decoded.units()).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 13, 17})
    void saysThatAUlpduIsTooShort(int length) {
        byte[] fpdus = new Fpdus().ulpdu(new byte[length]).send(4, 1).octets();
        Decoded decoded = Decoded.of(connected().send(fpdus).pcap());

        assertThat(decoded.problems()).anyMatch(text -> text.contains("a ULPDU of " + length + " octets"));
        assertThat(decoded.fpdus(true)).last().isEqualTo("send MSN 1 MO 0, 4 octets, last");
    }

    @Test
    void aMarkerThatPointsElsewhereIsAProblem() {
        byte[] fpdus = new Fpdus(false, true).send(1000, 1).octets();
        fpdus[515]++;
        CaptureBuilder capture = new CaptureBuilder().open().send(Fpdus.mpa(false, false, false));
        capture.answer(Fpdus.mpa(true, false, true)).send(fpdus);

        assertThat(Decoded.of(capture.pcap()).problems())
                .containsExactly("the marker at octet 512 points back 509 octets, expected 508");
    }

    @Test
    void aBadLengthLosesTheFramingForAWhile() {
        Fpdus all = new Fpdus();
        for (int i = 0; i < 20; i++) {
            all.send(200, i);
        }
        byte[] fpdus = all.octets();
        fpdus[3 * 224] ^= 1;
        Decoded decoded =
                Decoded.of(connected().sendInPieces(fpdus, 1448).close().pcap());

        assertThat(decoded.problems()).anyMatch(text -> text.startsWith("the CRC is"));
        assertThat(decoded.notes()).anyMatch(text -> text.startsWith("the framing is lost"));
        assertThat(decoded.fpdus(true)).last().isEqualTo("send MSN 20 MO 0, 200 octets, last");
    }

    @Test
    void saysThatAStreamEndsWithinAnFpdu() {
        byte[] fpdus = new Fpdus().send(5, 1).send(100, 2).octets();
        Decoded decoded = Decoded.of(connected()
                .send(Arrays.copyOf(fpdus, fpdus.length - 50))
                .close()
                .pcap());

        assertThat(decoded.notes())
                .singleElement()
                .asString()
                .startsWith("ends within an FPDU: 74 of 124 octets are there: 00 76 41 43");
        assertThat(decoded.problems()).isEmpty();
    }
}

package org.panamaverbs.iwarp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.panamaverbs.testkit.Requirement;

class TerminateTest {
    static final java.util.List<TerminateCode> REGISTERED = TerminateCode.REGISTERED;

    private static final HexFormat HEX = HexFormat.of();

    /** A Read Request as the segment at fault: headers only, 46 octets. */
    private static final byte[] READ = Framing.open(Samples.bytes("F10"), false, 0);

    @ParameterizedTest
    @FieldSource("REGISTERED")
    @Requirement({"IANA-3.3-01", "RDMAP-4.8-03"})
    void carriesEveryCodeInBothForms(TerminateCode code) {
        // The set-up flag decides between two meanings only where siw could have sent the same octets.
        boolean setup = code.layer() == TerminateCode.LAYER_MPA;
        byte[] bare = body(at -> TerminateHeader.emit(at, 0, code));
        assertThat(bare).hasSize(TerminateHeader.MIN_BYTES);
        assertThat(decode(bare, setup)).isEqualTo(new Terminate(code, -1, Octets.EMPTY, Octets.EMPTY, false));

        byte[] full = body(at -> TerminateHeader.emit(at, 0, code, 46, MemorySegment.ofArray(READ), 0, true));
        assertThat(full).hasSize(TerminateHeader.MAX_BYTES);
        Octets ddp = Octets.of(Arrays.copyOf(READ, 18));
        Octets rdmap = Octets.of(Arrays.copyOfRange(READ, 18, 46));
        for (boolean either : new boolean[] {false, true}) {
            assertThat(decode(full, either)).isEqualTo(new Terminate(code, 46, ddp, rdmap, false));
            assertThat(decode(siw(full), either)).isEqualTo(new Terminate(code, 46, ddp, rdmap, true));
        }
    }

    @ParameterizedTest
    @CsvSource({
        // octets, as the first FPDU of the initiator, at any other time
        "20050000, 2/0/05, 0/2/05",
        "20060000, 2/0/06, 0/2/06",
        "20070000, 2/0/07, 2/0/07",
        "20010000, 2/0/01, 2/0/01",
        "20020000, 2/0/02, 2/0/02",
        "20030000, 2/0/03, 2/0/03",
        "20040000, 2/0/04, 2/0/04",
        "02020000, 2/0/02, 2/0/02",
        "02030000, 2/0/03, 2/0/03",
        "02040000, 2/0/04, 2/0/04",
        "02050000, 0/2/05, 0/2/05",
        "02060000, 2/0/06, 0/2/06",
        "02070000, 2/0/07, 0/2/07",
        "02080000, 0/2/08, 0/2/08",
        "02ff0000, 0/2/ff, 0/2/ff",
        "20ff0000, 0/2/ff, 0/2/ff",
        "01000000, 0/1/00, 0/1/00",
        "10000000, 1/0/00, 1/0/00",
        "10090000, 0/1/09, 0/1/09",
        "00000000, 0/0/00, 0/0/00",
        "11040000, 1/1/04, 1/1/04",
        "12060000, 1/2/06, 1/2/06",
        "21060000, 1/2/06, 1/2/06",
        "22020000, 2/2/02, 2/2/02",
        "23020000, 2/3/02, 2/3/02",
        "23070000, 2/3/07, 2/3/07",
        "777f0000, 7/7/7f, 7/7/7f",
        "8a010000, 8/10/01, 8/10/01",
    })
    void settlesHeaderlessEncodingsByMeaningAndMoment(String octets, String duringSetup, String later) {
        byte[] body = HEX.parseHex(octets);
        assertThat(decode(body, true).code().toString()).startsWith(duringSetup + " ");
        assertThat(decode(body, false).code().toString()).startsWith(later + " ");
    }

    @Test
    void readsTypeThreeAsTheMpaError() {
        assertThat(decode(HEX.parseHex("23020000"), false).code().canonical()).isEqualTo(TerminateCode.MPA_CRC);
    }

    @Test
    void acceptsTheLengthWithoutTheHeader() {
        Terminate terminate = decode(HEX.parseHex("120280000017"), false);
        assertThat(terminate)
                .isEqualTo(new Terminate(TerminateCode.UNTAGGED_NO_BUFFER, 0x17, Octets.EMPTY, Octets.EMPTY, false));
        assertThat(terminate.ulpduLength()).isEqualTo(0x17);
    }

    @Test
    void acceptsEitherMeaningOfTheLength() {
        byte[] send = Arrays.copyOf(Framing.open(Samples.bytes("F05"), false, 0), 18);
        assertThat(decode(withHeader(send, 23), false).ulpduLength()).isEqualTo(23);
        assertThat(decode(withHeader(send, 5), false).ulpduLength()).isEqualTo(23);
        assertThat(decode(siw(withHeader(send, 1000)), false).ulpduLength()).isEqualTo(1018);
        byte[] atomic = Arrays.copyOf(Framing.open(Samples.bytes("F16"), false, 0), 18);
        assertThat(decode(siw(withHeader(atomic, 0)), false).ulpduLength()).isEqualTo(70);
        byte[] write = Arrays.copyOf(Framing.open(Samples.bytes("F09"), false, 0), 14);
        assertThat(decode(withHeader(write, 22), false).ulpduLength()).isEqualTo(22);
        assertThat(decode(withHeader(write, 8), false).ulpduLength()).isEqualTo(22);
        byte[] unknown = send.clone();
        unknown[1] = 0x4F;
        assertThat(decode(siw(withHeader(unknown, 7)), false).ulpduLength()).isEqualTo(25);
    }

    @Test
    void doesWithoutHeadersThatAreCutOff() {
        byte[] full =
                body(at -> TerminateHeader.emit(at, 0, TerminateCode.BOUNDS, 46, MemorySegment.ofArray(READ), 0, true));
        for (int length = 0; length <= full.length; length++) {
            Terminate terminate = decode(Arrays.copyOf(full, length), false);
            assertThat(terminate.segmentLength()).isEqualTo(length >= 6 ? 46 : Terminate.NO_LENGTH);
            assertThat(terminate.ddpHeader().size()).isEqualTo(length >= 24 ? 18 : 0);
            assertThat(terminate.rdmapHeader().size()).isEqualTo(length >= 52 ? 28 : 0);
            if (length >= 2) {
                assertThat(terminate.code()).isEqualTo(TerminateCode.BOUNDS);
            }
        }
        assertThat(decode(new byte[0], true).code()).isEqualTo(TerminateCode.RDMAP_LOCAL_CATASTROPHIC);
    }

    @Test
    void doesNotTrustTheReadRequestFlag() {
        byte[] send = Arrays.copyOf(Framing.open(Samples.bytes("F06"), false, 0), 18);
        byte[] lying = withHeader(send, 23);
        lying[2] |= 0x20;
        assertThat(decode(siw(lying), false).rdmapHeader()).isEqualTo(Octets.EMPTY);
        byte[] write = Arrays.copyOf(Framing.open(Samples.bytes("F09"), false, 0), 14);
        byte[] tagged = Arrays.copyOf(withHeader(write, 22), 60);
        tagged[2] |= 0x20;
        assertThat(decode(tagged, false).ddpHeader()).isEqualTo(Octets.of(write));
        assertThat(decode(tagged, false).rdmapHeader()).isEqualTo(Octets.EMPTY);
    }

    @Test
    @Requirement("RDMAP-4.8-05")
    void ignoresReservedBits() {
        byte[] full = withHeader(Arrays.copyOf(READ, 18), 46);
        byte[] noisy = full.clone();
        noisy[2] |= 0x1F;
        noisy[3] = (byte) 0xFF;
        assertThat(decode(noisy, false)).isEqualTo(decode(full, false));
    }

    @Test
    void neverThrowsOnPeerBytes() {
        Random random = new Random(5040);
        for (int round = 0; round < 50_000; round++) {
            byte[] body = new byte[random.nextInt(60)];
            random.nextBytes(body);
            Terminate terminate = decode(body, random.nextBoolean());
            assertThat(terminate.code().text()).isNotBlank();
            assertThat(terminate.ddpHeader().size()).isIn(0, 14, 18);
            assertThat(terminate.rdmapHeader().size()).isIn(0, 28);
            assertThat(terminate.ulpduLength()).isBetween(-1, 0xFFFF + 70);
        }
    }

    private static byte[] withHeader(byte[] header, int segmentLength) {
        MemorySegment fault = MemorySegment.ofArray(header);
        return body(
                at -> TerminateHeader.emit(at, 0, TerminateCode.UNTAGGED_NO_BUFFER, segmentLength, fault, 0, false));
    }

    private static byte[] body(Framing.Emitter emitter) {
        return Framing.ulpdu(emitter);
    }

    private static byte[] siw(byte[] body) {
        byte[] ulpdu = new byte[DdpHeader.UNTAGGED_BYTES + body.length];
        System.arraycopy(body, 0, ulpdu, DdpHeader.UNTAGGED_BYTES, body.length);
        byte[] siw = SiwLayout.of(ulpdu, -1);
        return Arrays.copyOfRange(siw, DdpHeader.UNTAGGED_BYTES, siw.length);
    }

    private static Terminate decode(byte[] body, boolean setup) {
        return Terminate.decode(MemorySegment.ofArray(body), 0, body.length, setup);
    }
}

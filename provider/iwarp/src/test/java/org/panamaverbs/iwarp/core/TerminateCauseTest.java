package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.api.cm.TerminateCause.Origin;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.api.cm.TerminatedSegment;
import org.panamaverbs.iwarp.core.PeerVariantsTest.Peer;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.memory.STag;
import org.panamaverbs.testkit.Requirement;

/** Every Terminate that a peer can send reaches the application with its words, and with the segment that it blames. */
class TerminateCauseTest {
    private static final int READ_HEADER = 28;

    // RFC 5040 figure 9, RFC 5041 §7.2, RFC 5044 §8 and RFC 6581 §8, as they are written there.
    private static final String CODES = """
            0/0/00 RFC 5040 §4.8: RDMAP local catastrophic error
            0/1/00 RFC 5040 §4.8: remote protection error: invalid STag
            0/1/01 RFC 5040 §4.8: remote protection error: base or bounds violation
            0/1/02 RFC 5040 §4.8: remote protection error: access rights violation
            0/1/03 RFC 5040 §4.8: remote protection error: STag not associated with RDMAP Stream
            0/1/04 RFC 5040 §4.8: remote protection error: TO wrap
            0/1/09 RFC 5040 §4.8: remote protection error: STag cannot be invalidated
            0/1/ff RFC 5040 §4.8: remote protection error: unspecified error
            0/2/05 RFC 5040 §4.8: remote operation error: invalid RDMAP version
            0/2/06 RFC 5040 §4.8: remote operation error: unexpected opcode
            0/2/07 RFC 5040 §4.8: remote operation error: catastrophic error, localized to RDMAP Stream
            0/2/08 RFC 5040 §4.8: remote operation error: catastrophic error, global
            0/2/09 RFC 5040 §4.8: remote operation error: STag cannot be invalidated
            0/2/ff RFC 5040 §4.8: remote operation error: unspecified error
            1/0/00 RFC 5041 §7.2: DDP local catastrophic error
            1/1/00 RFC 5041 §7.2: tagged buffer error: invalid STag
            1/1/01 RFC 5041 §7.2: tagged buffer error: base or bounds violation
            1/1/02 RFC 5041 §7.2: tagged buffer error: STag not associated with DDP Stream
            1/1/03 RFC 5041 §7.2: tagged buffer error: TO wrap
            1/1/04 RFC 5041 §7.2: tagged buffer error: invalid DDP version
            1/2/01 RFC 5041 §7.2: untagged buffer error: invalid QN
            1/2/02 RFC 5041 §7.2: untagged buffer error: invalid MSN, no buffer available
            1/2/03 RFC 5041 §7.2: untagged buffer error: invalid MSN, range is not valid
            1/2/04 RFC 5041 §7.2: untagged buffer error: invalid MO
            1/2/05 RFC 5041 §7.2: untagged buffer error: DDP Message too long for available buffer
            1/2/06 RFC 5041 §7.2: untagged buffer error: invalid DDP version
            1/3/00 RFC 5041 §7.2: error reserved for the LLP
            2/0/01 RFC 5044 §8: MPA error: TCP connection closed, terminated or lost
            2/0/02 RFC 5044 §8: MPA error: CRC error
            2/0/03 RFC 5044 §8: MPA error: marker and ULPDU_Length fields do not match
            2/0/04 RFC 5044 §8: MPA error: invalid MPA Request or Reply Frame
            2/0/05 RFC 6581 §8: MPA error: local catastrophic error
            2/0/06 RFC 6581 §8: MPA error: insufficient IRD resources
            2/0/07 RFC 6581 §8: MPA error: no matching RTR option
            """;

    static List<Arguments> codesOfEveryPeer() {
        List<Arguments> all = new ArrayList<>();
        CODES.lines().forEach(line -> {
            String code = line.substring(0, 6);
            int colon = line.indexOf(": ");
            for (Peer peer : Peer.values()) {
                // Without headers these are siw's 0/2/05 and 0/2/06, except in set-up, where they belong.
                boolean setup = peer == Peer.BARE && (code.equals("2/0/05") || code.equals("2/0/06"));
                if (!setup) {
                    all.add(Arguments.of(peer, code, line.substring(7, colon), line.substring(colon + 2)));
                }
            }
        });
        return all;
    }

    @ParameterizedTest(name = "{1} of {0}")
    @MethodSource("codesOfEveryPeer")
    @Requirement({"RDMAP-4.8-03", "RDMAP-5.4-05", "IANA-3.3-01"})
    void everyCodeArrivesWithItsWords(Peer peer, String code, String section, String words) {
        HostileFixture fixture = HostileFixture.initiator().receives(2);
        fixture.side.write(1, fixture.local, 0, 8, fixture.open, 0);
        fixture.peer.settle();
        byte[] offender = fixture.peer.answers.getFirst().octets();

        fixture.peer.inject(peer.terminate(code, offender));

        TerminateCause cause = cause(fixture);
        assertThat(cause.origin()).isEqualTo(Origin.REMOTE);
        assertThat(cause.code()).isEqualTo(code);
        assertThat(cause.reference()).isEqualTo(section);
        assertThat(cause.text()).isEqualTo(words);
        assertThat(cause.detail()).isEmpty();
        assertThat(cause.reason().isRegistered()).isTrue();
        assertThat(cause.reason())
                .isEqualTo(TerminateReason.of(cause.layer(), cause.errorType(), cause.errorCode()))
                .isNotEqualTo(TerminateReason.UNREGISTERED);
        assertThat(cause.toString()).contains(code, words, section, "by the peer", cause.remedy());
        if (peer == Peer.BARE) {
            assertThat(cause.terminatedSegment()).isEmpty();
        } else {
            assertThat(cause.terminatedSegment())
                    .contains(new TerminatedSegment.Tagged(
                            0, true, 22, STag.of(fixture.open.stag()), HostileFixture.BASE));
        }
        // All that is flushed because of it has its numbers.
        fixture.side.send(2, fixture.local, 0, 8);
        assertThat(fixture.side.receives.list)
                .hasSize(2)
                .allMatch(Wc::flushed)
                .allMatch(wc -> wc.vendorError() == number(code));
        assertThat(fixture.side.sends.brief()).containsExactly("1 RDMA_WRITE", "2 WR_FLUSH_ERROR");
        assertThat(fixture.side.sends.last().vendorError()).isEqualTo(number(code));
        fixture.assertMemoryUntouched();
    }

    // RFC 6581 §8: the first FPDU of the initiator, without headers.
    @ParameterizedTest
    @CsvSource({"5, MPA_LOCAL_CATASTROPHIC", "6, MPA_INSUFFICIENT_IRD", "7, MPA_NO_MATCHING_RTR"})
    @Requirement({"RDMAP-5.4-03", "RDMAP-5.4-04", "RDMAP-5.4-05"})
    void errorsOfSetUpArrive(int code, TerminateReason reason) {
        RawPeer initiator = new RawPeer(false);
        initiator.inject(Segments.terminate(2, 0, code, 0));
        TerminateCause cause = Objects.requireNonNull(initiator.side.stream.terminateCause());
        assertThat(cause.reason()).isEqualTo(reason);
        assertThat(cause.origin()).isEqualTo(Origin.REMOTE);
        assertThat(cause.code()).isEqualTo("2/0/0" + code);
    }

    // RFC 5040 §5.4: there is a buffer for one Terminate, whatever has used up those of the other queues.
    @Test
    @Requirement({"RDMAP-5.4-03", "RDMAP-5.4-04", "RDMAP-5.4-05"})
    void aTerminateFindsItsBufferWhereAllOthersAreTaken() {
        HostileFixture fixture = HostileFixture.responder().receives(1);
        fixture.side.read(1, fixture.local, 0, 8, fixture.open, 0);
        fixture.peer.fromStream.window = 0;
        for (int msn = 1; msn <= 4; msn++) {
            fixture.peer.inject(Segments.readRequest(msn, 1, 0, 8, fixture.open.stag(), HostileFixture.BASE));
        }
        fixture.peer.inject(Segments.untagged(Segments.SEND, 0, 0, 1, 0, false, (byte) 1));
        assertThat(fixture.side.stream.fault()).isNull();
        fixture.peer.inject(Segments.terminate(0, 2, 7, 0));
        assertThat(cause(fixture).origin()).isEqualTo(Origin.REMOTE);
        assertThat(cause(fixture).code()).isEqualTo("0/2/07");
        assertThat(fixture.side.sends.brief()).containsExactly("1 WR_FLUSH_ERROR");
        assertThat(fixture.side.receives.brief()).containsExactly("100 WR_FLUSH_ERROR");
    }

    @Test
    void nothingRegisteredIsLeftOut() {
        List<String> codes =
                CODES.lines().map(line -> line.substring(0, 6)).sorted().toList();
        assertThat(TerminateCode.REGISTERED.stream().map(TerminateCauseTest::code))
                .containsExactlyInAnyOrderElementsOf(codes);
        assertThat(Arrays.stream(TerminateReason.values())
                        .filter(reason -> reason.isRegistered() && reason != TerminateReason.UNREGISTERED)
                        .map(reason -> "%x/%x/%02x".formatted(reason.layer(), reason.errorType(), reason.errorCode())))
                .containsExactlyInAnyOrderElementsOf(codes);
    }

    @Test
    void numbersThatNobodyRegisteredArriveAsTheyStand() {
        HostileFixture fixture = HostileFixture.initiator().receives(1);
        fixture.peer.inject(Segments.terminate(9, 8, 0x77, 0));
        TerminateCause cause = cause(fixture);
        assertThat(cause.reason()).isEqualTo(TerminateReason.UNREGISTERED);
        assertThat(cause.toString()).startsWith("9/8/77 ").contains("unregistered", "by the peer");
        assertThat(cause.reference()).isEmpty();
        assertThat(fixture.side.receives.last().vendorError()).isEqualTo(0x9877);
    }

    // RFC 5040 §4.8: the DDP header of the message at fault, and the RDMAP header of a Read Request.
    @Test
    @Requirement("RDMAP-4.8-03")
    void theRefusedReadIsShownWithWhatItAskedFor() {
        HostileFixture fixture = HostileFixture.initiator();
        fixture.side.read(1, fixture.local, 0, 8, fixture.open, 16);
        fixture.peer.settle();
        byte[] offender = fixture.peer.answers.getFirst().octets();
        fixture.peer.inject(Segments.terminate(0, 1, 1, 0xE0, returned(offender, 18 + READ_HEADER)));

        STag sink = STag.of(fixture.local.stag());
        STag source = STag.of(fixture.open.stag());
        assertThat(cause(fixture).terminatedSegment())
                .contains(new TerminatedSegment.Untagged(
                        1,
                        true,
                        46,
                        1,
                        1,
                        0,
                        null,
                        new TerminatedSegment.ReadRequest(
                                sink, fixture.local.base, 8, source, HostileFixture.BASE + 16)));
        assertThat(fixture.side.cause())
                .contains(
                        " in RDMA Read Request, queue 1, MSN 1, MO 0, segment of 46 bytes: 8 bytes of STag " + source,
                        " at 0x10010 to STag " + sink);
        assertThat(fixture.side.sends.brief()).containsExactly("1 REMOTE_ACCESS_ERROR");
        assertThat(fixture.side.sends.last().vendorError()).isEqualTo(0x0101);
    }

    // RFC 7306 §8.1: the DDP header alone.
    @Test
    void theRefusedAtomicIsShownByItsSequenceNumber() {
        HostileFixture fixture = HostileFixture.initiator();
        fixture.side.fetchAdd(1, fixture.local, 8, fixture.open, 0, 1);
        fixture.peer.settle();
        byte[] offender = fixture.peer.answers.getFirst().octets();
        fixture.peer.inject(Segments.terminate(0, 2, 7, 0xC0, returned(offender, 18)));
        assertThat(cause(fixture).terminatedSegment())
                .contains(new TerminatedSegment.Untagged(10, true, 70, 1, 1, 0, null, null));
        assertThat(fixture.side.cause()).contains(" in Atomic Request, queue 1, MSN 1, MO 0, segment of 70 bytes");
        assertThat(fixture.side.sends.brief()).containsExactly("1 REMOTE_INVALID_REQUEST");
    }

    @Test
    void theRefusedInvalidationIsShownWithItsStag() {
        HostileFixture fixture = HostileFixture.initiator();
        fixture.side.post(SendOpcode.SEND_WITH_INVALIDATE, 1, fixture.local, 0, 8, 0, 0, 0x700);
        fixture.peer.settle();
        byte[] offender = fixture.peer.answers.getFirst().octets();
        fixture.peer.inject(Segments.terminate(0, 1, 9, 0xC0, returned(offender, 18)));
        assertThat(cause(fixture).terminatedSegment())
                .contains(new TerminatedSegment.Untagged(4, true, 26, 0, 1, 0, STag.of(0x700), null));
        assertThat(fixture.side.cause()).contains(" in Send with Invalidate of STag " + STag.of(0x700) + ", queue 0");
    }

    @Test
    void headersThatAreCutOffAreNotGuessed() {
        for (int octets : new int[] {2, 3, 15}) {
            HostileFixture fixture = HostileFixture.initiator();
            byte[] offender = Segments.write(1, 0);
            fixture.peer.inject(Segments.terminate(1, 1, 0, 0xC0, Arrays.copyOf(returned(offender, 14), octets)));
            assertThat(cause(fixture).reason()).isEqualTo(TerminateReason.TAGGED_INVALID_STAG);
            assertThat(cause(fixture).terminatedSegment())
                    .as("%d octets", octets)
                    .isEmpty();
        }
    }

    private static byte[] returned(byte[] offender, int headers) {
        return ByteBuffer.allocate(2 + headers)
                .putShort((short) offender.length)
                .put(offender, 0, headers)
                .array();
    }

    private static TerminateCause cause(HostileFixture fixture) {
        return Objects.requireNonNull(fixture.side.stream.terminateCause());
    }

    private static String code(TerminateCode code) {
        return "%x/%x/%02x".formatted(code.layer(), code.errorType(), code.code());
    }

    private static int number(String code) {
        return Integer.parseInt(code.replace("/", ""), 16);
    }
}

package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.iwarp.core.StartupFrames.A;
import static org.panamaverbs.iwarp.core.StartupFrames.B;
import static org.panamaverbs.iwarp.core.StartupFrames.C;
import static org.panamaverbs.iwarp.core.StartupFrames.D;
import static org.panamaverbs.iwarp.core.StartupFrames.OPEN;
import static org.panamaverbs.iwarp.core.StartupFrames.R_FLAG;
import static org.panamaverbs.iwarp.core.StartupFrames.S_FLAG;
import static org.panamaverbs.iwarp.core.StartupFrames.block;
import static org.panamaverbs.iwarp.core.StartupFrames.config;
import static org.panamaverbs.iwarp.core.StartupFrames.drain;
import static org.panamaverbs.iwarp.core.StartupFrames.enhanced;
import static org.panamaverbs.iwarp.core.StartupFrames.initiatorGot;
import static org.panamaverbs.iwarp.core.StartupFrames.replyTo;
import static org.panamaverbs.iwarp.core.StartupFrames.responderGot;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.iwarp.core.setup.MpaStartup;
import org.panamaverbs.iwarp.core.setup.MpaStartup.State;
import org.panamaverbs.iwarp.core.setup.Rtr;
import org.panamaverbs.iwarp.core.setup.StartupConfig;
import org.panamaverbs.iwarp.wire.Samples;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.testkit.Requirement;

/** What the two sides settle on: limits of Reads and the ready-to-receive message (RFC 6581 §9). */
class StartupNegotiationTest {
    // RFC 6581 §9.1: own IRD, own ORD, how far the IRD may rise; theirs; what is answered.
    @ParameterizedTest
    @CsvSource({
        "8, 16, 8, 16, 8, 8, 16",
        "8, 16, 8, 4, 8, 8, 4",
        "2, 16, 32, 16, 20, 20, 16",
        "2, 16, 8, 16, 20, 8, 16",
        "4, 4, 4, 0, 0, 4, 0",
        "4, 3, 4, 16382, 1, 4, 3",
    })
    @Requirement({"ENH-9-01", "ENH-9.1-01", "ENH-9.1-02", "ENH-9.1-03", "ENH-9.1-04", "SEC-7.2-01"})
    void responderFitsItsLimitsToTheRequest(
            int ird, int ord, int maxIrd, int askedIrd, int askedOrd, int irdOut, int ordOut) {
        StartupConfig config = StartupConfig.builder()
                .crc(true)
                .peerToPeer(true)
                .ird(ird)
                .ord(ord)
                .maxIrd(maxIrd)
                .rtrWrite(true)
                .rtrRead(true)
                .build();
        MpaStartup responder = responderGot(config, enhanced(false, A | C | askedIrd << 16 | askedOrd));
        assertThat(responder.peerIrd()).isEqualTo(askedIrd);
        assertThat(responder.peerOrd()).isEqualTo(askedOrd);
        responder.accept(config);
        int answer = block(drain(responder));
        assertThat(answer >>> 16 & OPEN).isEqualTo(irdOut);
        assertThat(answer & OPEN).isEqualTo(ordOut);
        assertThat(responder.negotiated().ird()).isGreaterThanOrEqualTo(Math.min(irdOut, askedOrd));
        assertThat(responder.negotiated().ord()).isEqualTo(ordOut);
    }

    @Test
    @Requirement({"ENH-9.1-05", "ENH-9.2-04"})
    void keepsASlotForAReadThatOnlyOpens() {
        StartupConfig config = StartupConfig.builder()
                .crc(true)
                .peerToPeer(true)
                .ord(4)
                .maxIrd(4)
                .rtrWrite(true)
                .rtrRead(true)
                .build();
        int answer = block(replyTo(config, enhanced(false, A | D | 4 << 16)));
        assertThat(answer & (A | B | C | D)).isEqualTo(A | D);
        assertThat(answer >>> 16 & OPEN).isGreaterThanOrEqualTo(1);
    }

    @Test
    @Requirement({"ENH-9.1-11", "ENH-9.1-12", "ENH-9.1-13", "ENH-9.1-14"})
    void leavesLimitsToTheApplicationIfThePeerDoes() {
        StartupConfig config = config(2, false, 6, 7, "");
        MpaStartup responder = responderGot(config, enhanced(false, OPEN << 16 | OPEN));
        responder.accept(config);
        int answer = block(drain(responder));
        assertThat(answer >>> 16 & OPEN).isEqualTo(OPEN);
        assertThat(answer & OPEN).isEqualTo(OPEN);
        assertThat(responder.negotiated().ird()).isEqualTo(6);
        assertThat(responder.negotiated().ord()).isEqualTo(7);

        StartupConfig roomy = StartupConfig.builder()
                .crc(true)
                .ird(6)
                .ord(7)
                .maxIrd(32)
                .rtrWrite(true)
                .rtrRead(true)
                .build();
        MpaStartup unasked = responderGot(roomy, enhanced(false, OPEN << 16 | OPEN));
        unasked.accept(roomy);
        assertThat(unasked.negotiated().ird()).as("not raised").isEqualTo(6);
        assertThat(initiatorGot(roomy, Samples.bytes("M07")).negotiated().ird()).isEqualTo(6);

        int half = block(replyTo(config, enhanced(false, 5 << 16 | OPEN)));
        assertThat(half >>> 16 & OPEN).isEqualTo(OPEN);
        assertThat(half & OPEN).isEqualTo(5);

        MpaStartup initiator = initiatorGot(config, Samples.bytes("M07"));
        assertThat(initiator.state()).isEqualTo(State.DONE);
        assertThat(initiator.startFault()).isNull();
        assertThat(initiator.negotiated().ird()).isEqualTo(6);
        assertThat(initiator.negotiated().ord()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({"3, 8, 3", "8, 8, 7", "16382, 2, 7", "0, 0, 0"})
    @Requirement({"ENH-9.3-01", "ENH-9.1-01", "ENH-9.1-08"})
    void initiatorFitsItsLimitsToTheReply(int repliedIrd, int repliedOrd, int ord) {
        MpaStartup initiator =
                initiatorGot(config(2, true, 8, 7, ""), enhanced(true, A | C | repliedIrd << 16 | repliedOrd));
        assertThat(initiator.startFault()).isNull();
        assertThat(initiator.peerIrd()).isEqualTo(repliedIrd);
        assertThat(initiator.peerOrd()).isEqualTo(repliedOrd);
        assertThat(initiator.negotiated().ord()).isEqualTo(ord);
        assertThat(initiator.negotiated().ird()).isGreaterThanOrEqualTo(repliedOrd);
        assertThat(initiator.negotiated().peerIrd()).isEqualTo(repliedIrd);
        assertThat(initiator.negotiated().peerOrd()).isEqualTo(repliedOrd);
    }

    // RFC 6581 §9.1: "the initiator MUST set its IRD to a value at least equal to the responder ORD".
    @ParameterizedTest
    @CsvSource({"2, 8", "9, 9", "32, 32"})
    @Requirement("ENH-9.1-08")
    void initiatorRaisesItsIrdToTheResponderOrd(int repliedOrd, int ird) {
        StartupConfig config = StartupConfig.builder()
                .crc(true)
                .peerToPeer(true)
                .ird(8)
                .ord(7)
                .maxIrd(32)
                .rtrWrite(true)
                .rtrRead(true)
                .build();
        MpaStartup initiator = initiatorGot(config, enhanced(true, A | C | 8 << 16 | repliedOrd));
        assertThat(initiator.startFault()).isNull();
        assertThat(initiator.negotiated().ird()).isEqualTo(ird);
    }

    // RFC 6581 §9.1, §9.2: what cannot work is terminated by the initiator's first FPDU.
    @Test
    @Requirement({"ENH-8-01", "ENH-9.1-07", "ENH-9.1-09", "ENH-9.2-11"})
    void initiatorTerminatesWhatCannotWork() {
        StartupConfig config = config(2, true, 8, 7, "");
        MpaStartup tooMany = initiatorGot(config, enhanced(true, A | C | 8 << 16 | 9));
        assertThat(tooMany.startFault()).isEqualTo(TerminateCode.MPA_INSUFFICIENT_IRD);
        MpaStartup noRtr = initiatorGot(config, enhanced(true, A | B | 8 << 16 | 8));
        assertThat(noRtr.startFault()).isEqualTo(TerminateCode.MPA_NO_MATCHING_RTR);

        Side poor = new Side(4, new Pipe(), new Pipe());
        poor.stream.start(tooMany.negotiated().withEmss(Pair.EMSS), 0);
        poor.stream.fail(Fault.local(TerminateCode.MPA_INSUFFICIENT_IRD, ""), 0);
        poor.settle(0);
        List<Segments.Parsed> said = new Wiretap().take(poor.out.drain());
        assertThat(said)
                .singleElement()
                .satisfies(only -> assertThat(only.octets()).isEqualTo(Segments.terminate(2, 0, 6, 0)));
        assertThat(poor.out.finished()).isTrue();

        Side side = new Side(3, new Pipe(), new Pipe());
        side.stream.start(noRtr.negotiated().withEmss(Pair.EMSS), 0);
        side.stream.fail(Fault.local(TerminateCode.MPA_NO_MATCHING_RTR, ""), 0);
        side.settle(0);
        assertThat(side.out.drain()).isEqualTo(Samples.bytes("T09"));
        assertThat(side.out.finished()).isTrue();
    }

    // bits of the request, what the responder knows (Write, Read, Send), bits of the reply
    @ParameterizedTest
    @CsvSource({
        "BCD, true, true, true, C",
        "CD, true, true, false, C",
        "D, true, true, true, D",
        "BD, true, true, false, D",
        "B, true, true, true, B",
        "BC, false, false, true, B",
        "CD, false, true, false, D",
        "CD, false, false, true, B",
        "B, false, true, false, D",
        "B, true, false, false, C",
    })
    @Requirement({"ENH-9-01", "ENH-9.2-04", "ENH-9.2-05", "ENH-9.2-07", "ENH-9.2-09"})
    void responderChoosesOneReadyToReceiveMessage(
            String asked, boolean write, boolean read, boolean send, String answer) {
        StartupConfig config = StartupConfig.builder()
                .crc(true)
                .peerToPeer(true)
                .ird(4)
                .ord(4)
                .maxIrd(4)
                .rtrWrite(write)
                .rtrRead(read)
                .rtrSend(send)
                .build();
        int bits = block(replyTo(config, enhanced(false, A | bits(asked) | 4 << 16 | 4))) & (A | B | C | D);
        assertThat(bits).isEqualTo(A | bits(answer));
    }

    @ParameterizedTest
    @CsvSource({"CD, WRITE", "C, WRITE", "D, READ", "BD, READ", "BCD, WRITE"})
    @Requirement({"ENH-9-01", "ENH-9.2-10"})
    void initiatorSendsOneThatBothKnow(String answered, Rtr rtr) {
        MpaStartup initiator =
                initiatorGot(config(2, true, 4, 4, ""), enhanced(true, A | bits(answered) | 4 << 16 | 4));
        assertThat(initiator.startFault()).isNull();
        assertThat(initiator.negotiated().rtr()).isEqualTo(rtr);
    }

    private static int bits(String letters) {
        return (letters.contains("B") ? B : 0) | (letters.contains("C") ? C : 0) | (letters.contains("D") ? D : 0);
    }

    // RFC 6581 §9.2: without A the other bits mean nothing and are not sent.
    @Test
    @Requirement({"ENH-9.2-12", "ENH-9.2-13", "ENH-9.2-14", "ENH-9.2-15"})
    void ignoresReadyToReceiveBitsOfClientServerFrames() {
        int answer = block(replyTo(config(2, true, 4, 4, ""), enhanced(false, B | C | D | 4 << 16 | 4)));
        assertThat(answer & (A | B | C | D)).isZero();
        MpaStartup initiator = initiatorGot(config(2, false, 4, 4, ""), enhanced(true, B | C | D | 4 << 16 | 4));
        assertThat(initiator.startFault()).isNull();
        assertThat(initiator.negotiated().rtr()).isEqualTo(Rtr.NONE);
        MpaStartup peerToPeer = initiatorGot(config(2, true, 4, 4, ""), enhanced(true, B | C | D | 4 << 16 | 4));
        assertThat(peerToPeer.negotiated().rtr()).isEqualTo(Rtr.NONE);
        assertThat(peerToPeer.startFault()).isEqualTo(TerminateCode.MPA_NO_MATCHING_RTR);
        assertThat(block(drain(MpaStartup.initiator(config(2, false, 4, 4, "")))) & (A | B | C | D))
                .isZero();
    }

    @Test
    void rejectsWithTheBlockIfTheRequestHadIt() {
        MpaStartup responder = responderGot(config(2, true, 4, 4, ""), Samples.bytes("M04"));
        responder.reject("no".getBytes(StandardCharsets.US_ASCII));
        byte[] reply = drain(responder);
        assertThat(reply[16] & (R_FLAG | S_FLAG)).isEqualTo(R_FLAG | S_FLAG);
        assertThat(reply[17]).isEqualTo((byte) 2);
        assertThat(reply).hasSize(20 + 4 + 2);
        MpaStartup initiator = initiatorGot(config(2, true, 16, 8, "cfg!"), reply);
        assertThat(initiator.state()).isEqualTo(State.REJECTED);
        assertThat(initiator.peerPrivateData()).isEqualTo("no".getBytes(StandardCharsets.US_ASCII));
    }
}

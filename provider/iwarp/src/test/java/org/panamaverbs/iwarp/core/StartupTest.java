package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.iwarp.core.MpaStartup.FailureReason;
import org.panamaverbs.iwarp.core.MpaStartup.State;
import org.panamaverbs.iwarp.wire.Samples;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.testkit.Requirement;

/** The exchange of MPA Request and Reply: RFC 5044 §7.1 and RFC 6581. */
@Requirement({
    "MPA-7.1.1-07",
    "MPA-7.1.1-09",
    "MPA-7.1.1-10",
    "MPA-7.1.1-11",
    "MPA-7.1.1-12",
    "MPA-7.1.1-13",
    "MPA-7.1.1-14",
    "MPA-7.1.1-15",
    "MPA-7.1.1-16",
    "MPA-7.1.1-17",
    "MPA-7.1.2-1-01",
    "MPA-7.1.2-1-02",
    "MPA-7.1.2-2-02",
    "MPA-7.1.2-2-03",
    "MPA-7.1.2-3-01",
    "MPA-7.1.2-3-02",
    "MPA-7.1.2-5-01",
    "MPA-7.1.2-8-01",
    "MPA-7.1.2-9-01",
    "MPA-7.1.2-9-02",
    "MPA-8-4-01",
    "MPA-C.2-01",
    "ENH-6-01",
    "ENH-6-02",
    "ENH-6-05",
    "ENH-6-06",
    "ENH-6-07",
    "ENH-7-01",
    "ENH-8-01",
    "ENH-9-01",
    "ENH-9.1-01",
    "ENH-9.1-02",
    "ENH-9.1-03",
    "ENH-9.1-04",
    "ENH-9.1-05",
    "ENH-9.1-07",
    "ENH-9.1-08",
    "ENH-9.1-09",
    "ENH-9.1-11",
    "ENH-9.1-12",
    "ENH-9.1-13",
    "ENH-9.1-14",
    "ENH-9.2-01",
    "ENH-9.2-02",
    "ENH-9.2-04",
    "ENH-9.2-05",
    "ENH-9.2-07",
    "ENH-9.2-09",
    "ENH-9.2-11",
    "ENH-9.2-12",
    "ENH-9.2-13",
    "ENH-9.2-14",
    "ENH-9.2-15",
    "ENH-10-01",
    "ENH-10-03",
    "ENH-12-01"
})
class StartupTest {
    private static final int A = 1 << 31;
    private static final int B = 1 << 30;
    private static final int C = 1 << 15;
    private static final int D = 1 << 14;
    private static final int M_FLAG = 0x80;
    private static final int C_FLAG = 0x40;
    private static final int R_FLAG = 0x20;
    private static final int S_FLAG = 0x10;
    private static final int OPEN = 0x3FFF;

    private static StartupConfig config(int revision, boolean peerToPeer, int ird, int ord, String data) {
        return new StartupConfig(
                true,
                false,
                revision,
                peerToPeer,
                ird,
                ord,
                ird,
                true,
                true,
                false,
                data.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] drain(MpaStartup startup) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (ByteBuffer buffer = startup.transmitBuffer(); buffer.hasRemaining(); buffer = startup.transmitBuffer()) {
            all.write(buffer.get());
        }
        return all.toByteArray();
    }

    /** Offers octets, {@code most} at a time, and returns how many were taken. */
    private static int feed(MpaStartup startup, byte[] octets, int most) {
        int from = 0;
        while (from < octets.length) {
            ByteBuffer into = startup.receiveBuffer();
            int count = Math.min(Math.min(most, into.remaining()), octets.length - from);
            if (count == 0) {
                break;
            }
            into.put(octets, from, count);
            from += count;
            startup.received();
        }
        return from;
    }

    private static int feed(MpaStartup startup, byte... octets) {
        return feed(startup, octets, Integer.MAX_VALUE);
    }

    private static byte[] frame(boolean reply, int flags, int revision, byte... privateData) {
        return ByteBuffer.allocate(20 + privateData.length)
                .put((reply ? "MPA ID Rep Frame" : "MPA ID Req Frame").getBytes(StandardCharsets.US_ASCII))
                .put((byte) flags)
                .put((byte) revision)
                .putShort((short) privateData.length)
                .put(privateData)
                .array();
    }

    private static byte[] enhanced(boolean reply, int block) {
        return frame(
                reply, C_FLAG | S_FLAG, 2, ByteBuffer.allocate(4).putInt(block).array());
    }

    private static int block(byte[] frame) {
        return ByteBuffer.wrap(frame).getInt(20);
    }

    private static MpaStartup responderGot(StartupConfig config, byte... request) {
        MpaStartup responder = MpaStartup.responder(config);
        feed(responder, request);
        return responder;
    }

    private static byte[] replyTo(StartupConfig config, byte... request) {
        MpaStartup responder = responderGot(config, request);
        assertThat(responder.state()).isEqualTo(State.REQUEST_READY);
        responder.accept(config);
        return drain(responder);
    }

    private static MpaStartup initiatorGot(StartupConfig config, byte... reply) {
        MpaStartup initiator = MpaStartup.initiator(config);
        drain(initiator);
        feed(initiator, reply);
        return initiator;
    }

    @Test
    @Requirement("MPA-7.1.1-01")
    void asksAsInTheWorkedExamples() {
        assertThat(drain(MpaStartup.initiator(config(1, false, 4, 4, "")))).isEqualTo(Samples.bytes("M01"));
        assertThat(drain(MpaStartup.initiator(config(2, true, 16, 8, "cfg!")))).isEqualTo(Samples.bytes("M04"));
        StartupConfig siw = new StartupConfig(false, false, 2, false, 128, 128, 128, true, true, false, new byte[0]);
        assertThat(drain(MpaStartup.initiator(siw))).isEqualTo(Samples.bytes("M06"));
    }

    @Test
    @Requirement({"MPA-7.1.1-03", "MPA-7.1.2-2-05"})
    void answersAsInTheWorkedExamples() {
        assertThat(replyTo(config(2, false, 4, 4, "ok"), Samples.bytes("M01"))).isEqualTo(Samples.bytes("M02"));
        assertThat(replyTo(config(2, true, 8, 16, ""), Samples.bytes("M04"))).isEqualTo(Samples.bytes("M05"));
        MpaStartup rejecting = responderGot(config(2, false, 4, 4, ""), Samples.bytes("M01"));
        rejecting.reject("full".getBytes(StandardCharsets.US_ASCII));
        assertThat(drain(rejecting)).isEqualTo(Samples.bytes("M03"));
        assertThat(rejecting.state()).isEqualTo(State.REJECTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"M02", "M03"})
    @Requirement("MPA-7.1.2-3-04")
    void takesRevisionOneReplies(String sample) {
        MpaStartup initiator = initiatorGot(config(1, false, 4, 5, ""), Samples.bytes(sample));
        boolean rejected = "M03".equals(sample);
        assertThat(initiator.state()).isEqualTo(rejected ? State.REJECTED : State.DONE);
        assertThat(new String(initiator.peerPrivateData(), StandardCharsets.US_ASCII))
                .isEqualTo(rejected ? "full" : "ok");
        assertThat(initiator.peerIrd()).isEqualTo(-1);
        assertThat(initiator.peerOrd()).isEqualTo(-1);
        if (!rejected) {
            assertThat(initiator.negotiated().ird()).isEqualTo(4);
            assertThat(initiator.negotiated().ord()).isEqualTo(5);
            assertThat(initiator.negotiated().revision()).isEqualTo(1);
            assertThat(initiator.negotiated().initiator()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"false,false", "false,true", "true,false", "true,true"})
    @Requirement("MPA-4.4-05")
    void usesCrcIfEitherSideWantsIt(boolean asked, boolean answered) {
        StartupConfig asking = withCrcAndMarkers(asked, false);
        StartupConfig answering = withCrcAndMarkers(answered, false);
        MpaStartup[] both = exchange(asking, answering);
        assertThat(both[0].negotiated().crc()).isEqualTo(asked || answered);
        assertThat(both[1].negotiated().crc()).isEqualTo(asked || answered);
    }

    @ParameterizedTest
    @CsvSource({"false,false", "false,true", "true,false", "true,true"})
    void sendsMarkersToWhoWantsThem(boolean asked, boolean answered) {
        MpaStartup[] both = exchange(withCrcAndMarkers(true, asked), withCrcAndMarkers(true, answered));
        assertThat(both[0].negotiated().markersIn()).isEqualTo(asked);
        assertThat(both[0].negotiated().markersOut()).isEqualTo(answered);
        assertThat(both[1].negotiated().markersIn()).isEqualTo(answered);
        assertThat(both[1].negotiated().markersOut()).isEqualTo(asked);
    }

    private static StartupConfig withCrcAndMarkers(boolean crc, boolean markers) {
        return new StartupConfig(crc, markers, 2, true, 8, 8, 8, true, true, false, new byte[0]);
    }

    private static MpaStartup[] exchange(StartupConfig asking, StartupConfig answering) {
        MpaStartup initiator = MpaStartup.initiator(asking);
        MpaStartup responder = responderGot(answering, drain(initiator));
        assertThat(responder.state()).isEqualTo(State.REQUEST_READY);
        responder.accept(answering);
        feed(initiator, drain(responder));
        assertThat(initiator.state()).isEqualTo(State.DONE);
        assertThat(responder.state()).isEqualTo(State.DONE);
        return new MpaStartup[] {initiator, responder};
    }

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
    void responderFitsItsLimitsToTheRequest(
            int ird, int ord, int maxIrd, int askedIrd, int askedOrd, int irdOut, int ordOut) {
        StartupConfig config =
                new StartupConfig(true, false, 2, true, ird, ord, maxIrd, true, true, false, new byte[0]);
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
    void keepsASlotForAReadThatOnlyOpens() {
        StartupConfig config = new StartupConfig(true, false, 2, true, 0, 4, 4, true, true, false, new byte[0]);
        int answer = block(replyTo(config, enhanced(false, A | D | 4 << 16)));
        assertThat(answer & (A | B | C | D)).isEqualTo(A | D);
        assertThat(answer >>> 16 & OPEN).isGreaterThanOrEqualTo(1);
    }

    @Test
    void leavesLimitsToTheApplicationIfThePeerDoes() {
        StartupConfig config = config(2, false, 6, 7, "");
        MpaStartup responder = responderGot(config, enhanced(false, OPEN << 16 | OPEN));
        responder.accept(config);
        int answer = block(drain(responder));
        assertThat(answer >>> 16 & OPEN).isEqualTo(OPEN);
        assertThat(answer & OPEN).isEqualTo(OPEN);
        assertThat(responder.negotiated().ird()).isEqualTo(6);
        assertThat(responder.negotiated().ord()).isEqualTo(7);

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
    @Requirement("ENH-9.3-01")
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

    // RFC 6581 §9.1, §9.2: what cannot work is terminated by the initiator's first FPDU.
    @Test
    void initiatorTerminatesWhatCannotWork() {
        StartupConfig config = config(2, true, 8, 7, "");
        MpaStartup tooMany = initiatorGot(config, enhanced(true, A | C | 8 << 16 | 9));
        assertThat(tooMany.startFault()).isEqualTo(TerminateCode.MPA_INSUFFICIENT_IRD);
        MpaStartup noRtr = initiatorGot(config, enhanced(true, A | B | 8 << 16 | 8));
        assertThat(noRtr.startFault()).isEqualTo(TerminateCode.MPA_NO_MATCHING_RTR);

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
    void responderChoosesOneReadyToReceiveMessage(
            String asked, boolean write, boolean read, boolean send, String answer) {
        StartupConfig config = new StartupConfig(true, false, 2, true, 4, 4, 4, write, read, send, new byte[0]);
        int bits = block(replyTo(config, enhanced(false, A | bits(asked) | 4 << 16 | 4))) & (A | B | C | D);
        assertThat(bits).isEqualTo(A | bits(answer));
    }

    @ParameterizedTest
    @CsvSource({"CD, WRITE", "C, WRITE", "D, READ", "BD, READ", "BCD, WRITE"})
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
    void ignoresReadyToReceiveBitsOfClientServerFrames() {
        int answer = block(replyTo(config(2, true, 4, 4, ""), enhanced(false, B | C | D | 4 << 16 | 4)));
        assertThat(answer & (A | B | C | D)).isZero();
        MpaStartup initiator = initiatorGot(config(2, false, 4, 4, ""), enhanced(true, B | C | D | 4 << 16 | 4));
        assertThat(initiator.startFault()).isNull();
        assertThat(initiator.negotiated().rtr()).isEqualTo(Rtr.NONE);
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

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 255})
    void refusesOtherRevisions(int revision) {
        MpaStartup responder = responderGot(config(2, true, 4, 4, ""), frame(false, C_FLAG | M_FLAG, revision));
        assertThat(responder.state()).isEqualTo(State.FAILED);
        assertThat(reason(responder)).isEqualTo(FailureReason.REVISION);
        MpaStartup initiator = initiatorGot(config(1, false, 4, 4, ""), frame(true, C_FLAG, revision));
        assertThat(initiator.state()).isEqualTo(State.FAILED);
        assertThat(reason(initiator)).isEqualTo(FailureReason.REVISION);
    }

    @Test
    void refusesRevisionTwoIfOnlyOneIsWanted() {
        MpaStartup responder = responderGot(config(1, true, 4, 4, ""), Samples.bytes("M04"));
        assertThat(responder.state()).isEqualTo(State.FAILED);
        assertThat(reason(responder)).isEqualTo(FailureReason.REVISION);
    }

    @Test
    void mirrorsRevisionAndBlock() {
        byte[] plain = replyTo(config(2, true, 4, 4, ""), frame(false, C_FLAG, 1));
        assertThat(plain).isEqualTo(frame(true, C_FLAG, 1));
        byte[] withoutBlock = replyTo(config(2, true, 4, 4, ""), frame(false, C_FLAG, 2));
        assertThat(withoutBlock[17]).isEqualTo((byte) 2);
        assertThat(withoutBlock[16] & S_FLAG).isZero();
        assertThat(withoutBlock).hasSize(20);
    }

    // RFC 5044 §7.1.1: Res bits and the R of a request are not checked; RFC 6581 §6: S was one of them.
    @Test
    void ignoresReservedBits() {
        byte[] data = {1, 2, 3, 4, 5};
        MpaStartup old =
                responderGot(config(2, true, 4, 4, ""), frame(false, C_FLAG | R_FLAG | S_FLAG | 0x0F, 1, data));
        assertThat(old.state()).isEqualTo(State.REQUEST_READY);
        assertThat(old.peerPrivateData()).isEqualTo(data);
        assertThat(old.peerIrd()).isEqualTo(-1);
        old.accept(config(2, true, 4, 4, ""));
        assertThat(drain(old)[16] & 0xFF).isEqualTo(C_FLAG);
        byte[] odd = Samples.bytes("M04");
        odd[16] |= R_FLAG | 0x0F;
        assertThat(responderGot(config(2, true, 4, 4, ""), odd).state()).isEqualTo(State.REQUEST_READY);
    }

    @Test
    @Requirement({"MPA-7.1.1-02", "MPA-7.1.1-04"})
    void refusesMalformedFrames() {
        StartupConfig config = config(2, true, 4, 4, "");
        for (int octet = 0; octet < 16; octet++) {
            byte[] bad = Samples.bytes("M04");
            bad[octet] ^= 0x20;
            assertMalformed(responderGot(config, bad));
            byte[] badReply = Samples.bytes("M05");
            badReply[octet] ^= 0x20;
            assertMalformed(initiatorGot(config, badReply));
        }
        assertMalformed(responderGot(config, Samples.bytes("M05")));
        assertMalformed(initiatorGot(config, Samples.bytes("M04")));
        assertMalformed(responderGot(config, frame(false, C_FLAG, 1, new byte[513])));
        assertMalformed(responderGot(config, frame(false, C_FLAG, 1, new byte[65_535])));
        assertMalformed(initiatorGot(config, frame(true, C_FLAG, 2, new byte[513])));
        for (int length = 0; length < 4; length++) {
            assertMalformed(responderGot(config, frame(false, C_FLAG | S_FLAG, 2, new byte[length])));
            assertMalformed(initiatorGot(config, frame(true, C_FLAG | S_FLAG, 2, new byte[length])));
        }
    }

    private static FailureReason reason(MpaStartup startup) {
        return Objects.requireNonNull(startup.failure(), "did not fail").reason();
    }

    private static void assertMalformed(MpaStartup startup) {
        assertThat(startup.state()).isEqualTo(State.FAILED);
        assertThat(reason(startup)).isEqualTo(FailureReason.MALFORMED);
        assertThat(Objects.requireNonNull(startup.failure()).text()).isNotBlank();
        assertThat(startup.receiveBuffer().hasRemaining()).isFalse();
        assertThat(startup.transmitBuffer().hasRemaining()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 251, 508})
    void carriesPrivateData(int length) {
        byte[] data = new byte[length];
        new java.util.Random(length).nextBytes(data);
        StartupConfig config = new StartupConfig(true, false, 2, true, 4, 4, 4, true, true, false, data);
        MpaStartup[] both = exchange(config, config);
        assertThat(both[0].peerPrivateData()).isEqualTo(data);
        assertThat(both[1].peerPrivateData()).isEqualTo(data);
        assertThat(both[1].maxPrivateData()).isEqualTo(508);
    }

    @Test
    void refusesToSendMorePrivateDataThanFits() {
        StartupConfig tooMuch = new StartupConfig(true, false, 2, true, 4, 4, 4, true, true, false, new byte[509]);
        assertThatThrownBy(() -> MpaStartup.initiator(tooMuch)).isInstanceOf(IllegalArgumentException.class);
        MpaStartup responder = responderGot(config(2, true, 4, 4, ""), Samples.bytes("M04"));
        assertThatThrownBy(() -> responder.accept(tooMuch)).isInstanceOf(IllegalArgumentException.class);
        MpaStartup old = responderGot(config(2, true, 4, 4, ""), Samples.bytes("M01"));
        assertThat(old.maxPrivateData()).isEqualTo(512);
        old.reject(new byte[512]);
        assertThat(drain(old)).hasSize(532);
    }

    @Test
    void takesAFrameInAnyPiecesAndNothingBehindIt() {
        for (String sample : new String[] {"M01", "M04", "M06"}) {
            byte[] request = Samples.bytes(sample);
            byte[] more = Arrays.copyOf(request, request.length + 40);
            for (int most = 1; most <= more.length; most++) {
                MpaStartup responder = MpaStartup.responder(config(2, true, 4, 4, ""));
                assertThat(feed(responder, more, most)).isEqualTo(request.length);
                assertThat(responder.state()).isEqualTo(State.REQUEST_READY);
                assertThat(responder.receiveBuffer().remaining()).isZero();
            }
        }
        for (int most = 1; most < 30; most++) {
            MpaStartup initiator = MpaStartup.initiator(config(2, true, 16, 16, ""));
            drain(initiator);
            byte[] more = Arrays.copyOf(Samples.bytes("M05"), 64);
            assertThat(feed(initiator, more, most)).isEqualTo(24);
            assertThat(initiator.state()).isEqualTo(State.DONE);
        }
    }

    @Test
    @Requirement("MPA-7.1.2-2-01")
    void failsIfThePeerLeavesInTheMiddle() {
        for (int octets = 0; octets < 28; octets++) {
            MpaStartup responder = responderGot(config(2, true, 4, 4, ""), Arrays.copyOf(Samples.bytes("M04"), octets));
            assertThat(responder.state()).isEqualTo(State.IN_PROGRESS);
            responder.endOfStream();
            assertThat(responder.state()).isEqualTo(State.FAILED);
            assertThat(reason(responder)).isEqualTo(FailureReason.CLOSED);
        }
    }

    @Test
    void survivesNonsense() {
        SplittableRandom random = new SplittableRandom(6581);
        String[] samples = {"M01", "M02", "M03", "M04", "M05", "M06", "M07"};
        for (int round = 0; round < 20_000; round++) {
            byte[] octets = Arrays.copyOf(Samples.bytes(samples[random.nextInt(samples.length)]), 64);
            for (int flips = random.nextInt(4); flips >= 0; flips--) {
                octets[16 + random.nextInt(12)] = (byte) random.nextInt();
            }
            StartupConfig config = config(1 + random.nextInt(2), random.nextBoolean(), 4, 4, "");
            MpaStartup responder = responderGot(config, octets);
            if (responder.state() == State.REQUEST_READY) {
                responder.accept(config);
                assertThat(drain(responder).length).isBetween(20, 24);
                assertThat(responder.negotiated().ird()).isBetween(0, 4);
                assertThat(responder.negotiated().ord()).isBetween(0, 4);
            }
            MpaStartup initiator = initiatorGot(config, octets);
            if (initiator.state() == State.DONE && initiator.startFault() == null) {
                assertThat(initiator.negotiated().ird()).isBetween(0, 4);
                assertThat(initiator.negotiated().ord()).isBetween(0, 4);
            }
        }
    }
}

package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.iwarp.core.StartupFrames.C_FLAG;
import static org.panamaverbs.iwarp.core.StartupFrames.M_FLAG;
import static org.panamaverbs.iwarp.core.StartupFrames.R_FLAG;
import static org.panamaverbs.iwarp.core.StartupFrames.S_FLAG;
import static org.panamaverbs.iwarp.core.StartupFrames.config;
import static org.panamaverbs.iwarp.core.StartupFrames.drain;
import static org.panamaverbs.iwarp.core.StartupFrames.feed;
import static org.panamaverbs.iwarp.core.StartupFrames.frame;
import static org.panamaverbs.iwarp.core.StartupFrames.initiatorGot;
import static org.panamaverbs.iwarp.core.StartupFrames.replyTo;
import static org.panamaverbs.iwarp.core.StartupFrames.responderGot;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.iwarp.core.setup.MpaStartup;
import org.panamaverbs.iwarp.core.setup.MpaStartup.FailureReason;
import org.panamaverbs.iwarp.core.setup.MpaStartup.State;
import org.panamaverbs.iwarp.core.setup.Rtr;
import org.panamaverbs.iwarp.core.setup.StartupConfig;
import org.panamaverbs.iwarp.wire.EnhancedBlock;
import org.panamaverbs.iwarp.wire.MpaFrame;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.Samples;
import org.panamaverbs.testkit.Requirement;

/** The exchange of MPA Request and Reply: RFC 5044 §7.1 and RFC 6581. */
class StartupTest {
    @Test
    @Requirement({
        "MPA-7.1.1-01",
        "MPA-7.1.1-11",
        "MPA-7.1.1-13",
        "MPA-7.1.1-15",
        "MPA-7.1.2-1-01",
        "MPA-7.1.2-1-02",
        "ENH-6-01",
        "ENH-6-06",
        "ENH-6-07",
        "ENH-9-01",
        "ENH-9.2-01",
        "ENH-9.2-02"
    })
    void asksAsInTheWorkedExamples() {
        assertThat(drain(MpaStartup.initiator(config(1, false, 4, 4, "")))).isEqualTo(Samples.bytes("M01"));
        assertThat(drain(MpaStartup.initiator(config(2, true, 16, 8, "cfg!")))).isEqualTo(Samples.bytes("M04"));
        StartupConfig siw = StartupConfig.builder()
                .ird(128)
                .ord(128)
                .maxIrd(128)
                .rtrWrite(true)
                .rtrRead(true)
                .build();
        assertThat(drain(MpaStartup.initiator(siw))).isEqualTo(Samples.bytes("M06"));
    }

    @Test
    @Requirement({"MPA-7.1.1-03", "MPA-7.1.2-2-05", "MPA-7.1.1-13", "MPA-7.1.2-2-03"})
    void answersAsInTheWorkedExamples() {
        assertThat(replyTo(config(2, false, 4, 4, "ok"), Samples.bytes("M01"))).isEqualTo(Samples.bytes("M02"));
        assertThat(replyTo(config(2, true, 8, 16, ""), Samples.bytes("M04"))).isEqualTo(Samples.bytes("M05"));
        MpaStartup rejecting = responderGot(config(2, false, 4, 4, ""), Samples.bytes("M01"));
        rejecting.reject("full".getBytes(StandardCharsets.US_ASCII));
        assertThat(drain(rejecting)).isEqualTo(Samples.bytes("M03"));
        assertThat(rejecting.state()).isEqualTo(State.REJECTED);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 16})
    void aReplyThatWasBegunIsTheSame(int sent) {
        for (boolean accepted : new boolean[] {true, false}) {
            MpaStartup atOnce = responderGot(config(2, true, 8, 16, "ok"), Samples.bytes("M04"));
            answer(atOnce, accepted);
            byte[] whole = drain(atOnce);
            MpaStartup begun = responderGot(config(2, true, 8, 16, "ok"), Samples.bytes("M04"));
            begun.beginReply();
            byte[] octets = new byte[whole.length];
            begun.transmitBuffer().get(octets, 0, sent);
            answer(begun, accepted);
            byte[] rest = drain(begun);
            System.arraycopy(rest, 0, octets, sent, rest.length);
            assertThat(octets).isEqualTo(whole);
        }
    }

    private static void answer(MpaStartup responder, boolean accepts) {
        if (accepts) {
            responder.accept(config(2, true, 8, 16, "ok"));
        } else {
            responder.reject(new byte[] {1});
        }
    }

    @Test
    void knowsTheKeyOfAReply() {
        byte[] reply = Samples.bytes("M02");
        MpaStartup initiator = MpaStartup.initiator(config(1, false, 4, 5, ""));
        drain(initiator);
        feed(initiator, Arrays.copyOf(reply, 15));
        assertThat(initiator.isKeyReceived()).isFalse();
        feed(initiator, Arrays.copyOfRange(reply, 15, reply.length));
        assertThat(initiator.isKeyReceived()).isTrue();
        assertThat(initiatorGot(config(1, false, 4, 5, ""), Samples.bytes("M01"))
                        .isKeyReceived())
                .isFalse();
    }

    // RFC 6581 §10: who wants nothing of the enhanced set-up asks as RFC 5044 says.
    @ParameterizedTest
    @CsvSource({"false, 0", "false, 4", "true, 4"})
    @Requirement({"ENH-10-02", "ENH-6-03", "ENH-6-04"})
    void asksWithoutTheEnhancedFormatIfItIsNotWanted(boolean peerToPeer, int depth) {
        assertThat(drain(MpaStartup.initiator(config(1, peerToPeer, depth, depth, ""))))
                .isEqualTo(frame(false, C_FLAG, 1));
        MpaStartup initiator = initiatorGot(config(1, peerToPeer, depth, depth, ""), frame(true, C_FLAG, 1));
        assertThat(initiator.startFault()).isNull();
        assertThat(initiator.negotiated().rtr()).isEqualTo(Rtr.NONE);
    }

    // RFC 6581 §9.2: only an enhanced request says whether a ready-to-receive message will come.
    @ParameterizedTest
    @CsvSource({"2, true, false, WAIVED", "2, true, true, WRITE", "2, false, false, NONE", "1, false, false, NONE"})
    void knowsWhoSendsNoReadyToReceiveMessage(int revision, boolean enhanced, boolean peerToPeer, Rtr expected) {
        EnhancedBlock block = enhanced ? new EnhancedBlock(peerToPeer, false, peerToPeer, false, 4, 4) : null;
        byte[] request = new MpaFrame(false, false, true, false, revision, block, Octets.of(new byte[0])).encode();
        MpaStartup responder = responderGot(config(2, true, 4, 4, ""), request);
        responder.accept(config(2, true, 4, 4, ""));
        assertThat(responder.negotiated().rtr()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"M02", "M03"})
    @Requirement({"MPA-7.1.2-3-04", "MPA-7.1.1-10", "MPA-7.1.2-3-01"})
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
    @Requirement({"MPA-1.2-01", "MPA-4.4-02", "MPA-4.4-05", "MPA-7.1.1-07"})
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
        return StartupConfig.builder()
                .crc(crc)
                .markers(markers)
                .peerToPeer(true)
                .ird(8)
                .ord(8)
                .maxIrd(8)
                .rtrWrite(true)
                .rtrRead(true)
                .build();
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

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 255})
    @Requirement({"MPA-7.1.1-14", "MPA-C.2-01"})
    void refusesOtherRevisions(int revision) {
        MpaStartup responder = responderGot(config(2, true, 4, 4, ""), frame(false, C_FLAG | M_FLAG, revision));
        assertThat(responder.state()).isEqualTo(State.FAILED);
        assertThat(reason(responder)).isEqualTo(FailureReason.REVISION);
        MpaStartup initiator = initiatorGot(config(1, false, 4, 4, ""), frame(true, C_FLAG, revision));
        assertThat(initiator.state()).isEqualTo(State.FAILED);
        assertThat(reason(initiator)).isEqualTo(FailureReason.REVISION);
    }

    @Test
    @Requirement("ENH-10-04")
    void refusesRevisionTwoIfOnlyOneIsWanted() {
        MpaStartup responder = responderGot(config(1, true, 4, 4, ""), Samples.bytes("M04"));
        assertThat(responder.state()).isEqualTo(State.FAILED);
        assertThat(reason(responder)).isEqualTo(FailureReason.REVISION);
    }

    @Test
    @Requirement({"ENH-6-05", "ENH-10-01", "ENH-10-03", "MPA-7.1.1-13"})
    void mirrorsRevisionAndBlock() {
        byte[] plain = replyTo(config(2, true, 4, 4, ""), frame(false, C_FLAG, 1));
        assertThat(plain).isEqualTo(frame(true, C_FLAG, 1));
        byte[] withoutBlock = replyTo(config(2, true, 4, 4, ""), frame(false, C_FLAG, 2));
        assertThat(withoutBlock[17]).isEqualTo((byte) 2);
        assertThat(withoutBlock[16] & S_FLAG).isZero();
        assertThat(withoutBlock).hasSize(20);
        byte[] withBlock = replyTo(config(2, true, 4, 4, ""), Samples.bytes("M04"));
        assertThat(withBlock[17]).isEqualTo((byte) 2);
        assertThat(withBlock[16] & S_FLAG).isNotZero();
        assertThat(withBlock).hasSize(24);
    }

    // RFC 5044 §7.1.1: Res bits and the R of a request are not checked; RFC 6581 §6: S was one of them.
    @Test
    @Requirement({"MPA-7.1.1-09", "MPA-7.1.1-11", "MPA-7.1.1-12", "ENH-6-02"})
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
    @Requirement({
        "MPA-7.1.1-02",
        "MPA-7.1.1-04",
        "MPA-7.1.1-16",
        "MPA-7.1.2-2-02",
        "MPA-7.1.2-3-01",
        "MPA-7.1.2-3-02",
        "MPA-7.1.2-5-01",
        "MPA-7.1.2-8-01",
        "MPA-7.1.2-9-01",
        "MPA-7.1.2-9-02",
        "MPA-8-4-01",
        "ENH-6-07"
    })
    void refusesMalformedFrames() {
        StartupConfig config = config(2, true, 4, 4, "");
        for (int octet = 0; octet < 16; octet++) {
            byte[] bad = Samples.bytes("M04");
            bad[octet] ^= 0x20;
            assertFailed(responderGot(config, bad), FailureReason.STRANGER);
            byte[] badReply = Samples.bytes("M05");
            badReply[octet] ^= 0x20;
            assertFailed(initiatorGot(config, badReply), FailureReason.STRANGER);
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
        assertFailed(startup, FailureReason.MALFORMED);
    }

    private static void assertFailed(MpaStartup startup, FailureReason expected) {
        assertThat(startup.state()).isEqualTo(State.FAILED);
        assertThat(reason(startup)).isEqualTo(expected);
        assertThat(Objects.requireNonNull(startup.failure()).text()).isNotBlank();
        assertThat(startup.receiveBuffer().hasRemaining()).isFalse();
        assertThat(startup.transmitBuffer().hasRemaining()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 251, 508})
    @Requirement({"MPA-7.1.1-15", "MPA-7.1.1-17", "ENH-6-06"})
    void carriesPrivateData(int length) {
        byte[] data = new byte[length];
        new java.util.Random(length).nextBytes(data);
        StartupConfig config = StartupConfig.builder()
                .crc(true)
                .peerToPeer(true)
                .ird(4)
                .ord(4)
                .maxIrd(4)
                .rtrWrite(true)
                .rtrRead(true)
                .privateData(data)
                .build();
        MpaStartup[] both = exchange(config, config);
        assertThat(both[0].peerPrivateData()).isEqualTo(data);
        assertThat(both[1].peerPrivateData()).isEqualTo(data);
        assertThat(both[1].maxPrivateData()).isEqualTo(508);
    }

    @Test
    @Requirement({"MPA-7.1.1-17", "ENH-7-01"})
    void refusesToSendMorePrivateDataThanFits() {
        StartupConfig tooMuch = StartupConfig.builder()
                .crc(true)
                .peerToPeer(true)
                .ird(4)
                .ord(4)
                .maxIrd(4)
                .rtrWrite(true)
                .rtrRead(true)
                .privateData(new byte[509])
                .build();
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
            assertThat(responder.transmitBuffer().hasRemaining())
                    .as("anything to say after %d octets", octets)
                    .isFalse();
            assertThatThrownBy(() -> responder.accept(config(2, true, 4, 4, "")))
                    .isInstanceOf(IllegalStateException.class);
            responder.endOfStream();
            assertThat(responder.state()).isEqualTo(State.FAILED);
            assertThat(reason(responder)).isEqualTo(FailureReason.CLOSED);
        }
    }

    @Test
    @Requirement("ENH-12-01")
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

package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.iwarp.core.HostileFixture.BASE;
import static org.panamaverbs.iwarp.core.HostileFixture.UNKNOWN_STAG;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.testkit.Requirement;

/** What a peer must not do, each once: one Terminate with the right code, untouched memory, and silence. */
class HostilePeerTest {
    private static final int NONE = 0;
    private static final int M_D = 0xC0;
    private static final byte[] EIGHT = {1, 2, 3, 4, 5, 6, 7, 8};

    static Stream<Attack> attacks() {
        return Attacks.all();
    }

    @ParameterizedTest
    @MethodSource("attacks")
    @Requirement({
        "RDMAP-3.1-02",
        "RDMAP-4.1-09",
        "RDMAP-4.2-02",
        "RDMAP-4.8-01",
        "RDMAP-4.8-02",
        "RDMAP-4.8-03",
        "RDMAP-4.8-04",
        "RDMAP-4.8-06",
        "RDMAP-4.8-07",
        "RDMAP-4.8-08",
        "RDMAP-4.8-10",
        "RDMAP-4.8-12",
        "RDMAP-5.4-01",
        "RDMAP-5.4-02",
        "RDMAP-5.4-08",
        "RDMAP-6.2.1-01",
        "RDMAP-6.2.1-04",
        "RDMAP-7-01",
        "RDMAP-7-02",
        "RDMAP-7.1-2-01",
        "RDMAP-7.2-01",
        "DDP-3-8-01",
        "DDP-3-10-01",
        "DDP-6.2.2-03",
        "DDP-7.1-01",
        "DDP-7.1-02",
        "DDP-7.1-03",
        "DDP-7.1-04",
        "DDP-7.2-01",
        "MPA-8-02",
        "SEC-6.4.4-01"
    })
    void terminatesOnceAndTouchesNothing(Attack attack) {
        HostileFixture fixture = HostileFixture.responder().receives(attack.receives());
        byte[][] segments = attack.segments().apply(fixture);
        fixture.peer.inject(segments);
        byte[] offender = segments[segments.length - 1];
        fixture.assertTerminated(attack.code(), attack.flags(), offender);
        fixture.assertMemoryUntouched();
        fixture.assertDeaf(offender);
        fixture.assertMemoryUntouched();
        assertThat(fixture.side.receives.list).hasSize(attack.receives());
        assertThat(fixture.side.receives.list.stream().filter(Wc::ok).count())
                .isEqualTo(java.util.Arrays.stream(segments, 0, segments.length - 1)
                        .filter(segment -> (segment[0] & 0xC0) == 0x40)
                        .count());
    }

    @Test
    @Requirement({"DDP-3-11-01", "DDP-7.1-U5-01"})
    void answersNoReadRequestTwice() {
        HostileFixture fixture = HostileFixture.responder();
        byte[] request = Segments.readRequest(1, 1, 0, 8, fixture.open.stag(), HostileFixture.BASE);
        fixture.peer.inject(request, request);
        assertThat(fixture.peer.answers)
                .extracting(Segments.Parsed::opcode)
                .containsExactly(Segments.READ_RESPONSE, Segments.TERMINATE);
        assertThat(fixture.peer.answers.getLast().code()).isEqualTo("1/2/03");
    }

    @Test
    @Requirement({"MPA-4.4-10", "MPA-6-01", "MPA-8-03", "MPA-8-2-01"})
    void badCrcWinsOverEverythingInTheSegment() {
        for (byte[] segment : new byte[][] {
            Segments.send(1, EIGHT), Segments.send(9, EIGHT), Segments.write(UNKNOWN_STAG, 0, EIGHT), new byte[5]
        }) {
            HostileFixture fixture = HostileFixture.responder().receives(2);
            byte[] wire = Framing.fpdu(segment);
            wire[wire.length - 1] ^= 1;
            fixture.peer.injectOctets(wire);
            fixture.assertTerminated("2/0/02", NONE, segment);
            assertThat(fixture.side.receives.list).noneMatch(Wc::ok);
            fixture.assertDeaf(segment);
        }
    }

    // RFC 5044 §6: nothing is passed up before the CRC is verified, so nothing of it takes effect.
    @Test
    @Requirement({"MPA-6-01", "MPA-4.4-10", "RDMAP-5.5-12-01", "RDMAP-5.5-17-01", "EXT-5.4-3-01", "EXT-5.4-5-01"})
    void nothingThatABadCrcCoversTakesEffect() {
        for (int message = 0; message < 10; message++) {
            HostileFixture fixture = HostileFixture.responder().receives(2);
            byte[] segment = switch (message / 2) {
                case 0 -> Segments.readRequest(1, 1, 0, 8, fixture.open.stag(), BASE);
                case 1 -> Segments.readRequest(1, 1, 0, 0, fixture.open.stag(), BASE);
                case 2 -> Segments.fetchAdd(1, 1, fixture.open.stag(), BASE, 1);
                case 3 -> Segments.sendInvalidate(1, fixture.window.stag());
                default -> Segments.terminate(0, 0, 0, 0);
            };
            byte[] wire = Framing.fpdu(segment);
            wire[wire.length - 1] ^= 1;
            if (message % 2 == 0) {
                fixture.peer.injectOctets(wire);
            } else {
                // The stream may act after each octet.
                for (byte octet : wire) {
                    fixture.peer.injectOctets(octet);
                }
            }
            fixture.assertTerminated("2/0/02", NONE, segment);
            assertThat(fixture.peer.answers).as("what else is answered").hasSize(1);
            assertThat(fixture.window.revoke()).as("was still valid").isTrue();
            fixture.assertMemoryUntouched();
        }
    }

    @Test
    @Requirement({"RDMAP-8.1.1-7-01", "RDMAP-5.3-13", "SEC-6.4.5-01"})
    void aFailedInvalidationLeavesTheStagAlone() {
        HostileFixture fixture = HostileFixture.responder().receives(2);
        fixture.peer.inject(Segments.sendInvalidate(1, fixture.othersWindow.stag()));
        assertThat(fixture.othersWindow.revoke()).as("was still valid").isTrue();
    }

    // The one too many is a Read or an Atomic: both take a buffer of queue 1.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Requirement({
        "RDMAP-5.2.1-02",
        "RDMAP-6.1-02",
        "RDMAP-6.1-05",
        "RDMAP-8.1.1-11-01",
        "EXT-5.2.1-2-01",
        "SEC-6.4.3.3-02"
    })
    void refusesMoreReadsThanIrd(boolean readIsTooMany) {
        HostileFixture fixture = HostileFixture.responder().receives(1);
        fixture.peer.inject(Segments.send(1));
        fixture.peer.fromStream.window = 0;
        byte[] offender = {};
        for (int msn = 1; msn <= 5; msn++) {
            offender = msn % 2 == (readIsTooMany ? 1 : 0)
                    ? Segments.readRequest(msn, 1, 0, 8, fixture.open.stag(), BASE)
                    : Segments.fetchAdd(msn, 1, fixture.open.stag(), BASE, 0);
            fixture.peer.inject(offender);
        }
        fixture.peer.fromStream.window = Long.MAX_VALUE;
        fixture.peer.settle();
        fixture.assertTerminated("1/2/02", M_D, offender);
        assertThat(fixture.peer.answers.size()).isLessThanOrEqualTo(5);
        fixture.assertDeaf(offender);
        fixture.assertMemoryUntouched();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Requirement({"RDMAP-6.1-02", "RDMAP-6.1-05"})
    void nothingIsReadWhereNoReadsWereAgreed(boolean read) {
        RawPeer peer = new RawPeer(
                Negotiated.builder(false).crc(true).depths(0).emss(Pair.EMSS).build());
        Guarded memory = peer.side.memory(64);

        peer.inject(
                read
                        ? Segments.readRequest(1, 1, 0, 8, memory.stag(), memory.base)
                        : Segments.fetchAdd(1, 1, memory.stag(), memory.base, 1));

        assertThat(peer.terminates())
                .singleElement()
                .matches(found -> found.code().equals("1/2/02"));
        assertThat(peer.answers).hasSize(1);
        assertThat(memory.bytes()).containsOnly(0);
    }

    @Test
    @Requirement({"RDMAP-8.1.2-7-01", "SEC-6.4.3.3-01"})
    void readsOfOneStreamTakeNoSlotOfAnother() {
        StagTable stags = new StagTable(64, Side.randomStags(9));
        Negotiated agreed =
                Negotiated.builder(false).crc(true).depths(4).emss(Pair.EMSS).build();
        RawPeer greedy = new RawPeer(agreed, stags);
        RawPeer other = new RawPeer(agreed, stags);
        Guarded memory = greedy.side.memory(64);
        greedy.inject(Segments.write(UNKNOWN_STAG, 0));
        greedy.fromStream.window = 0;
        for (int msn = 1; msn <= 5; msn++) {
            byte[] request = Segments.readRequest(msn, 1, 0, 8, memory.stag(), memory.base);
            greedy.inject(request);
            if (msn < 5) {
                other.inject(request);
            }
        }
        assertThat(greedy.side.stream.fault()).as("one Read more than IRD").isNotNull();
        assertThat(other.side.stream.fault()).isNull();
        assertThat(other.answers).hasSize(4).allMatch(answer -> answer.opcode() == Segments.READ_RESPONSE);
    }

    @Test
    @Requirement("RDMAP-7.1-4-01")
    void namesTheFirstOfTwoErrors() {
        HostileFixture fixture = HostileFixture.responder();
        byte[] first = Segments.write(UNKNOWN_STAG, 0, EIGHT);
        byte[] both = java.util.Arrays.copyOf(Framing.fpdu(first), 200);
        byte[] second = Framing.fpdu(Segments.send(9));
        System.arraycopy(second, 0, both, Framing.fpdu(first).length, second.length);
        fixture.peer.injectOctets(java.util.Arrays.copyOf(both, Framing.fpdu(first).length + second.length));
        fixture.assertTerminated("1/1/00", M_D, first);
        fixture.assertDeaf(first);
    }

    @Test
    @Requirement({"RDMAP-5.4-06", "RDMAP-4.1-10"})
    void doesNotAnswerATerminateWithATerminate() {
        for (byte[] terminate : new byte[][] {
            Segments.terminate(1, 2, 2, 0),
            Segments.terminate(0, 0, 0, 0x1F),
            Segments.untagged(Segments.TERMINATE, 0, 2, 1, 0, true),
            Segments.untagged(Segments.TERMINATE, 0, 2, 1, 0, true, (byte) 0x12),
            Segments.terminate(0, 1, 1, 0xE0, (byte) 0, (byte) 46),
            Segments.terminate(15, 15, 255, 0xFF, new byte[48]),
            Segments.untagged(Segments.TERMINATE, 0x0BAD_0000, 2, 1, 0, true, new byte[4]),
        }) {
            HostileFixture fixture = HostileFixture.responder().receives(2);
            fixture.peer.inject(terminate);
            assertThat(fixture.peer.answers).isEmpty();
            assertThat(fixture.side.stream.terminateCause()).isNotNull();
            assertThat(fixture.side.receives.list).hasSize(2).allMatch(Wc::flushed);
            fixture.peer.inject(terminate).fin();
            fixture.peer.elapse();
            assertThat(fixture.side.closed).isTrue();
            assertThat(fixture.peer.answers).isEmpty();
            fixture.assertMemoryUntouched();
        }
    }

    @Test
    void aPeerThatNeverClosesIsLeftAfterTheLingerTime() {
        HostileFixture fixture = HostileFixture.responder();
        fixture.peer.inject(Segments.write(UNKNOWN_STAG, 0, EIGHT));
        // It has taken the Terminate, which is the last that it does.
        fixture.peer.settle();
        assertThat(fixture.side.closed).isFalse();
        long start = fixture.peer.now;
        fixture.peer.elapse();
        assertThat(fixture.side.closed).isTrue();
        assertThat(fixture.peer.now - start).isEqualTo(Side.LINGER_NANOS);
    }
}

package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.iwarp.core.HostileFixture.BASE;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.testkit.Requirement;

/** When a message counts as delivered, and in which order messages leave. */
class DeliveryTest {
    private static final byte[] FIVE = {1, 2, 3, 4, 5};

    // RFC 5041 §5.4; RFC 5040 §5.5: all segments placed, and the last one seen.
    @Test
    @Requirement({"DDP-4.1-06", "DDP-5.4-01", "RDMAP-5.3-02", "RDMAP-5.5-16-01", "RDMAP-5.5-10-01"})
    void deliversASendOnceAllOfItIsPlaced() {
        HostileFixture fixture = HostileFixture.responder().receives(2);
        fixture.peer.inject(Segments.untagged(Segments.SEND, 0, 0, 1, 0, false, FIVE));
        assertThat(fixture.side.receives.list).isEmpty();
        fixture.peer.inject(Segments.untagged(Segments.SEND, 0, 0, 1, 5, false, FIVE));
        fixture.peer.inject(Segments.untagged(Segments.SEND, 0, 0, 1, 10, false));
        assertThat(fixture.side.receives.list).isEmpty();
        fixture.peer.inject(Segments.untagged(Segments.SEND, 0, 0, 1, 10, true, FIVE));
        assertThat(fixture.side.receives.brief()).containsExactly("100 RECV");
        assertThat(fixture.side.receives.last().byteCount()).isEqualTo(15);
        assertThat(fixture.inbox.bytes(0, 15)).containsExactly(1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5);
        fixture.peer.inject(Segments.send(2));
        assertThat(fixture.side.receives.brief()).containsExactly("100 RECV", "101 RECV");
    }

    // RFC 5040 §5.5: the octets of a Send are the application's no sooner than the FPDU is whole and its CRC right.
    @Test
    @Requirement({"RDMAP-5.5-16-01", "MPA-6-01"})
    void deliversNothingBeforeTheCrcIsHere() {
        HostileFixture fixture = HostileFixture.responder().receives(1);
        byte[] fpdu = org.panamaverbs.iwarp.wire.Framing.fpdu(Segments.send(1, FIVE));
        for (int i = 0; i < fpdu.length; i++) {
            assertThat(fixture.side.receives.list).as("after %d octets", i).isEmpty();
            fixture.peer.injectOctets(fpdu[i]);
        }
        assertThat(fixture.side.receives.brief()).containsExactly("100 RECV");
    }

    // RFC 7306 §5.4: an atomic, and what was posted behind it, waits for the response.
    @Test
    @Requirement({"EXT-5.4-1-01", "EXT-5.4-7-01", "RDMAP-5.5-15-01", "DRAFT01-5.4-1-01"})
    void anAtomicCompletesNoSoonerThanItsResponse() {
        HostileFixture fixture = HostileFixture.initiator();
        fixture.side.fetchAdd(1, fixture.local, 64, fixture.open, 0, 1);
        fixture.side.send(2, fixture.local, 0, 4);
        fixture.peer.settle();
        assertThat(fixture.peer.answers).hasSize(2);
        assertThat(fixture.side.sends.list).isEmpty();
        int identifier = fixture.peer.answers.getFirst().at(18 + 4);
        fixture.peer.inject(Segments.atomicResponse(1, identifier, 77));
        assertThat(fixture.side.sends.brief()).containsExactly("1 FETCH_ADD", "2 SEND");
        assertThat(fixture.local.getLong(64)).isEqualTo(77);
    }

    // RFC 5040 §5.5: messages of all kinds go out in the order of posting.
    @Test
    @Requirement({
        "RDMAP-5.1-05",
        "RDMAP-5.2.1-06",
        "RDMAP-5.3-09",
        "RDMAP-5.5-13-01",
        "EXT-5.2.1-6-01",
        "EXT-6.3-06",
        "DDP-5.3-01"
    })
    void messagesLeaveInTheOrderOfPosting() {
        HostileFixture fixture = HostileFixture.initiator();
        Side side = fixture.side;
        side.read(1, fixture.local, 0, 8, fixture.open, 0);
        side.write(2, fixture.local, 0, 8, fixture.open, 0);
        side.fetchAdd(3, fixture.local, 64, fixture.open, 0, 1);
        side.send(4, fixture.local, 0, 4);
        PostStatus.check(side.stream.sends().post(SendOpcode.IMMEDIATE, 5, 0, 0, 0, 0, 0, 9, SendFlag.SIGNALED));
        side.write(6, fixture.local, 0, 8, fixture.open, 8);
        side.read(7, fixture.local, 8, 8, fixture.open, 0);
        side.send(8, fixture.local, 0, 4);
        fixture.peer.settle();
        List<Integer> opcodes =
                fixture.peer.answers.stream().map(Segments.Parsed::opcode).toList();
        assertThat(opcodes).containsExactly(1, 0, 0xA, 3, 8, 0, 1, 3);
        List<Integer> sequence = fixture.peer.answers.stream()
                .filter(segment -> !segment.tagged())
                .map(segment -> segment.qn() << 8 | segment.msn())
                .toList();
        assertThat(sequence).containsExactly(0x101, 0x102, 1, 2, 0x103, 3);
    }

    // RFC 5044 §3: MPA revisions 1 and 2 both carry DDP version 1 and RDMAP version 1.
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Requirement({"MPA-3-09", "MPA-C.1-01", "DDP-4.1-09", "RDMAP-4.1-06", "EXT-4.1-01"})
    void speaksVersionOneOfBothProtocols(int revision) {
        HostileFixture fixture = new HostileFixture(
                        new Negotiated(true, true, false, false, revision, Rtr.NONE, 4, 4, 4, 4, Pair.EMSS))
                .receives(1);
        fixture.side.write(1, fixture.local, 0, 8, fixture.open, 0);
        fixture.side.send(2, fixture.local, 0, 8);
        fixture.side.fetchAdd(3, fixture.local, 64, fixture.open, 0, 1);
        fixture.peer.inject(
                Segments.send(1, FIVE),
                Segments.readRequest(1, 1, 0, 8, fixture.open.stag(), BASE),
                Segments.fetchAdd(2, 1, fixture.open.stag(), BASE, 1),
                Segments.write(0x0BAD_0000, 0, FIVE));
        assertThat(fixture.side.receives.brief()).contains("100 RECV");
        assertThat(fixture.peer.answers).extracting(Segments.Parsed::opcode).contains(0, 3, 0xA, 2, 0xB, 7);
        for (Segments.Parsed segment : fixture.peer.answers) {
            assertThat(segment.octets()[0] & 0x03).as("DV").isEqualTo(1);
            assertThat(segment.octets()[1] >> 6 & 0x03).as("RV").isEqualTo(1);
        }
    }
}

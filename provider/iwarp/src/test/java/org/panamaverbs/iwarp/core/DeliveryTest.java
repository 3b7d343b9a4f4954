package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.iwarp.core.HostileFixture.BASE;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.wire.Framing;
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
        byte[] fpdu = Framing.fpdu(Segments.send(1, FIVE));
        for (int i = 0; i < fpdu.length; i++) {
            assertThat(fixture.side.receives.list).as("after %d octets", i).isEmpty();
            fixture.peer.injectOctets(fpdu[i]);
        }
        assertThat(fixture.side.receives.brief()).containsExactly("100 RECV");
    }

    // RFC 5040 §3.1: what an aborted operation leaves in its sink is indeterminate, so no completion says otherwise.
    @ParameterizedTest
    @ValueSource(strings = {"abort", "loss", "Terminate of the peer", "Terminate of this side"})
    @Requirement("RDMAP-3.1-05")
    void noCompletionVouchesForASinkThatIsHalfFilled(String end) {
        HostileFixture fixture = HostileFixture.initiator().receives(1);
        Side side = fixture.side;
        side.read(1, fixture.local, 0, 16, fixture.open, 0);
        fixture.peer.settle();
        byte[] before = fixture.local.bytes(0, 16);
        fixture.peer.inject(
                Segments.readResponse(fixture.local.stag(), fixture.local.base, false, FIVE),
                Segments.untagged(Segments.SEND, 0, 0, 1, 0, false, FIVE));
        assertThat(fixture.local.bytes(0, 16)).as("is half filled").isNotEqualTo(before);
        assertThat(fixture.inbox.bytes(0, 5)).isEqualTo(FIVE);
        switch (end) {
            case "abort" -> side.stream.abort();
            case "loss" -> fixture.peer.toStream.breakDown();
            case "Terminate of the peer" -> fixture.peer.inject(Segments.terminate(0, 2, 0xFF, 0));
            default -> fixture.peer.inject(Segments.write(HostileFixture.UNKNOWN_STAG, 0, FIVE));
        }
        fixture.peer.settle();
        assertThat(side.sends.brief()).containsExactly("1 WR_FLUSH_ERROR");
        assertThat(side.receives.brief()).containsExactly("100 WR_FLUSH_ERROR");
        assertThat(side.sends.last().byteCount()).isZero();
        assertThat(side.receives.last().byteCount()).isZero();
    }

    // RFC 7306 §5.4: an atomic, and what was posted behind it, waits for the response.
    @ParameterizedTest
    @EnumSource(names = {"FETCH_ADD", "CMP_SWAP", "MASKED_FETCH_ADD", "MASKED_CMP_SWAP"})
    @Requirement({"EXT-5.4-1-01", "EXT-5.4-7-01", "RDMAP-5.5-15-01", "DRAFT01-5.4-1-01"})
    void anAtomicCompletesNoSoonerThanItsResponse(SendOpcode atomic) {
        HostileFixture fixture = HostileFixture.initiator();
        PostStatus.check(fixture.side
                .stream
                .sends()
                .postAtomic(
                        atomic,
                        1,
                        fixture.local.base + 64,
                        fixture.local.stag(),
                        BASE,
                        fixture.open.stag(),
                        1,
                        2,
                        -1,
                        -1,
                        SendFlag.SIGNALED));
        fixture.side.send(2, fixture.local, 0, 4);
        fixture.peer.settle();
        assertThat(fixture.peer.answers).hasSize(2);
        assertThat(fixture.side.sends.list).isEmpty();
        int identifier = fixture.peer.answers.getFirst().at(18 + 4);
        fixture.peer.inject(Segments.atomicResponse(1, identifier, 77));
        String completed = atomic.name().replace("MASKED_", "");
        assertThat(fixture.side.sends.brief()).containsExactly("1 " + completed, "2 SEND");
        assertThat(fixture.local.getLong(64)).isEqualTo(77);
    }

    // RFC 5040 §5.5: a Read is not complete before the last octet of its response, CRC included.
    @Test
    @Requirement({"RDMAP-5.5-11-01", "RDMAP-5.5-19-01"})
    void aReadCompletesNoSoonerThanTheEndOfItsResponse() {
        HostileFixture fixture = HostileFixture.initiator();
        fixture.side.read(1, fixture.local, 0, 10, fixture.open, 0);
        fixture.side.send(2, fixture.local, 0, 4);
        fixture.peer.settle();
        long to = fixture.local.base;
        fixture.peer.inject(Segments.readResponse(fixture.local.stag(), to, false, FIVE));
        byte[] fpdu = Framing.fpdu(Segments.readResponse(fixture.local.stag(), to + 5, true, FIVE));
        for (int i = 0; i < fpdu.length; i++) {
            assertThat(fixture.side.sends.list).as("after %d octets", i).isEmpty();
            fixture.peer.injectOctets(fpdu[i]);
        }
        assertThat(fixture.side.sends.brief()).containsExactly("1 RDMA_READ", "2 SEND");
        assertThat(fixture.local.bytes(0, 10)).containsExactly(1, 2, 3, 4, 5, 1, 2, 3, 4, 5);
    }

    // RFC 5040 §5.5: nothing is complete that DDP has not completed, and a message is not before it has left.
    @ParameterizedTest
    @EnumSource(names = {"SEND", "SEND_WITH_INVALIDATE", "RDMA_WRITE", "RDMA_WRITE_WITH_IMMEDIATE", "IMMEDIATE"})
    @Requirement("RDMAP-5.5-14-01")
    void nothingCompletesBeforeItsLastOctetHasLeft(SendOpcode operation) {
        HostileFixture fixture = HostileFixture.initiator();
        Side side = fixture.side;
        fixture.peer.fromStream.window = 0;
        if (operation == SendOpcode.IMMEDIATE) {
            PostStatus.check(side.stream.sends().post(operation, 1, 0, 0, 0, 0, 0, 9, SendFlag.SIGNALED));
        } else {
            side.post(operation, 1, fixture.local, 0, 8, BASE, fixture.open.stag(), 0);
        }
        fixture.peer.settle();
        for (int sent = 0; fixture.peer.answers.isEmpty(); sent++) {
            assertThat(side.sends.list).as("after %d octets", sent).isEmpty();
            fixture.peer.fromStream.window = 1;
            fixture.peer.settle();
        }
        fixture.peer.fromStream.window = Long.MAX_VALUE;
        fixture.peer.settle();
        assertThat(side.sends.brief()).containsExactly("1 " + operation.name().replaceAll("_WITH_.*", ""));
    }

    // RFC 5040 §5.3: only a ready-to-receive Send that was agreed on is not the application's.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Requirement("RDMAP-5.3-11")
    void anEmptySendTakesAReceiveEvenAsTheFirstMessage(boolean initiator) {
        RawPeer peer = new RawPeer(initiator);
        peer.side.receives(1, 100, peer.side.memory(64), 64);
        peer.inject(Segments.send(1));
        assertThat(peer.side.receives.brief()).containsExactly("100 RECV");
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

    // RFC 5040 §5.5: no kind overtakes another, nor one of its own.
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
    void eachKindLeavesInTheOrderOfPostingBehindEachOther() {
        List<SendOpcode> kinds = List.of(
                SendOpcode.RDMA_WRITE,
                SendOpcode.SEND,
                SendOpcode.RDMA_READ,
                SendOpcode.FETCH_ADD,
                SendOpcode.IMMEDIATE);
        HostileFixture fixture = new HostileFixture(
                Negotiated.builder(true).crc(true).depths(64).emss(Pair.EMSS).build());
        SendCommands sends = fixture.side.stream.sends();
        sends.holds = true;
        List<String> posted = new ArrayList<>();
        for (SendOpcode first : kinds) {
            for (SendOpcode second : kinds) {
                posted.add(postNumbered(fixture, first, posted.size() + 1));
                posted.add(postNumbered(fixture, second, posted.size() + 1));
            }
        }
        sends.holds = false;
        sends.publish();
        fixture.peer.settle();
        assertThat(fixture.peer.answers).extracting(DeliveryTest::numbered).containsExactlyElementsOf(posted);
    }

    // The number is in what of the message the test can see again: an offset, a length, the data.
    private static String postNumbered(HostileFixture fixture, SendOpcode kind, int number) {
        Side side = fixture.side;
        int status = switch (kind) {
            case RDMA_WRITE, RDMA_READ -> side.post(kind, number, fixture.local, 0, 8, number, fixture.open.stag(), 0);
            case SEND -> side.send(number, fixture.local, 0, number);
            case FETCH_ADD ->
                side.stream
                        .sends()
                        .postAtomic(
                                kind,
                                number,
                                fixture.local.base,
                                fixture.local.stag(),
                                number,
                                fixture.open.stag(),
                                1,
                                0,
                                0,
                                0,
                                SendFlag.SIGNALED);
            default -> side.stream.sends().post(kind, number, 0, 0, 0, 0, 0, number, SendFlag.SIGNALED);
        };
        PostStatus.check(status);
        return kind + " " + number;
    }

    private static String numbered(Segments.Parsed segment) {
        return switch (segment.opcode()) {
            case Segments.WRITE -> "RDMA_WRITE " + segment.to();
            case Segments.SEND -> "SEND " + segment.payload().length;
            case Segments.READ_REQUEST -> "RDMA_READ " + segment.at(18 + 24);
            case Segments.ATOMIC_REQUEST -> "FETCH_ADD " + segment.at(18 + 16);
            default -> "IMMEDIATE " + segment.at(18 + 4);
        };
    }

    // RFC 5044 §3: MPA revisions 1 and 2 both carry DDP version 1 and RDMAP version 1.
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Requirement({"MPA-3-09", "MPA-C.1-01", "DDP-4.1-09", "RDMAP-4.1-06", "EXT-4.1-01"})
    void speaksVersionOneOfBothProtocols(int revision) {
        HostileFixture fixture = new HostileFixture(Negotiated.builder(true)
                        .crc(true)
                        .revision(revision)
                        .depths(4)
                        .emss(Pair.EMSS)
                        .build())
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

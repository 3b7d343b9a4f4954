package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.testkit.Requirement;

/** What a stream puts on the wire, segment by segment, against segments that the test lays out itself. */
class SentSegmentsTest {
    private static final int STAG = 0x1234_5678;
    private static final long TO = 0x1122_3344_5566_7788L;
    private static final int SIGNALED = SendFlag.SIGNALED;
    private static final int SMALL_EMSS = 200;
    private static final int BIG = 1_000_000;

    private static Negotiated agreed(boolean initiator, int emss) {
        return Negotiated.builder(initiator).crc(true).depths(4).emss(emss).build();
    }

    @Test
    @Requirement({
        "RDMAP-3.1-01",
        "RDMAP-3.1-02",
        "RDMAP-3.1-03",
        "RDMAP-3.2-01",
        "RDMAP-4.1-01",
        "RDMAP-4.1-02",
        "RDMAP-4.1-04",
        "RDMAP-4.1-05",
        "RDMAP-4.1-06",
        "RDMAP-4.1-07",
        "RDMAP-4.1-09",
        "RDMAP-5.3-01",
        "RDMAP-5.3-08",
        "RDMAP-5.3-12",
        "RDMAP-6.1-01",
        "EXT-4.1-01",
        "EXT-4.1-02",
        "EXT-4.1-03",
        "EXT-6.2-01",
        "EXT-6.3-01",
        "EXT-6.3-04",
        "EXT-6.3-05",
        "DDP-4.1-02",
        "DDP-4.1-07",
        "DDP-4.1-09",
        "DDP-4.1-10",
        "DDP-4.3-01",
        "DDP-4.3-05",
        "DDP-4.3-06",
        "DDP-5.3-01",
        "RDMAP-4.6-01",
        "EXT-4-01"
    })
    void laysOutSendsAndImmediateDataOnQueueZero() {
        RawPeer peer = new RawPeer(true);
        Guarded local = peer.side.memory(64).pattern(1);
        byte[] five = local.bytes(0, 5);
        SendCommands sends = peer.side.stream.sends();
        int solicited = SIGNALED | SendFlag.SOLICITED;
        PostStatus.check(sends.post(SendOpcode.SEND, 1, local.base, 5, local.stag(), 0, 0, 0, SIGNALED));
        PostStatus.check(
                sends.post(SendOpcode.SEND_WITH_INVALIDATE, 2, local.base, 5, local.stag(), 0, 0, STAG, SIGNALED));
        PostStatus.check(sends.post(SendOpcode.SEND, 3, local.base, 5, local.stag(), 0, 0, 0, solicited));
        PostStatus.check(
                sends.post(SendOpcode.SEND_WITH_INVALIDATE, 4, local.base, 5, local.stag(), 0, 0, STAG, solicited));
        PostStatus.check(sends.post(SendOpcode.IMMEDIATE, 5, 0, 0, 0, 0, 0, TO, SIGNALED));
        PostStatus.check(sends.post(SendOpcode.IMMEDIATE, 6, 0, 0, 0, 0, 0, TO, solicited));
        peer.settle();
        byte[] immediate = ByteBuffer.allocate(8).putLong(TO).array();
        assertThat(octets(peer.answers))
                .containsExactly(
                        Segments.untagged(Segments.SEND, 0, 0, 1, 0, true, five),
                        Segments.untagged(Segments.SEND_INVALIDATE, STAG, 0, 2, 0, true, five),
                        Segments.untagged(Segments.SEND_SE, 0, 0, 3, 0, true, five),
                        Segments.untagged(Segments.SEND_SE_INVALIDATE, STAG, 0, 4, 0, true, five),
                        Segments.untagged(Segments.IMMEDIATE, 0, 0, 5, 0, true, immediate),
                        Segments.untagged(Segments.IMMEDIATE_SE, 0, 0, 6, 0, true, immediate));
        assertThat(peer.unfinishedOctets()).as("nothing else is sent").isZero();
    }

    @Test
    @Requirement({
        "RDMAP-3.1-02",
        "RDMAP-3.1-03",
        "RDMAP-4.1-05",
        "RDMAP-4.1-06",
        "RDMAP-4.1-07",
        "RDMAP-4.1-09",
        "RDMAP-4.2-01",
        "RDMAP-4.2-02",
        "RDMAP-4.4-01",
        "RDMAP-5.1-01",
        "RDMAP-5.2-01",
        "RDMAP-5.2.1-01",
        "RDMAP-5.2.1-05",
        "RDMAP-5.2.1-08",
        "EXT-4.1-01",
        "EXT-4.1-02",
        "EXT-4.1-03",
        "EXT-4.2-01",
        "EXT-5.2.1-1-01",
        "EXT-5.2.1-5-01",
        "EXT-5.2.1-06",
        "EXT-5.2.1-07",
        "DDP-4.1-02",
        "DDP-4.1-07",
        "DDP-4.1-09",
        "DDP-4.1-10",
        "DDP-4.2-01",
        "DDP-4.3-05",
        "DDP-4.3-06",
        "DDP-5.2-06",
        "DDP-5.3-01",
        "RDMAP-4.3-01",
        "EXT-4-02"
    })
    void laysOutOneSidedMessages() {
        RawPeer peer = new RawPeer(true);
        Guarded local = peer.side.memory(64).pattern(1);
        SendCommands sends = peer.side.stream.sends();
        peer.side.post(SendOpcode.RDMA_WRITE, 1, local, 0, 5, TO, STAG, 0);
        peer.side.post(SendOpcode.RDMA_WRITE_WITH_IMMEDIATE, 2, local, 1, 3, TO, STAG, -2);
        peer.side.post(SendOpcode.RDMA_READ, 3, local, 8, 9, TO, STAG, 0);
        PostStatus.check(sends.postAtomic(
                SendOpcode.FETCH_ADD, 4, local.base + 24, local.stag(), TO, STAG, 5, 0, 0, 0, SIGNALED));
        PostStatus.check(sends.postAtomic(
                SendOpcode.CMP_SWAP, 5, local.base + 32, local.stag(), TO, STAG, 6, 7, -1L, -1L, SIGNALED));
        peer.settle();
        List<Segments.Parsed> sent = peer.answers;
        assertThat(sent).hasSize(6);
        assertThat(octets(sent))
                .containsExactly(
                        Segments.write(STAG, TO, local.bytes(0, 5)),
                        Segments.write(STAG, TO, local.bytes(1, 3)),
                        Segments.immediate(1, ByteBuffer.allocate(8).putLong(-2).array()),
                        Segments.readRequest(1, local.stag(), local.base + 8, 9, STAG, TO),
                        Segments.fetchAdd(2, sent.get(4).at(18 + 4), STAG, TO, 5),
                        Segments.cmpSwap(3, sent.get(5).at(18 + 4), STAG, TO, 6, 7));
        assertThat(peer.unfinishedOctets()).as("nothing else is sent").isZero();
    }

    @Test
    @Requirement({
        "DDP-4.1-01",
        "DDP-4.1-03",
        "DDP-4.1-04",
        "DDP-4.1-10",
        "DDP-4.2-02",
        "DDP-4.2-03",
        "DDP-4.2-05",
        "DDP-4.3-02",
        "DDP-4.3-04",
        "DDP-4.3-08",
        "DDP-5.2-07",
        "RDMAP-3.1-01",
        "RDMAP-5.1-07"
    })
    void repeatsTheHeaderInEverySegmentOfAMessage() {
        RawPeer peer = new RawPeer(agreed(true, SMALL_EMSS));
        Guarded local = peer.side.memory(1000).pattern(1);
        peer.side.post(SendOpcode.SEND_WITH_INVALIDATE, 1, local, 0, 1000, 0, 0, STAG);
        peer.side.post(SendOpcode.RDMA_WRITE, 2, local, 0, 1000, TO, STAG, 0);
        peer.settle();
        peer.inject(Segments.readRequest(1, STAG, TO, 1000, local.stag(), local.base));
        assertThat(cut(peer, Segments.SEND_INVALIDATE, local)).isEqualTo(1000);
        assertThat(cut(peer, Segments.WRITE, local)).isEqualTo(1000);
        assertThat(cut(peer, Segments.READ_RESPONSE, local)).isEqualTo(1000);
    }

    // The octets of the message of that opcode, each of whose segments has the header that is due.
    private static int cut(RawPeer peer, int opcode, Guarded data) {
        List<Segments.Parsed> segments = peer.answers.stream()
                .filter(segment -> segment.opcode() == opcode)
                .toList();
        assertThat(segments).hasSizeGreaterThan(5);
        int offset = 0;
        for (Segments.Parsed segment : segments) {
            byte[] part = data.bytes(offset, segment.payload().length);
            boolean last = offset + part.length == 1000;
            assertThat(segment.octets())
                    .isEqualTo(
                            opcode == Segments.SEND_INVALIDATE
                                    ? Segments.untagged(opcode, STAG, 0, 1, offset, last, part)
                                    : Segments.tagged(opcode, STAG, TO + offset, last, part));
            offset += part.length;
        }
        return offset;
    }

    // RFC 5041 §5.2: a message without payload is one segment, and that is the last one.
    @Test
    @Requirement({"DDP-5.2-08", "RDMAP-5.1-08", "RDMAP-5.3-10"})
    void sendsAnEmptyMessageInOneSegment() {
        RawPeer peer = new RawPeer(true);
        Guarded local = peer.side.memory(64);
        peer.side.send(1, local, 0, 0);
        peer.side.post(SendOpcode.RDMA_WRITE, 2, local, 0, 0, TO, STAG, 0);
        peer.inject(Segments.readRequest(1, STAG, TO, 0, 0, 0));
        assertThat(octets(peer.answers))
                .containsExactly(Segments.send(1), Segments.write(STAG, TO), Segments.readResponse(STAG, TO, true));
        assertThat(peer.unfinishedOctets()).isZero();
    }

    @Test
    @Requirement("DDP-3-2-01")
    void partialWritesDoNotCutSegmentsAnew() {
        assertThat(sentWith(Splitter.ONE)).isEqualTo(sentWith(Splitter.WHOLE)).hasSizeGreaterThan(5000);
        assertThat(sentWith(Splitter.at(333))).isEqualTo(sentWith(Splitter.WHOLE));
    }

    private static byte[] sentWith(Splitter writing) {
        Side side = new Side(3, new Pipe(), new Pipe());
        side.writing = writing;
        side.stream.start(agreed(true, SMALL_EMSS), 0);
        side.send(1, side.memory(5000).pattern(1), 0, 5000);
        side.settle(0);
        return side.out.drain();
    }

    @ParameterizedTest
    @CsvSource({"SEND, 60, 5", "RDMA_WRITE, 63, 2", "RDMA_WRITE_WITH_IMMEDIATE, 63, 2", "RDMA_READ, 60, 5"})
    @Requirement({"RDMAP-4.8-09", "RDMAP-5.4-01", "RDMAP-5.4-02", "RDMAP-7.1-1-01", "DDP-4.1-02"})
    void terminatesWithoutHeadersInsteadOfWhatCannotBeBuilt(SendOpcode operation, int offset, int length) {
        RawPeer peer = new RawPeer(true);
        Guarded local = peer.side.memory(64);
        peer.side.post(operation, 1, local, offset, length, TO, STAG, 0);
        peer.settle();
        assertThat(octets(peer.answers)).containsExactly(Segments.terminate(0, 0, 0, 0));
    }

    @ParameterizedTest
    @EnumSource(names = {"FETCH_ADD", "CMP_SWAP", "MASKED_FETCH_ADD", "MASKED_CMP_SWAP"})
    @Requirement("EXT-8.1-1-01")
    void terminatesWithoutHeadersInsteadOfAnAtomicThatCannotBeBuilt(SendOpcode atomic) {
        RawPeer peer = new RawPeer(true);
        Guarded local = peer.side.memory(64);
        PostStatus.check(peer.side
                .stream
                .sends()
                .postAtomic(atomic, 1, local.base + 60, local.stag(), TO, STAG, 5, 0, 0, 0, SIGNALED));
        peer.settle();
        assertThat(octets(peer.answers)).containsExactly(Segments.terminate(0, 0, 0, 0));
    }

    // RFC 5040 §4.8: the Read Request returned tells what was answered before.
    @Test
    @Requirement("RDMAP-4.8-11")
    void terminateOfABrokenReadTellsHowFarItCame() {
        RawPeer peer = new RawPeer(agreed(false, SMALL_EMSS));
        Guarded source = peer.side.memory(BIG).pattern(1);
        peer.fromStream.window = 1000;
        peer.inject(Segments.readRequest(1, STAG, TO, BIG, source.stag(), source.base));
        assertThat(source.region.revoke()).isTrue();
        peer.fromStream.window = Long.MAX_VALUE;
        peer.settle();
        int sent = 0;
        for (Segments.Parsed answer : peer.answers) {
            sent += answer.opcode() == Segments.READ_RESPONSE ? answer.payload().length : 0;
        }
        assertThat(sent).isBetween(1, BIG - 1);
        Segments.Parsed terminate = peer.terminates().getFirst();
        assertThat(terminate.flags()).isEqualTo(0xE0);
        byte[] rest = Segments.readRequest(1, STAG, TO + sent, BIG - sent, source.stag(), source.base + sent);
        assertThat(terminate.octets()).endsWith(rest);
    }

    // RFC 7306 §7: what follows Immediate Data is not answered before that is complete.
    @Test
    @Requirement("EXT-7-01")
    void answersNoReadBehindImmediateDataThatDoesNotComplete() {
        HostileFixture fixture = HostileFixture.responder();
        byte[] read = Segments.readRequest(1, STAG, TO, 8, fixture.open.stag(), HostileFixture.BASE);
        fixture.peer.inject(Segments.immediate(1, new byte[8]), read);
        assertThat(fixture.peer.answers).hasSize(1);
        assertThat(fixture.peer.answers.getFirst().code()).isEqualTo("1/2/02");

        HostileFixture prepared = HostileFixture.responder().receives(1);
        read = Segments.readRequest(1, STAG, TO, 8, prepared.open.stag(), HostileFixture.BASE);
        prepared.peer.inject(Segments.immediate(1, new byte[8]), read);
        assertThat(prepared.side.receives.brief()).containsExactly("100 RECV_IMMEDIATE");
        assertThat(prepared.peer.answers.getFirst().opcode()).isEqualTo(Segments.READ_RESPONSE);
    }

    private static List<byte[]> octets(List<Segments.Parsed> segments) {
        return segments.stream().map(Segments.Parsed::octets).toList();
    }
}

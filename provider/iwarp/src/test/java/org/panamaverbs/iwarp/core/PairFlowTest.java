package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.Rtr;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.testkit.Requirement;

/** Order, limits and batches between two streams. */
class PairFlowTest {
    private final Pair pair = new Pair();
    private final Side a = pair.a;
    private final Side b = pair.b;

    private static Negotiated agreed(boolean initiator, int ird, int ord) {
        return Negotiated.builder(initiator)
                .crc(true)
                .rtr(Rtr.WRITE)
                .ird(ird)
                .ord(ord)
                .peerIrd(ord)
                .peerOrd(ird)
                .emss(Pair.EMSS)
                .build();
    }

    @Test
    @Requirement("RDMAP-5.5-15-01")
    void completesInTheOrderOfPosting() {
        pair.start();
        Guarded local = a.memory(20_000);
        Guarded remote = b.memory(20_000);
        b.receives(2, 50, b.memory(128), 64);
        a.read(1, local, 0, 10_000, remote, 0);
        a.send(2, local, 10_000, 3);
        a.fetchAdd(3, local, 10_008, remote, 0, 1);
        a.write(4, local, 10_100, 9_000, remote, 10_000);
        a.read(5, local, 0, 0, remote, 0);
        a.send(6, local, 0, 0);
        pair.settle();
        assertThat(a.sends.brief())
                .containsExactly("1 RDMA_READ", "2 SEND", "3 FETCH_ADD", "4 RDMA_WRITE", "5 RDMA_READ", "6 SEND");
        assertThat(b.receives.brief()).containsExactly("50 RECV", "51 RECV");
        pair.disconnect();
    }

    @Test
    @Requirement({"RDMAP-5.5-15-01", "RDMAP-5.5-18-01", "RDMAP-5.5-19-01"})
    void doesNotCompleteAReadOrWhatFollowsItBeforeItsResponse() {
        pair.start();
        Guarded local = a.memory(256);
        Guarded remote = b.memory(256).pattern(1);
        b.receive(50, b.memory(64), 0, 64);
        a.read(1, local, 0, 100, remote, 0);
        a.send(2, local, 128, 3);
        pair.toA.stallAt = pair.toA.readOctets();
        pair.settle();
        assertThat(b.receives.brief()).containsExactly("50 RECV");
        assertThat(a.sends.list).isEmpty();
        pair.toA.stallAt = Pipe.NEVER;
        pair.settle();
        assertThat(a.sends.brief()).containsExactly("1 RDMA_READ", "2 SEND");
        pair.disconnect();
    }

    @Test
    @Requirement("RDMAP-5.5-14-01")
    void doesNotCompleteASendBeforeItLeft() {
        pair.start();
        Guarded local = a.memory(4096);
        b.receive(50, b.memory(4096), 0, 4096);
        pair.toB.window = 1000;
        a.writing = done -> 100;
        pair.toB.stallAt = pair.toB.readOctets();
        a.send(1, local, 0, 4000);
        pair.settle();
        assertThat(a.sends.list).isEmpty();
        pair.toB.stallAt = Pipe.NEVER;
        pair.settle();
        assertThat(a.sends.brief()).containsExactly("1 SEND");
        pair.disconnect();
    }

    @Test
    @Requirement("RDMAP-5.5-12-02")
    void sendsWithoutWaitingForReadsUnlessFenced() {
        pair.start();
        Guarded local = a.memory(256);
        Guarded remote = b.memory(256).pattern(9);
        Guarded inbox = b.memory(128);
        b.receives(2, 50, inbox, 64);
        a.read(1, local, 0, 100, remote, 0);
        a.stream.sends().post(SendOpcode.SEND, 2, local.base + 128, 1, local.stag(), 0, 0, 0, SendFlag.SIGNALED);
        a.stream
                .sends()
                .post(SendOpcode.SEND, 3, local.base, 50, local.stag(), 0, 0, 0, SendFlag.SIGNALED | SendFlag.FENCE);
        pair.toA.stallAt = pair.toA.readOctets();
        pair.settle();
        assertThat(b.receives.ids()).containsExactly(50L);
        pair.toA.stallAt = Pipe.NEVER;
        pair.settle();
        assertThat(b.receives.ids()).containsExactly(50L, 51L);
        assertThat(inbox.bytes(64, 50)).isEqualTo(remote.bytes(0, 50));
        assertThat(a.sends.ids()).containsExactly(1L, 2L, 3L);
        pair.disconnect();
    }

    // The first that has to wait is a Read or an Atomic.
    @ParameterizedTest
    @CsvSource({"1, true", "1, false", "2, true", "2, false", "16, true", "16, false"})
    @Requirement({"RDMAP-6.1-03", "RDMAP-6.1-04", "EXT-5.2-01"})
    void neverHasMoreReadsAndAtomicsOutstandingThanOrd(int ord, boolean readWaits) {
        pair.start(agreed(true, 4, ord), agreed(false, ord, 4));
        Guarded local = a.memory(4096);
        Guarded remote = b.memory(4096).pattern(2);
        for (int i = 0; i < 60; i++) {
            if (i % 3 == (ord + (readWaits ? 1 : 0)) % 3) {
                a.fetchAdd(i, local, i * 8L, remote, 1024, 1);
            } else {
                a.read(i, local, i * 8L, 8, remote, i * 8L);
            }
        }
        pair.toB.drain();
        Wiretap requests = new Wiretap();
        pair.toB.stallAt = pair.toB.readOctets();
        pair.settle();
        List<Segments.Parsed> outstanding = requests.take(pair.toB.drain());
        assertThat(outstanding).hasSize(ord);
        assertThat(outstanding).extracting(Segments.Parsed::msn).containsExactlyElementsOf(range(1, ord));
        assertThat(outstanding).allMatch(segment -> segment.qn() == 1);
    }

    @Test
    @Requirement({"RDMAP-5.2.2-02", "RDMAP-5.5-11-01", "RDMAP-5.5-20-02"})
    void answers128OutstandingReads() {
        pair.start(agreed(true, 128, 128), agreed(false, 128, 128));
        Guarded local = a.memory(128 * 100);
        Guarded remote = b.memory(128 * 100).pattern(5);
        Guarded back = a.memory(128 * 100);
        for (int i = 0; i < 128; i++) {
            a.read(i, local, i * 100L, 100, remote, i * 100L);
            b.read(i, remote, i * 100L, 0, back, 0);
        }
        pair.toA.stallAt = pair.toA.readOctets();
        pair.settle();
        pair.toA.stallAt = Pipe.NEVER;
        pair.settle();
        assertThat(a.sends.ids())
                .containsExactlyElementsOf(
                        range(0, 127).stream().map(i -> (long) i).toList());
        assertThat(b.sends.list).hasSize(128).allMatch(Wc::ok);
        assertThat(local.bytes()).isEqualTo(remote.bytes());
        pair.disconnect();
    }

    @Test
    @Requirement({"RDMAP-5.5-12-01", "RDMAP-5.5-17-01", "EXT-5.4-3-01", "EXT-5.4-5-01"})
    void readsSeeEarlierWritesAndAtomicsSeeBoth() {
        pair.start();
        Guarded local = a.memory(256).putLong(0, 41);
        Guarded remote = b.memory(64);
        a.write(1, local, 0, 8, remote, 8);
        a.fetchAdd(2, local, 64, remote, 8, 1);
        a.read(3, local, 128, 8, remote, 8);
        a.fetchAdd(4, local, 72, remote, 8, 1);
        pair.settle();
        assertThat(local.getLong(64)).isEqualTo(41);
        assertThat(local.getLong(128)).isEqualTo(42);
        assertThat(local.getLong(72)).isEqualTo(42);
        pair.disconnect();
    }

    @Test
    void withholdsABatchUntilItIsPublished() {
        pair.start();
        Guarded local = a.memory(64);
        b.receives(8, 50, b.memory(512), 64);
        a.stream.sends().holds = true;
        a.send(1, local, 0, 1);
        a.send(2, local, 0, 2);
        pair.settle();
        assertThat(b.receives.list).isEmpty();
        a.stream.sends().holds = false;
        assertThat(a.stream.sends().publish()).isEqualTo(2);
        pair.settle();
        assertThat(a.sends.ids()).containsExactly(1L, 2L);
        a.stream.sends().holds = true;
        a.send(3, local, 0, 3);
        a.stream.sends().holds = false;
        a.stream.sends().discardHeld();
        a.send(4, local, 0, 4);
        pair.settle();
        assertThat(a.sends.ids()).containsExactly(1L, 2L, 4L);
        assertThat(b.receives.list).extracting(Wc::byteCount).containsExactly(1L, 2L, 4L);
        assertThat(a.stream.idle()).isTrue();
        pair.disconnect();
    }

    @ParameterizedTest
    @CsvSource({
        "true, false, false",
        "true, true, false",
        "true, false, true",
        "true, true, true",
        "false, false, false",
        "false, true, false",
        "false, false, true",
        "false, true, true"
    })
    @Requirement("MPA-4.4-04")
    void speaksWithAndWithoutCrcAndMarkers(boolean crc, boolean markersToA, boolean markersToB) {
        pair.start(
                Negotiated.builder(true)
                        .crc(crc)
                        .markersIn(markersToA)
                        .markersOut(markersToB)
                        .revision(1)
                        .rtr(Rtr.WRITE)
                        .depths(4)
                        .emss(Pair.EMSS)
                        .build(),
                Negotiated.builder(false)
                        .crc(crc)
                        .markersIn(markersToB)
                        .markersOut(markersToA)
                        .revision(1)
                        .rtr(Rtr.WRITE)
                        .depths(4)
                        .emss(Pair.EMSS)
                        .build());
        Conversation conversation = new Conversation(pair);
        conversation.post();
        pair.settle();
        conversation.check();
        pair.disconnect();
    }

    @ParameterizedTest
    @CsvSource({"100, 128", "536, 530", "1460, 1454", "8948, 8942", "65483, 64768"})
    @Requirement({
        "DDP-4.1-04",
        "MPA-4.5-04",
        "MPA-5.1-01",
        "MPA-3-02",
        "MPA-3-03",
        "MPA-3-04",
        "MPA-3-05",
        "DDP-4.1-02",
        "DDP-4.1-03",
        "DDP-4.1-05",
        "DDP-4.3-08",
        "DDP-4.3-09",
        "DDP-5.2-01",
        "DDP-5.2-05",
        "DDP-5.3-02"
    })
    void keepsSegmentsWithinMulpdu(int emss, int mulpdu) {
        pair.start(Pair.agreed(true).withEmss(emss), Pair.agreed(false).withEmss(emss));
        Guarded local = a.memory(200_000).pattern(1);
        b.receive(50, b.memory(200_000), 0, 200_000);
        pair.toB.stallAt = pair.toB.readOctets();
        a.send(1, local, 0, 200_000);
        pair.settle();
        List<Segments.Parsed> segments = new Wiretap().take(pair.toB.drain());
        int offset = 0;
        for (Segments.Parsed segment : segments) {
            assertThat(segment.octets().length).isLessThanOrEqualTo(mulpdu);
            assertThat(segment.mo()).isEqualTo(offset);
            assertThat(segment.msn()).isEqualTo(1);
            offset += segment.payload().length;
            assertThat(segment.last()).isEqualTo(offset == 200_000);
        }
        assertThat(offset).isEqualTo(200_000);
        assertThat(segments.getFirst().octets().length).isGreaterThan(mulpdu - 4);
        assertThat(Fpdu.mulpdu(emss, false)).isEqualTo(mulpdu);
    }

    // The header of tagged segments is another one, so their payload is of another size.
    @ParameterizedTest
    @CsvSource({"100, 128", "536, 530", "1460, 1454", "8948, 8942", "65483, 64768"})
    @Requirement({"DDP-4.1-02", "DDP-4.1-03", "DDP-4.1-04", "DDP-5.2-01", "DDP-5.2-07", "MPA-3-02", "MPA-3-05"})
    void keepsTaggedSegmentsWithinMulpdu(int emss, int mulpdu) {
        RawPeer peer = new RawPeer(
                Negotiated.builder(true).crc(true).depths(4).emss(emss).build());
        Guarded local = peer.side.memory(200_000).pattern(1);
        peer.side.write(1, local, 0, 200_000, local, 0);
        peer.inject(Segments.readRequest(1, local.stag(), local.base, 200_000, local.stag(), local.base));
        assertCut(peer.answers, Segments.WRITE, mulpdu, local);
        assertCut(peer.answers, Segments.READ_RESPONSE, mulpdu, local);
    }

    private static void assertCut(List<Segments.Parsed> answers, int opcode, int mulpdu, Guarded memory) {
        List<Segments.Parsed> segments =
                answers.stream().filter(segment -> segment.opcode() == opcode).toList();
        int offset = 0;
        for (Segments.Parsed segment : segments) {
            byte[] part = segment.payload();
            assertThat(segment.octets().length).isLessThanOrEqualTo(mulpdu);
            assertThat(segment.to()).isEqualTo(memory.base + offset);
            assertThat(part).isEqualTo(memory.bytes(offset, part.length));
            offset += part.length;
            assertThat(segment.last()).isEqualTo(offset == memory.size());
        }
        assertThat(offset).isEqualTo(memory.size());
        assertThat(segments.getFirst().octets().length).isGreaterThan(mulpdu - 4);
    }

    // RFC 5040 §5.2.2, RFC 7306 §5.2.2: as many buffers of queue 1 as were agreed, for both kinds.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 16, 128})
    @Requirement({
        "RDMAP-5.2.1-02",
        "RDMAP-5.2.1-07",
        "RDMAP-5.2.2-02",
        "RDMAP-5.2.2-05",
        "RDMAP-5.5-20-01",
        "EXT-5.2.1-2-01",
        "EXT-5.2.1-7-01",
        "EXT-5.2.2-4-01",
        "EXT-5.2.2-8-01",
        "EXT-5.4-8-01"
    })
    void holdsAsManyRequestsAsIrdSaysAtOnce(int ird) {
        RawPeer peer = new RawPeer(Negotiated.builder(false)
                .crc(true)
                .ird(ird)
                .ord(4)
                .peerIrd(4)
                .peerOrd(ird)
                .emss(Pair.EMSS)
                .build());
        Guarded memory = peer.side.memory(64);
        peer.inject(Segments.write(1, 0));
        int msn = 1;
        for (int round = 1; round <= 2; round++) {
            peer.fromStream.window = 0;
            for (int i = 0; i < ird; i++, msn++) {
                peer.inject(
                        i % 2 == 0
                                ? Segments.fetchAdd(msn, msn, memory.stag(), memory.base, 1)
                                : Segments.readRequest(msn, 1, msn, 8, memory.stag(), memory.base));
            }
            assertThat(peer.side.stream.fault()).as("round %d", round).isNull();
            peer.fromStream.window = Long.MAX_VALUE;
            peer.settle();
            assertThat(peer.answers)
                    .extracting(answer -> answer.tagged() ? (int) answer.to() : answer.at(18))
                    .as("what they answer")
                    .containsExactlyElementsOf(range(1, round * ird));
        }
        assertThat(memory.getLong(0)).isEqualTo(2L * ((ird + 1) / 2));
    }

    private static List<Integer> range(int from, int to) {
        List<Integer> all = new ArrayList<>();
        LongStream.rangeClosed(from, to).forEach(i -> all.add((int) i));
        return all;
    }
}

package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.iwarp.wire.Samples;
import org.panamaverbs.testkit.Requirement;

/** Swap as draft-ietf-storm-rdmap-ext-01 has it, on streams that were told to speak it and on others. */
class DraftSwapTest extends CaptureReplay {
    private static final int ULPDU_FROM = 2;
    private static final int CRC_BYTES = 4;
    private static final int MSN_AT = 13;
    private static final int OPERATION_AT = 18 + 3;
    private static final int REQUEST_ID_AT = 18 + 4;
    private static final long CELL_TO = 0x4000;

    private static Negotiated agreed(boolean initiator, boolean draft) {
        return Negotiated.builder(initiator)
                .crc(true)
                .depths(4)
                .emss(Pair.EMSS)
                .build()
                .withDraftSwap(draft);
    }

    /** The golden Swap without its framing; it is the fourth request of its stream there. */
    private static byte[] golden() {
        byte[] fpdu = Samples.bytes("F20");
        return Arrays.copyOfRange(fpdu, ULPDU_FROM, fpdu.length - CRC_BYTES);
    }

    private static int swap(Side side, long wrId, Guarded local, long to, int rkey, long compareMask, long swapMask) {
        return side.stream
                .sends()
                .postAtomic(
                        SendOpcode.MASKED_CMP_SWAP,
                        wrId,
                        local.base,
                        local.stag(),
                        to,
                        rkey,
                        0,
                        7,
                        compareMask,
                        swapMask,
                        SendFlag.SIGNALED);
    }

    private static Segments.Parsed sent(boolean draft, long compareMask, long swapMask) {
        RawPeer peer = new RawPeer(agreed(true, draft));
        Guarded local = peer.side.memory(8);
        PostStatus.check(swap(peer.side, 1, local, CELL_TO, WRITE_STAG, compareMask, swapMask));
        peer.settle();
        assertThat(peer.answers).hasSize(1);
        return peer.answers.getFirst();
    }

    @Test
    @Requirement({"DRAFT01-5.1.2-01", "DRAFT01-5.1.2-02"})
    void sendsTheGoldenOctets() {
        byte[] octets = sent(true, 0, -1L).octets();
        byte[] expected = golden();
        expected[MSN_AT] = 1;
        // RFC 7306 §5.2.1: the request identifier is the sender's choice.
        System.arraycopy(octets, REQUEST_ID_AT, expected, REQUEST_ID_AT, Integer.BYTES);
        assertThat(octets).isEqualTo(expected);
    }

    @Test
    void sendsCmpSwapUnlessToldOtherwise() {
        Segments.Parsed request = sent(false, 0, -1L);
        assertThat(request.octets()[OPERATION_AT]).isEqualTo((byte) 2);
        assertThat(request.longAt(18 + 20)).as("swap data").isEqualTo(7);
        assertThat(request.longAt(18 + 28)).as("swap mask").isEqualTo(-1L);
        assertThat(request.longAt(18 + 44)).as("compare mask").isZero();
    }

    @Test
    void sendsCmpSwapWhereTheMasksSayMoreThanSwap() {
        assertThat(sent(true, 1, -1L).octets()[OPERATION_AT]).isEqualTo((byte) 2);
        assertThat(sent(true, 0, 0xFFL).octets()[OPERATION_AT]).isEqualTo((byte) 2);
    }

    /** The four requests of the worked examples, as they stand there; the last is the draft's Swap. */
    @Test
    @Requirement({"DRAFT01-5.1.2-01", "DRAFT01-5.1.2-02"})
    void answersTheGoldenOctets() {
        Side side = new Side(0x77, new Pipe(), new Pipe(), stags);
        side.stream.start(agreed(false, true), 0);
        fixed(side, SOURCE_STAG, 4096, 0x2000, Guarded.ALL);
        Guarded cell = fixed(side, WRITE_STAG, 64, CELL_TO, Guarded.ALL).putLong(0, 0x2A);
        for (String frame : new String[] {"F10", "F16", "F18", "F20"}) {
            play(side, Samples.bytes(frame));
        }
        List<Segments.Parsed> answers = new Wiretap().take(side.out.drain());
        List<Segments.Parsed> atomics = answers.subList(answers.size() - 3, answers.size());
        assertThat(Framing.fpdu(atomics.get(0).octets())).isEqualTo(Samples.bytes("F17"));
        assertThat(Framing.fpdu(atomics.get(1).octets())).isEqualTo(Samples.bytes("F19"));
        assertThat(atomics.get(2).octets()).isEqualTo(Segments.atomicResponse(3, 0x11223346, 0x64));
        assertThat(cell.getLong(0)).isEqualTo(7);
        assertThat(side.stream.fault()).isNull();
        side.assertGuards();
    }

    @Test
    @Requirement("DRAFT01-5.1.2-02")
    void ignoresMasksAndCompareData() {
        RawPeer peer = new RawPeer(agreed(false, true));
        Guarded cell = peer.side.memory(8).putLong(0, 0x1111_2222_3333_4444L);
        byte[] header = Segments.atomicHeader(1, 5, cell.stag(), cell.base, -2L, 0, 0x9999, 0);
        peer.inject(Segments.untagged(Segments.ATOMIC_REQUEST, 0, 1, 1, 0, true, header));
        byte[] again = Segments.atomicHeader(1, 6, cell.stag(), cell.base, 3, 0xFF, 0x9999, -1L);
        peer.inject(Segments.untagged(Segments.ATOMIC_REQUEST, 0, 1, 2, 0, true, again));
        assertThat(peer.answers.get(0).octets()).isEqualTo(Segments.atomicResponse(1, 5, 0x1111_2222_3333_4444L));
        assertThat(peer.answers.get(1).octets()).isEqualTo(Segments.atomicResponse(2, 6, -2L));
        assertThat(cell.getLong(0)).isEqualTo(3);
        peer.side.assertGuards();
    }

    @Test
    @Requirement({"DRAFT01-5.1.2-01", "DRAFT01-5.2.1-4-01"})
    void refusesTheGoldenOctetsUnlessToldOtherwise() {
        Side side = new Side(0x77, new Pipe(), new Pipe(), stags);
        side.stream.start(agreed(false, false), 0);
        Guarded cell = fixed(side, WRITE_STAG, 64, CELL_TO, Guarded.ALL).putLong(0, 5);
        byte[] request = golden();
        request[MSN_AT] = 1;
        play(side, Framing.fpdu(request));
        List<Segments.Parsed> answers = new Wiretap().take(side.out.drain());
        assertThat(answers).hasSize(1);
        assertThat(answers.getFirst().code()).isEqualTo("0/2/06");
        assertThat(cell.getLong(0)).isEqualTo(5);
    }

    @Test
    @Requirement({"DRAFT01-5.2.1-02", "DRAFT01-5.2.1-4-01"})
    void knowsNoOtherOperationOfTheDraft() {
        for (int operation = 3; operation < 16; operation++) {
            RawPeer peer = new RawPeer(agreed(false, true));
            Guarded cell = peer.side.memory(8).putLong(0, 5);
            byte[] header = Segments.atomicHeader(operation, 5, cell.stag(), cell.base, 9, -1L, 0, 0);
            peer.inject(Segments.untagged(Segments.ATOMIC_REQUEST, 0, 1, 1, 0, true, header));
            assertThat(peer.terminates().getFirst().code()).isEqualTo("0/2/06");
            assertThat(cell.getLong(0)).isEqualTo(5);
        }
    }

    @Test
    @Requirement({"DRAFT01-5.1-01", "DRAFT01-8.2-01"})
    void refusesMisalignedCell() {
        RawPeer peer = new RawPeer(agreed(false, true));
        Guarded memory = peer.side.memory(64).pattern(3);
        byte[] before = memory.bytes();
        byte[] header = Segments.atomicHeader(1, 5, memory.stag(), memory.base + 4, 9, -1L, 0, -1L);
        peer.inject(Segments.untagged(Segments.ATOMIC_REQUEST, 0, 1, 1, 0, true, header));
        assertThat(peer.terminates().getFirst().code()).isEqualTo("0/2/07");
        assertThat(memory.bytes()).isEqualTo(before);
    }

    @Test
    @Requirement("DRAFT01-5.1.2-01")
    void failsClearlyAtPeerThatSpeaksRfc7306Alone() {
        Pair pair = started(true, false);
        Guarded local = pair.a.memory(8);
        Guarded cell = pair.b.memory(8).putLong(0, 99);
        PostStatus.check(swap(pair.a, 1, local, cell.base, cell.stag(), 0, -1L));
        pair.settle();
        assertThat(pair.a.sends.brief()).containsExactly("1 REMOTE_INVALID_REQUEST");
        assertThat(pair.a.cause()).startsWith("0/2/06").contains("by the peer");
        assertThat(pair.b.cause()).startsWith("0/2/06").contains("here");
        assertThat(cell.getLong(0)).isEqualTo(99);
    }

    /** A pair whose streams speak the draft or not; the responder has heard of the initiator. */
    private static Pair started(boolean initiatorsDraft, boolean respondersDraft) {
        return new Pair()
                .start(
                        Pair.agreed(true).withDraftSwap(initiatorsDraft),
                        Pair.agreed(false).withDraftSwap(respondersDraft));
    }

    @Test
    void isUnderstoodFromPeerThatSpeaksRfc7306Alone() {
        Pair pair = started(false, true);
        Guarded local = pair.a.memory(8);
        Guarded cell = pair.b.memory(8).putLong(0, 99);
        PostStatus.check(swap(pair.a, 1, local, cell.base, cell.stag(), 0, -1L));
        pair.settle();
        assertThat(pair.a.sends.brief()).containsExactly("1 CMP_SWAP");
        assertThat(local.getLong(0)).isEqualTo(99);
        assertThat(cell.getLong(0)).isEqualTo(7);
    }
}

package org.panamaverbs.iwarp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.testkit.Requirement;

/** What the views refuse, and that they read back at any alignment what the emitters write. */
class HeaderViewsTest {
    private static final int ROOM = 128;

    private final MemorySegment bytes = MemorySegment.ofArray(new byte[ROOM]);
    private final TaggedView tagged = new TaggedView();
    private final UntaggedView untagged = new UntaggedView();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 13})
    void refusesTaggedSegmentsWithoutAWholeHeader(int length) {
        assertThat(tagged.wrap(bytes, 0, length).check()).isEqualTo(TerminateCode.MPA_FRAMING);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 14, 17})
    void refusesUntaggedSegmentsWithoutAWholeHeader(int length) {
        assertThat(untagged.wrap(bytes, 0, length).check()).isEqualTo(TerminateCode.MPA_FRAMING);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 3})
    @Requirement({"RDMAP-7.2-03", "DDP-7.2-02"})
    void refusesOtherVersions(int version) {
        DdpHeader.emitTagged(bytes, 0, true, Opcode.RDMA_WRITE, 1, 0);
        setBits(0, 0x03, version);
        assertThat(tagged.wrap(bytes, 0, 14).check()).isEqualTo(TerminateCode.TAGGED_VERSION);
        setBits(0, 0x03, 1);
        setBits(1, 0xC0, version << 6);
        assertThat(tagged.wrap(bytes, 0, 14).check()).isEqualTo(TerminateCode.RDMAP_VERSION);

        DdpHeader.emitUntagged(bytes, 0, true, Opcode.SEND, 0, 1, 0);
        setBits(0, 0x03, version);
        assertThat(untagged.wrap(bytes, 0, 18).check()).isEqualTo(TerminateCode.UNTAGGED_VERSION);
        setBits(0, 0x03, 1);
        setBits(1, 0xC0, version << 6);
        assertThat(untagged.wrap(bytes, 0, 18).check()).isEqualTo(TerminateCode.RDMAP_VERSION);
    }

    @Test
    void showsReservedBits() {
        DdpHeader.emitUntagged(bytes, 0, true, Opcode.ATOMIC_REQUEST, 0, 1, 0);
        AtomicRequestView.emitFetchAdd(bytes, 18, 7, 8, 9, 1, 0);
        AtomicRequestView request = new AtomicRequestView().wrap(bytes, 18);
        assertThat(DdpHeader.reserved(bytes.get(Wire.OCTET, 0))).isZero();
        assertThat(Opcode.reserved(bytes.get(Wire.OCTET, 1))).isZero();
        assertThat(request.reserved()).isZero();

        setBits(0, 0x3C, 0x24);
        setBits(1, 0x30, 0x20);
        setBits(18, 0xFF, 0x80);
        setBits(21, 0xF0, 0x10);
        assertThat(DdpHeader.reserved(bytes.get(Wire.OCTET, 0))).isEqualTo(9);
        assertThat(Opcode.reserved(bytes.get(Wire.OCTET, 1))).isEqualTo(2);
        assertThat(request.reserved()).isEqualTo(0x8000001);
        assertThat(request.operation()).isEqualTo(AtomicOpcode.FETCH_ADD);
    }

    @Test
    void judgesVersionsBeforeTheOpcode() {
        DdpHeader.emitUntagged(bytes, 0, true, Opcode.SEND, 0, 1, 0);
        setBits(0, 0x03, 0);
        setBits(1, 0xFF, 0x0F);
        assertThat(untagged.wrap(bytes, 0, 18).check()).isEqualTo(TerminateCode.UNTAGGED_VERSION);
        setBits(0, 0x03, 1);
        assertThat(untagged.wrap(bytes, 0, 18).check()).isEqualTo(TerminateCode.RDMAP_VERSION);
        setBits(1, 0xC0, 0x40);
        assertThat(untagged.wrap(bytes, 0, 18).check()).isEqualTo(TerminateCode.UNEXPECTED_OPCODE);
    }

    @ParameterizedTest
    @EnumSource(Opcode.class)
    @Requirement({"RDMAP-4.1-03", "EXT-4.1-05"})
    void demandsThatTaggingAgreesWithTheOpcode(Opcode opcode) {
        DdpHeader.emitTagged(bytes, 0, true, opcode, 1, 0);
        assertThat(tagged.wrap(bytes, 0, 18).check())
                .isEqualTo(opcode.tagged() ? null : TerminateCode.UNEXPECTED_OPCODE);
        assertThat(untagged.wrap(bytes, 0, 18).check()).isEqualTo(TerminateCode.UNEXPECTED_OPCODE);

        DdpHeader.emitUntagged(bytes, 0, true, opcode, 0, 1, 0);
        assertThat(untagged.wrap(bytes, 0, 18).check())
                .isEqualTo(opcode.tagged() ? TerminateCode.UNEXPECTED_OPCODE : null);
        assertThat(tagged.wrap(bytes, 0, 18).check()).isEqualTo(TerminateCode.UNEXPECTED_OPCODE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0xC, 0xD, 0xE, 0xF})
    void refusesUnassignedOpcodes(int code) {
        DdpHeader.emitTagged(bytes, 0, true, Opcode.RDMA_WRITE, 1, 0);
        setBits(1, 0x0F, code);
        assertThat(tagged.wrap(bytes, 0, 14).check()).isEqualTo(TerminateCode.UNEXPECTED_OPCODE);
    }

    @ParameterizedTest
    @EnumSource(
            value = Opcode.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"RDMA_WRITE", "READ_RESPONSE"})
    @Requirement({"RDMAP-3.1-02", "EXT-4.1-06", "DDP-7.1-U1-01", "DRAFT01-4.1-03", "DRAFT01-5.2-01"})
    void demandsTheQueueOfTheOpcode(Opcode opcode) {
        for (int qn : new int[] {0, 1, 2, 3, 4, 0x100, Integer.MIN_VALUE, -1}) {
            DdpHeader.emitUntagged(bytes, 0, true, opcode, 0, qn, 1, 0);
            assertThat(untagged.wrap(bytes, 0, 18).check())
                    .isEqualTo(qn == opcode.queue() ? null : TerminateCode.UNTAGGED_INVALID_QN);
        }
    }

    @Test
    @Requirement({"RDMAP-4.1-08", "DDP-4.1-08"})
    void ignoresReservedBits() {
        DdpHeader.emitUntagged(bytes, 0, true, Opcode.SEND, 0x55, 1, 0);
        setBits(0, 0x3C, 0x3C);
        setBits(1, 0x30, 0x30);
        assertThat(untagged.wrap(bytes, 0, 18).check()).isNull();
        assertThat(untagged.opcode()).isEqualTo(Opcode.SEND);
        assertThat(untagged.last()).isTrue();
    }

    @Test
    void demandsExactLengthsOfControlMessages() {
        assertThat(Opcode.READ_REQUEST.checkLength(28)).isNull();
        assertThat(Opcode.READ_REQUEST.checkLength(27)).isEqualTo(TerminateCode.OPERATION_UNSPECIFIED);
        assertThat(Opcode.READ_REQUEST.checkLength(29)).isEqualTo(TerminateCode.UNTAGGED_TOO_LONG);
        assertThat(Opcode.ATOMIC_REQUEST.checkLength(52)).isNull();
        assertThat(Opcode.ATOMIC_REQUEST.checkLength(0)).isEqualTo(TerminateCode.OPERATION_UNSPECIFIED);
        assertThat(Opcode.ATOMIC_RESPONSE.checkLength(12)).isNull();
        assertThat(Opcode.ATOMIC_RESPONSE.checkLength(32)).isEqualTo(TerminateCode.UNTAGGED_TOO_LONG);
        assertThat(Opcode.IMMEDIATE.checkLength(8)).isNull();
        assertThat(Opcode.IMMEDIATE.checkLength(7)).isEqualTo(TerminateCode.OPERATION_UNSPECIFIED);
        assertThat(Opcode.IMMEDIATE.checkLength(0x1_0000_0008L)).isEqualTo(TerminateCode.UNTAGGED_TOO_LONG);
    }

    @Test
    @Requirement({"EXT-5.2.1-03", "EXT-5.2.1-4-01"})
    void acceptsTheTwoAtomicOperationsOnly() {
        AtomicRequestView view = new AtomicRequestView().wrap(bytes, 0);
        for (int code = 0; code < 16; code++) {
            AtomicRequestView.emitFetchAdd(bytes, 0, 1, 2, 3, 4, 5);
            bytes.set(Wire.U32, 0, 0xFFFFFFF0 | code);
            assertThat(view.operationCode()).isEqualTo(code);
            assertThat(view.check()).isEqualTo(code == 0 || code == 2 ? null : TerminateCode.UNEXPECTED_OPCODE);
        }
    }

    @Test
    void readsBackDdpHeadersAtAnyOffset() {
        Random random = new Random(5041);
        for (int round = 0; round < 5_000; round++) {
            int offset = random.nextInt(64);
            boolean last = random.nextBoolean();
            int stag = random.nextInt();
            long to = random.nextLong();
            int payload = random.nextInt(0x10000 - 18);
            DdpHeader.emitTagged(bytes, offset, last, Opcode.READ_RESPONSE, stag, to);
            assertThat(DdpHeader.isTagged(bytes.get(Wire.OCTET, offset))).isTrue();
            assertThat(tagged.wrap(bytes, offset, payload + 14).check()).isNull();
            assertThat(tagged.last()).isEqualTo(last);
            assertThat(tagged.stag()).isEqualTo(stag);
            assertThat(tagged.to()).isEqualTo(to);
            assertThat(tagged.payloadLength()).isEqualTo(payload);
            assertThat(tagged.ulpduLength()).isEqualTo(payload + 14);

            int msn = random.nextInt();
            int mo = random.nextInt();
            DdpHeader.emitUntagged(bytes, offset, last, Opcode.SEND_SE_INVALIDATE, stag, msn, mo);
            assertThat(DdpHeader.isTagged(bytes.get(Wire.OCTET, offset))).isFalse();
            assertThat(untagged.wrap(bytes, offset, payload + 18).check()).isNull();
            assertThat(untagged.last()).isEqualTo(last);
            assertThat(untagged.invalidateStag()).isEqualTo(stag);
            assertThat(untagged.msn()).isEqualTo(msn);
            assertThat(untagged.mo()).isEqualTo(mo);
            assertThat(untagged.payloadLength()).isEqualTo(payload);
            assertThat(untagged.ulpduLength()).isEqualTo(payload + 18);
        }
    }

    @Test
    void readsBackRdmapHeadersAtAnyOffset() {
        Random random = new Random(7306);
        ReadRequestView read = new ReadRequestView();
        AtomicRequestView atomic = new AtomicRequestView();
        AtomicResponseView response = new AtomicResponseView();
        ImmediateDataView immediate = new ImmediateDataView();
        for (int round = 0; round < 5_000; round++) {
            int offset = random.nextInt(64);
            int a = random.nextInt();
            int b = random.nextInt();
            int c = random.nextInt();
            long[] v = random.longs(5).toArray();
            ReadRequestView.emit(bytes, offset, a, v[0], b, c, v[1]);
            read.wrap(bytes, offset);
            assertThat(new long[] {read.sinkStag(), read.sinkTo(), read.size(), read.sourceStag(), read.sourceTo()})
                    .containsExactly(a, v[0], b & 0xFFFFFFFFL, c, v[1]);
            AtomicRequestView.emitCompareSwap(bytes, offset, a, b, v[0], v[1], v[2], v[3], v[4]);
            atomic.wrap(bytes, offset);
            assertThat(atomic.operation()).isEqualTo(AtomicOpcode.COMPARE_SWAP);
            assertThat(new long[] {atomic.requestId(), atomic.remoteStag(), atomic.remoteTo()})
                    .containsExactly(a, b, v[0]);
            assertThat(new long[] {atomic.data(), atomic.mask(), atomic.compare(), atomic.compareMask()})
                    .containsExactly(v[1], v[2], v[3], v[4]);
            AtomicRequestView.emitFetchAdd(bytes, offset, a, b, v[0], v[1], v[2]);
            assertThat(atomic.operation()).isEqualTo(AtomicOpcode.FETCH_ADD);
            assertThat(new long[] {atomic.data(), atomic.mask(), atomic.compare(), atomic.compareMask()})
                    .containsExactly(v[1], v[2], 0, -1);
            AtomicResponseView.emit(bytes, offset, c, v[3]);
            response.wrap(bytes, offset);
            assertThat(new long[] {response.requestId(), response.original()}).containsExactly(c, v[3]);
            ImmediateDataView.emit(bytes, offset, v[4]);
            assertThat(immediate.wrap(bytes, offset).immediate()).isEqualTo(v[4]);
        }
    }

    @Test
    void neverThrowsOnPeerBytes() {
        Random random = new Random(4);
        int sound = 0;
        for (int round = 0; round < 50_000; round++) {
            byte[] header = new byte[18];
            random.nextBytes(header);
            if (random.nextBoolean()) {
                header[0] = (byte) ((header[0] & 0xFC) | 1);
                header[1] = (byte) ((header[1] & 0x3F) | 0x40);
                header[6] = header[7] = header[8] = 0;
                header[9] &= 3;
            }
            MemorySegment segment = MemorySegment.ofArray(header);
            int length = random.nextInt(64);
            boolean isTagged = DdpHeader.isTagged(header[0]);
            TerminateCode verdict = isTagged
                    ? tagged.wrap(segment, 0, length).check()
                    : untagged.wrap(segment, 0, length).check();
            if (verdict == null) {
                sound++;
                assertThat(isTagged ? tagged.opcode() : untagged.opcode()).isNotNull();
                assertThat(isTagged ? tagged.payloadLength() : untagged.payloadLength())
                        .isNotNegative();
            } else {
                assertThat(verdict.isRegistered()).isTrue();
            }
        }
        assertThat(sound).isGreaterThan(1_000);
    }

    private void setBits(int index, int mask, int value) {
        int old = bytes.get(Wire.OCTET, index);
        bytes.set(Wire.OCTET, index, (byte) ((old & ~mask) | (value & mask)));
    }
}

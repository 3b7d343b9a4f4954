package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.memory.Access;
import org.panamaverbs.testkit.Requirement;

/** Every operation between two streams. */
@Requirement({
    "RDMAP-3.1-04",
    "RDMAP-3.2-02",
    "RDMAP-3.2-04",
    "RDMAP-3.2-05",
    "RDMAP-4.4-04",
    "RDMAP-5.1-02",
    "RDMAP-5.1-04",
    "RDMAP-5.1-08",
    "RDMAP-5.2.1-03",
    "RDMAP-5.2.1-09",
    "RDMAP-5.2.1-11",
    "RDMAP-5.2.2-03",
    "RDMAP-5.2.2-07",
    "RDMAP-5.3-03",
    "RDMAP-5.3-06",
    "RDMAP-5.3-10",
    "RDMAP-5.3-14",
    "EXT-1.1-01",
    "EXT-5-02",
    "EXT-5.1.1-04",
    "EXT-5.1.1-05",
    "EXT-5.1.1-06",
    "EXT-5.1.2-01",
    "EXT-5.1.2-02",
    "EXT-5.1.2-03",
    "EXT-5.2.2-6-01",
    "EXT-6.1-01",
    "EXT-6.3-02",
    "EXT-6.4-01",
    "EXT-7-02",
    "DRAFT01-6-01",
    "DRAFT01-5.1.2-02",
    "DDP-5.2-03",
    "DDP-5.2-04",
    "DDP-5.4-02",
    "DDP-5.4-03",
    "DDP-8.2-04"
})
class PairTest {
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);

    private final Pair pair = new Pair().start();
    private final Side a = pair.a;
    private final Side b = pair.b;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 127, 1435, 1436, 1437, 4096, 65_537})
    @Requirement("DDP-3-7-01")
    void sends(int length) {
        Guarded from = a.memory(70_000).pattern(1);
        Guarded to = b.memory(70_000);
        b.receive(9, to, 3, 66_000);
        assertThat(a.send(1, from, 5, length)).isEqualTo(PostStatus.ACCEPTED);
        pair.settle();
        assertThat(a.sends.brief()).containsExactly("1 SEND");
        assertThat(b.receives.brief()).containsExactly("9 RECV");
        assertThat(b.receives.last().byteCount()).isEqualTo(length);
        assertThat(b.receives.last().qpNumber()).isEqualTo(b.qpNumber);
        assertThat(b.receives.last().flags()).isZero();
        assertThat(to.bytes(3, length)).isEqualTo(from.bytes(5, length));
        assertThat(to.bytes(3L + length, 8)).containsOnly(0);
        pair.disconnect();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 14, 1440, 1441, 1_048_576})
    void writesWithoutTellingTheSink(int length) {
        Guarded from = a.memory(1_048_600).pattern(2);
        Guarded to = b.memory(1_048_600);
        a.write(1, from, 1, length, to, 7);
        pair.settle();
        assertThat(a.sends.brief()).containsExactly("1 RDMA_WRITE");
        assertThat(b.receives.list).isEmpty();
        assertThat(to.bytes(7, length)).isEqualTo(from.bytes(1, length));
        assertThat(to.bytes(0, 7)).containsOnly(0);
        assertThat(to.bytes(7L + length, 17)).containsOnly(0);
        pair.disconnect();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 13, 1440, 1441, 1_048_576})
    void readsWithoutTellingTheSource(int length) {
        Guarded sink = a.memory(1_048_600);
        Guarded source = b.memory(1_048_600).pattern(3);
        a.read(1, sink, 3, length, source, 11);
        pair.settle();
        assertThat(a.sends.brief()).containsExactly("1 RDMA_READ");
        assertThat(a.sends.last().byteCount()).isEqualTo(length);
        assertThat(b.receives.list).isEmpty();
        assertThat(b.sends.list).isEmpty();
        assertThat(sink.bytes(3, length)).isEqualTo(source.bytes(11, length));
        assertThat(sink.bytes(3L + length, 21)).containsOnly(0);
        pair.disconnect();
    }

    @Test
    void gathersAndScatters() {
        Guarded from = a.memory(4096).pattern(4);
        Guarded to = b.memory(4096);
        SgList receive = SgList.ofCapacity(3)
                .add(to.base + 100, 7, to.stag())
                .add(to.base + 200, 0, to.stag())
                .add(to.base + 1000, 3000, to.stag());
        b.stream.receives().post(9, receive);
        SgList send = SgList.ofCapacity(4)
                .add(from.base, 3, from.stag())
                .add(from.base + 17, 0, from.stag())
                .add(from.base + 1001, 2000, from.stag())
                .add(from.base + 5, 2, from.stag());
        assertThat(a.stream.sends().post(SendOpcode.SEND, 1, send, 0, 0, 0, SendFlag.SIGNALED))
                .isZero();
        pair.settle();
        byte[] expected = concat(from.bytes(0, 3), from.bytes(1001, 2000), from.bytes(5, 2));
        assertThat(b.receives.last().byteCount()).isEqualTo(expected.length);
        assertThat(concat(to.bytes(100, 7), to.bytes(1000, expected.length - 7)))
                .isEqualTo(expected);

        pair.disconnect();
    }

    // RFC 5040 §5.2.2: a Read Response writes to one tagged buffer.
    @Test
    void refusesToScatterARead() {
        Guarded to = b.memory(64);
        Guarded from = a.memory(64).pattern(1);
        SgList two = SgList.ofCapacity(2).add(to.base, 5, to.stag()).add(to.base + 9, 9, to.stag());
        assertThat(b.stream.sends().post(SendOpcode.RDMA_READ, 2, two, from.base, from.stag(), 0, SendFlag.SIGNALED))
                .isEqualTo(PostStatus.TOO_MANY_SEGMENTS);
        SgList one = SgList.ofCapacity(1).add(to.base + 9, 9, to.stag());
        assertThat(b.stream.sends().post(SendOpcode.RDMA_READ, 3, one, from.base, from.stag(), 0, SendFlag.SIGNALED))
                .isEqualTo(PostStatus.ACCEPTED);
        pair.settle();
        assertThat(b.sends.brief()).containsExactly("3 RDMA_READ");
        assertThat(to.bytes(9, 9)).isEqualTo(from.bytes(0, 9));
        pair.disconnect();
    }

    @Test
    void copiesInlineDataWhilePosting() {
        Guarded to = b.memory(512);
        b.receives(2, 1, to, 64);
        byte[] data = HELLO.clone();
        MemorySegment heap = MemorySegment.ofArray(data);
        assertThat(a.stream.sends().postInline(SendOpcode.SEND, 1, heap, 0, 5, 0, 0, 0, SendFlag.SIGNALED))
                .isZero();
        assertThat(a.stream.sends().postInline(SendOpcode.SEND, 2, heap, 1, 3, 0, 0, 0, SendFlag.SIGNALED))
                .isZero();
        assertThat(a.stream
                        .sends()
                        .postInline(
                                SendOpcode.RDMA_WRITE, 3, heap, 0, 5, to.base + 300, to.stag(), 0, SendFlag.SIGNALED))
                .isZero();
        data[0] = 'X';
        data[1] = 'X';
        pair.settle();
        assertThat(to.bytes(0, 5)).isEqualTo(HELLO);
        assertThat(to.bytes(64, 3)).isEqualTo("ell".getBytes(StandardCharsets.US_ASCII));
        assertThat(to.bytes(300, 5)).isEqualTo(HELLO);
        assertThat(a.sends.brief()).containsExactly("1 SEND", "2 SEND", "3 RDMA_WRITE");
        MemorySegment tooLong = MemorySegment.ofArray(new byte[257]);
        assertThat(a.stream.sends().postInline(SendOpcode.SEND, 4, tooLong, 0, 257, 0, 0, 0, 0))
                .isEqualTo(PostStatus.INLINE_TOO_LONG);
        pair.disconnect();
    }

    @Test
    void copiesThePostedBufferIfTheInlineFlagIsSet() {
        Guarded from = a.memory(64).put(0, HELLO);
        Guarded to = b.memory(64);
        b.receive(1, to, 0, 64);
        a.stream
                .sends()
                .post(SendOpcode.SEND, 1, from.base, 5, from.stag(), 0, 0, 0, SendFlag.SIGNALED | SendFlag.INLINE);
        from.put(0, new byte[5]);
        pair.settle();
        assertThat(to.bytes(0, 5)).isEqualTo(HELLO);
        pair.disconnect();
    }

    @Test
    void marksSolicitedMessages() {
        Guarded from = a.memory(64);
        Guarded to = b.memory(512);
        b.receives(4, 1, to, 64);
        int solicited = SendFlag.SOLICITED | SendFlag.SIGNALED;
        a.stream.sends().post(SendOpcode.SEND, 1, from.base, 5, from.stag(), 0, 0, 0, solicited);
        a.stream.sends().post(SendOpcode.SEND, 2, from.base, 5, from.stag(), 0, 0, 0, SendFlag.SIGNALED);
        a.stream.sends().post(SendOpcode.IMMEDIATE, 3, 0, 0, 0, 0, 0, 42, solicited);
        a.stream.sends().post(SendOpcode.IMMEDIATE, 4, 0, 0, 0, 0, 0, 43, SendFlag.SIGNALED);
        pair.settle();
        assertThat(b.receives.list)
                .extracting(wc -> wc.has(CompletionSink.SOLICITED))
                .containsExactly(true, false, true, false);
        pair.disconnect();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 0x0102_0304_0506_0708L, -1L})
    void deliversEightOctetsOfImmediateData(long immediate) {
        Guarded to = b.memory(64);
        b.receive(1, to, 0, 64);
        a.stream.sends().post(SendOpcode.IMMEDIATE, 5, 0, 0, 0, 0, 0, immediate, SendFlag.SIGNALED);
        pair.settle();
        Wc received = b.receives.last();
        assertThat(received.brief()).isEqualTo("1 RECV_IMMEDIATE");
        assertThat(received.has(CompletionSink.HAS_IMMEDIATE)).isTrue();
        assertThat(received.immediateOrStag()).isEqualTo(immediate);
        assertThat(to.bytes()).containsOnly(0);
        assertThat(a.sends.brief()).containsExactly("5 IMMEDIATE");
        pair.disconnect();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, 5000})
    void writesThenDeliversImmediateData(int length) {
        Guarded from = a.memory(8192).pattern(6);
        Guarded to = b.memory(8192);
        Guarded receive = b.memory(64);
        b.receive(1, receive, 0, 64);
        a.post(SendOpcode.RDMA_WRITE_WITH_IMMEDIATE, 5, from, 9, length, to.base + 100, to.stag(), 77);
        pair.settle();
        assertThat(b.receives.brief()).containsExactly("1 RECV_IMMEDIATE");
        assertThat(b.receives.last().immediateOrStag()).isEqualTo(77);
        assertThat(to.bytes(100, length)).isEqualTo(from.bytes(9, length));
        assertThat(receive.bytes()).containsOnly(0);
        assertThat(a.sends.brief()).containsExactly("5 RDMA_WRITE");
        pair.disconnect();
    }

    @Test
    @Requirement({"EXT-5.2.1-03", "EXT-5.2.2-1-01"})
    void addsAndSwapsAtomically() {
        Guarded local = a.memory(64);
        Guarded cell = b.memory(64).putLong(8, 40).putLong(16, 0x0000_FFFF_0000_FFFFL);
        a.fetchAdd(1, local, 0, cell, 8, 2);
        atomic(SendOpcode.CMP_SWAP, 2, local, 8, cell, 8, 42, 99, -1L, -1L);
        atomic(SendOpcode.CMP_SWAP, 3, local, 16, cell, 8, 42, 7, -1L, -1L);
        // Two fields of 32 bits: the carry out of the lower one is dropped.
        atomic(
                SendOpcode.MASKED_FETCH_ADD,
                4,
                local,
                24,
                cell,
                16,
                0x0000_0001_FFFF_0001L,
                0,
                0x8000_0000_8000_0000L,
                0);
        atomic(SendOpcode.MASKED_CMP_SWAP, 5, local, 32, cell, 8, 0xFF63, 0xABCD, 0xFF, 0xFF00);
        atomic(SendOpcode.MASKED_CMP_SWAP, 6, local, 40, cell, 8, 1, 2, 0xFF, -1L);
        // Swap: a compare mask of 0 always matches.
        atomic(SendOpcode.MASKED_CMP_SWAP, 7, local, 48, cell, 8, 5, -5L, 0, -1L);
        pair.settle();
        assertThat(a.sends.brief())
                .containsExactly(
                        "1 FETCH_ADD",
                        "2 CMP_SWAP",
                        "3 CMP_SWAP",
                        "4 FETCH_ADD",
                        "5 CMP_SWAP",
                        "6 CMP_SWAP",
                        "7 CMP_SWAP");
        assertThat(a.sends.list).allMatch(wc -> wc.byteCount() == 8);
        assertThat(local.getLong(0)).isEqualTo(40);
        assertThat(local.getLong(8)).isEqualTo(42);
        assertThat(local.getLong(16)).isEqualTo(99);
        assertThat(local.getLong(24)).isEqualTo(0x0000_FFFF_0000_FFFFL);
        assertThat(local.getLong(32)).isEqualTo(99);
        assertThat(local.getLong(40)).isEqualTo(0xAB63L);
        assertThat(local.getLong(48)).isEqualTo(0xAB63L);
        assertThat(cell.getLong(16)).isEqualTo(0x0001_0000_0000_0000L);
        assertThat(cell.getLong(8)).isEqualTo(-5);
        assertThat(b.receives.list).isEmpty();
        pair.disconnect();
    }

    @Test
    void addsWithFieldMaskAsTheRfcComputesIt() {
        Guarded local = a.memory(64);
        Guarded cell = b.memory(8).putLong(0, 0xFFFF_FFFF_FFFF_FFFFL);
        atomic(SendOpcode.MASKED_FETCH_ADD, 1, local, 0, cell, 0, 0x0101_0101_0101_0101L, 0, 0x8080_8080_8080_8080L, 0);
        pair.settle();
        assertThat(cell.getLong(0)).isZero();
        atomic(SendOpcode.MASKED_FETCH_ADD, 2, local, 0, cell, 0, 0x00FF_0001_0002_FFFFL, 0, 0, 0);
        pair.settle();
        assertThat(cell.getLong(0)).isEqualTo(0x00FF_0001_0002_FFFFL);
        pair.disconnect();
    }

    @Test
    @Requirement({"DDP-4.2-02", "DDP-8.3-3-01"})
    void bindsWindowsAndInvalidatesThemFromAfar() {
        Guarded from = a.memory(64).put(0, HELLO);
        Guarded to = b.memory(256, 0x5000, Guarded.ALL);
        Region window = bindWindow(to, 0x5000 + 32, 16, true);
        int stag = window.stag();
        assertThat(b.sends.brief()).containsExactly("1 BIND_WINDOW");
        Guarded receive = b.memory(64);
        b.receive(9, receive, 0, 64);
        a.stream
                .sends()
                .post(SendOpcode.RDMA_WRITE, 2, from.base, 5, from.stag(), 0x5000 + 43, stag, 0, SendFlag.SIGNALED);
        a.stream
                .sends()
                .post(
                        SendOpcode.SEND_WITH_INVALIDATE,
                        3,
                        from.base,
                        5,
                        from.stag(),
                        0,
                        0,
                        Integer.toUnsignedLong(stag),
                        SendFlag.SIGNALED);
        pair.settle();
        assertThat(to.bytes(43, 5)).isEqualTo(HELLO);
        Wc received = b.receives.last();
        assertThat(received.brief()).isEqualTo("9 RECV");
        assertThat(received.has(CompletionSink.HAS_INVALIDATED_STAG)).isTrue();
        assertThat((int) received.immediateOrStag()).isEqualTo(stag);
        a.stream
                .sends()
                .post(SendOpcode.RDMA_WRITE, 4, from.base, 5, from.stag(), 0x5000 + 43, stag, 0, SendFlag.SIGNALED);
        pair.elapse();
        assertThat(a.stream.terminateCause()).isNotNull();
        assertThat(a.cause()).startsWith("1/1/00");
        pair.assertGuards();
    }

    @Test
    void invalidatesWindowsLocally() {
        Guarded from = a.memory(64).put(0, HELLO);
        Guarded to = b.memory(256, 0x5000, Guarded.ALL);
        Region window = bindWindow(to, 0x5000, 256, true);
        int stag = window.stag();
        assertThat(b.stream.sends().postLocalInvalidate(2, stag, SendFlag.SIGNALED))
                .isZero();
        pair.settle();
        assertThat(b.sends.brief()).containsExactly("1 BIND_WINDOW", "2 LOCAL_INVALIDATE");
        a.stream.sends().post(SendOpcode.RDMA_WRITE, 4, from.base, 5, from.stag(), 0x5000, stag, 0, SendFlag.SIGNALED);
        pair.elapse();
        assertThat(to.bytes()).containsOnly(0);
        assertThat(b.cause()).startsWith("1/1/00");
    }

    @Test
    void rebindsAWindowUnderANewStag() {
        Guarded to = b.memory(256, 0x5000, Guarded.ALL);
        Guarded local = a.memory(64);
        Region window = bindWindow(to, 0x5000, 256, false);
        int first = window.stag();
        int second = window.nextStag(12345);
        assertThat(second).isNotEqualTo(first);
        b.stream.sends().postBind(2, window, false, second, to.stag(), 0x5000, 0, 0, SendFlag.SIGNALED);
        int third = window.nextStag(99);
        b.stream
                .sends()
                .postBind(
                        3,
                        window,
                        true,
                        third,
                        to.stag(),
                        0x5000 + 8,
                        8,
                        Access.mask(Access.REMOTE_READ),
                        SendFlag.SIGNALED);
        pair.settle();
        assertThat(b.sends.list).allMatch(Wc::ok).hasSize(3);
        to.pattern(3);
        a.stream
                .sends()
                .post(SendOpcode.RDMA_READ, 4, local.base, 8, local.stag(), 0x5000 + 8, third, 0, SendFlag.SIGNALED);
        pair.settle();
        assertThat(a.sends.brief()).containsExactly("4 RDMA_READ");
        assertThat(local.bytes(0, 8)).isEqualTo(to.bytes(8, 8));
        pair.disconnect();
    }

    @Test
    void onlyWindowsOfTheStreamAreInvalidated() {
        Guarded to = b.memory(256, 0x5000, Guarded.ALL);
        Region window = bindWindow(to, 0x5000, 256, false);
        b.stream.sends().postLocalInvalidate(2, window.stag(), SendFlag.SIGNALED);
        pair.elapse();
        assertThat(b.sends.brief()).containsExactly("1 BIND_WINDOW", "2 " + WcStatus.LOCAL_PROTECTION_ERROR);
    }

    @Test
    void refusesToBindOutsideOfTheBuffer() {
        Guarded to = b.memory(256, 0x5000, Guarded.ALL);
        Region window = Objects.requireNonNull(b.stags.reserve(Side.DOMAIN));
        b.stream
                .sends()
                .postBind(
                        1,
                        window,
                        false,
                        window.nextStag(1),
                        to.stag(),
                        0x5000 + 1,
                        256,
                        Guarded.ALL,
                        SendFlag.SIGNALED);
        pair.elapse();
        assertThat(b.sends.brief()).containsExactly("1 " + WcStatus.MEMORY_WINDOW_BIND_ERROR);
    }

    @ParameterizedTest
    @EnumSource(
            value = SendOpcode.class,
            names = {"SEND", "RDMA_WRITE"})
    void completesUnsignaledRequestsSilently(SendOpcode operation) {
        Guarded from = a.memory(64);
        Guarded to = b.memory(640);
        b.receives(10, 1, to, 64);
        for (int i = 1; i <= 9; i++) {
            a.stream.sends().post(operation, i, from.base, 5, from.stag(), to.base, to.stag(), 0, 0);
        }
        a.post(operation, 10, from, 0, 5, to.base, to.stag(), 0);
        pair.settle();
        assertThat(a.sends.ids()).containsExactly(10L);
        assertThat(a.stream.idle()).isTrue();
        pair.disconnect();
    }

    @Test
    void signalsAllIfTheQueuePairSaysSo() {
        StreamConfig config = new StreamConfig(7, Side.DOMAIN, 8, 1, 1, 16, true, Side.LINGER_NANOS, false);
        Pair signaled = Pair.of(config, Side.config(8)).start();
        Guarded from = signaled.a.memory(64);
        Guarded to = signaled.b.memory(64);
        signaled.a.stream.sends().post(SendOpcode.RDMA_WRITE, 3, from.base, 5, from.stag(), to.base, to.stag(), 0, 0);
        signaled.settle();
        assertThat(signaled.a.sends.brief()).containsExactly("3 " + WcOpcode.RDMA_WRITE);
        signaled.disconnect();
    }

    private Region bindWindow(Guarded to, long address, long length, boolean scoped) {
        Region window = Objects.requireNonNull(b.stags.reserve(Side.DOMAIN));
        int rights = Access.mask(Access.REMOTE_WRITE, Access.REMOTE_READ);
        int status = b.stream
                .sends()
                .postBind(
                        1, window, scoped, window.nextStag(77), to.stag(), address, length, rights, SendFlag.SIGNALED);
        assertThat(status).isEqualTo(PostStatus.ACCEPTED);
        pair.settle();
        return window;
    }

    private void atomic(
            SendOpcode operation,
            long wrId,
            Guarded local,
            long offset,
            Guarded cell,
            long cellOffset,
            long compareOrAdd,
            long swap,
            long compareOrFieldMask,
            long swapMask) {
        int status = a.stream
                .sends()
                .postAtomic(
                        operation,
                        wrId,
                        local.base + offset,
                        local.stag(),
                        cell.base + cellOffset,
                        cell.stag(),
                        compareOrAdd,
                        swap,
                        compareOrFieldMask,
                        swapMask,
                        SendFlag.SIGNALED);
        assertThat(status).isEqualTo(PostStatus.ACCEPTED);
    }

    private static byte[] concat(byte[]... parts) {
        java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
